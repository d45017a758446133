#include "gauge.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct gauge {
    char *name;
    uint64_t sum;
    uint64_t count;
};

gauge *gauge_create(const char *name)
{
    gauge *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->name = malloc(strlen(name) + 1);
    if (g->name == NULL) {
        free(g);
        return NULL;
    }
    strcpy(g->name, name);
    return g;
}

void gauge_free(gauge *g)
{
    if (g != NULL) {
        free(g->name);
        free(g);
    }
}

int gauge_add(gauge *g, const uint8_t *readings, size_t readings_size)
{
    for (size_t i = 0; i < readings_size; i++) {
        g->sum += readings[i];
    }
    g->count += readings_size;
    return GAUGE_OK;
}

int gauge_mean(const gauge *g, double *mean)
{
    if (g->count == 0) {
        return GAUGE_EMPTY;
    }
    *mean = (double)g->sum / (double)g->count;
    return GAUGE_OK;
}

int gauge_title(const gauge *g, char *out, size_t out_size)
{
    size_t length = strlen(g->name);
    if (length > out_size) {
        return GAUGE_SMALL;
    }
    for (size_t i = 0; i < length; i++) {
        out[i] = (char)toupper((unsigned char)g->name[i]);
    }
    return (int)length;
}

const char *gauge_message(int result)
{
    return result == GAUGE_EMPTY ? "no readings" : result == GAUGE_SMALL ? "too little room" : "ok";
}
