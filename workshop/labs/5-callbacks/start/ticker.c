#include "ticker.h"

#include <stddef.h>

#define ROOM 64

static struct {
    ticker_fn fn;
    void *user;
} subscribers[ROOM];

int ticker_subscribe(ticker_fn fn, void *user)
{
    for (int i = 0; i < ROOM; i++) {
        if (subscribers[i].fn == NULL) {
            subscribers[i].fn = fn;
            subscribers[i].user = user;
            return i + 1;
        }
    }
    return 0;
}

void ticker_unsubscribe(int id)
{
    if (id >= 1 && id <= ROOM) {
        subscribers[id - 1].fn = NULL;
    }
}

int ticker_run(int ticks)
{
    int calls = 0;
    for (int tick = 0; tick < ticks; tick++) {
        for (int i = 0; i < ROOM; i++) {
            if (subscribers[i].fn != NULL) {
                if (subscribers[i].fn(subscribers[i].user, tick) != 0) {
                    return calls;
                }
                calls++;
            }
        }
    }
    return calls;
}
