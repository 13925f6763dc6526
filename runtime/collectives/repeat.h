/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls that come again as they came before: the same site, on memory of the same shape. What was
 * checked, decided and counted then is kept. It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_REPEAT_H
#define TESSERA_RUNTIME_COLLECTIVES_REPEAT_H

#include "collectives/call.h"

/* One call of compiled code, from begin to end: as before if it can be, else by `body`. `root` is
 * NULL where there is none. */
void tr_call_run(const tessera_site *site, const void *in, const void *out, const int64_t *root,
                 tr_body *body);

/* The call has been done by one collective of the backend's, as described, and from here on depends
 * on nothing but its arguments: next time that collective alone will be done. */
void tr_repeat_prepare(tr_call *call, const tr_collective *done);
/* And so many bytes will be copied from `in` to `out`, both dense. */
void tr_repeat_copy(tr_call *call, size_t bytes);

/* For the end of a call: keeps what was prepared, or forgets it, if anything was, after a failure.
 */
void tr_repeat_keep(tr_call *call);
void tr_repeat_drop(tr_call *call);

#endif /* TESSERA_RUNTIME_COLLECTIVES_REPEAT_H */
