/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls that come again as they came before: the same site, on memory of the same shape. What was
 * checked, decided and counted then is kept. It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_REPEAT_H
#define TESSERA_RUNTIME_COLLECTIVES_REPEAT_H

#include "collectives/call.h"
#include "collectives/steps.h"

/* One call of compiled code, from begin to end: as before if it can be, else by `body`. `in` and
 * `out` are descriptors, whether looked at or not; one that has no other is both. `numbers` are
 * those that the call has besides its memory; NULL where there are none. */
void tr_call_run(const tessera_site *site, const void *in, const void *out, const int64_t *numbers,
                 tr_body *body);
/* The same in the group of all ranks, whatever axes the site names. */
void tr_call_run_alone(const tessera_site *site, const void *in, const void *out,
                       const int64_t *numbers, tr_body *body);

/* ---- noting what a call does ----
 * Everything that a body of tr_call_run does to memory, or with other members, has to be noted as a
 * step; a body that does anything else says tr_repeat_forget. */

/* The call has just done what `run` does: a step of `size` bytes, to be filled in, whose places are
 * given by tr_repeat_place. NULL if the call will not be kept. */
void *tr_repeat_step(tr_call *call, size_t size, tr_step_run *run, int64_t num_places);
void tr_repeat_place(tr_call *call, void *step, int64_t index, const char *data, size_t bytes);

/* The call has been compared with the other members' as this says. */
void tr_repeat_check(tr_call *call, const tr_common *common);

/* This call cannot be kept. */
void tr_repeat_forget(tr_call *call);

/* For the end of a call, before its scratch memory is given back: keeps what was noted, or frees
 * it. */
void tr_repeat_end(tr_call *call, tessera_status status);

#endif /* TESSERA_RUNTIME_COLLECTIVES_REPEAT_H */
