/* gauge - the readings of a sensor. A library to learn on, until you take your own. */
#ifndef GAUGE_H
#define GAUGE_H

#include <stddef.h>
#include <stdint.h>

#define GAUGE_OK 0
#define GAUGE_EMPTY (-1)
#define GAUGE_SMALL (-2)

typedef struct gauge gauge;

/* A new gauge of this name, without readings; NULL if there is no memory. The name is copied. */
gauge *gauge_create(const char *name);

/* Free a gauge. NULL is allowed. */
void gauge_free(gauge *g);

/* Add the bytes as readings from 0 to 255. GAUGE_OK. */
int gauge_add(gauge *g, const uint8_t *readings, size_t readings_size);

/* The mean of all readings. GAUGE_EMPTY if there are none; *mean is then not written. */
int gauge_mean(const gauge *g, double *mean);

/* Write the name in capitals, at most `out_size` bytes, without a NUL. Returns how many, or GAUGE_SMALL. */
int gauge_title(const gauge *g, char *out, size_t out_size);

/* What a result below 0 means. The text is the library's; never NULL. */
const char *gauge_message(int result);

#endif
