/* A library that keeps callbacks and calls them later. */
#ifndef TICKER_H
#define TICKER_H

/* Called for each tick with the `user` of its subscription. A result other than 0 stops the run. */
typedef int (*ticker_fn)(void *user, int tick);

/* Subscribe; the library keeps `fn` and `user` until ticker_unsubscribe(). Returns an id from 1 on, or 0 if it has no room. */
int ticker_subscribe(ticker_fn fn, void *user);

/* End a subscription. An id that is not known is ignored. */
void ticker_unsubscribe(int id);

/* Call all subscribers for the ticks 0, 1, ... Returns how many calls returned 0; it ends at the first that did not. */
int ticker_run(int ticks);

#endif
