/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who uses a context, how it fails, and where a failure inside compiled code leads to.
 * It must not know collectives, or what has failed. */
#ifndef TESSERA_RUNTIME_CONTEXT_GUARD_H
#define TESSERA_RUNTIME_CONTEXT_GUARD_H

#include "context/context.h"

/* ---- use: a context serves one thread at a time ---------------------------------------------- */

/* Begins to use the context. Fails if another thread uses it, or if it has failed. `is_outermost`
 * says whether this thread has to leave it; it may use it already. */
tessera_status tr_context_enter(tessera_context *context, bool *is_outermost);
/* The same, but a context that has failed is taken as well. Who has taken it may read `failure`. */
tessera_status tr_context_take(tessera_context *context, bool *is_outermost);
void tr_context_leave(tessera_context *context);

/* The context of a call from compiled code. */
typedef struct tr_held {
  tessera_context *context;
  bool must_leave; /* when the call ends */
} tr_held;

/* The calling thread's context, in use. Does not return where there is none, or it has failed, or
 * is used by another thread. */
tr_held tr_context_hold(const tessera_site *site);

/* ---- failure --------------------------------------------------------------------------------- */

/* The one place where a context fails: it keeps the message, tells the other ranks, and from now on
 * refuses everything with this failure. A context that has failed keeps its first failure. Returns
 * that, with its message. */
tessera_status tr_context_fail(tessera_context *context, tessera_status status,
                               const char *message);

/* The same for a failure inside compiled code: goes back to the tessera_attempt around it, or ends
 * the job where there is none. */
_Noreturn void tr_context_raise(tessera_context *context, tessera_status status,
                                const char *message);

#endif /* TESSERA_RUNTIME_CONTEXT_GUARD_H */
