/* SPDX-License-Identifier: Apache-2.0
 *
 * replay.c - runs the inputs of a corpus: one input a line, in hexadecimal digits. A line that begins with "#" is a
 * comment.
 */
#include "fuzz.h"

#define INPUT_MAX_NBYTES 65536

static int digit(int c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c > 0 ? strchr(digits, c) : NULL;

    return found != NULL ? (int)(found - digits) : -1;
}

/* Read a line. Returns the number of bytes, or -1 at the end of the file. `*out_comment` says that it is no input. */
static long read_line(FILE *file, uint8_t *out, bool *out_comment)
{
    long nbytes = 0;
    int c = fgetc(file);

    *out_comment = c == '#';
    if (c == EOF)
        return -1;
    while (*out_comment && c != '\n' && c != EOF)
        c = fgetc(file);
    while (c != '\n' && c != EOF) {
        int high = digit(c);
        int low = digit(fgetc(file));
        if (high < 0 || low < 0 || nbytes == INPUT_MAX_NBYTES) {
            fprintf(stderr, "the corpus has a line that is not an input of at most %d bytes\n", INPUT_MAX_NBYTES);
            exit(1);
        }
        out[nbytes++] = (uint8_t)(high << 4 | low);
        c = fgetc(file);
    }
    return nbytes;
}

int main(int argc, char **argv)
{
    static uint8_t line[INPUT_MAX_NBYTES];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    bool is_comment = false;
    unsigned long inputs = 0;

    if (file == NULL) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 1;
    }
    for (long nbytes = 0; (nbytes = read_line(file, line, &is_comment)) >= 0;) {
        uint8_t *exact = NULL;

        if (is_comment)
            continue;
        exact = malloc(nbytes > 0 ? (size_t)nbytes : 1);
        MUST(exact != NULL);
        memcpy(exact, line, (size_t)nbytes);
        LLVMFuzzerTestOneInput(exact, (size_t)nbytes);
        free(exact);
        inputs++;
    }
    fclose(file);
    printf("%lu inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
