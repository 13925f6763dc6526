/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From a call of a collective to its plan, and on to an operation that does it.
 * It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_PLANS_ENGINE_H
#define TESSERA_RUNTIME_PLANS_ENGINE_H

#include "compiled/site_call.h"
#include "plans/cache.h"
#include "plans/operation.h"

/* Plans and operations of a context. */
struct tr_engine {
  tr_caches caches;
  tr_operations operations;
};

/* The context's; NULL with a message if there is no memory. */
tr_engine *tr_engine_of(tessera_context *context);

/* What the context has done so far leaves it free to take another device: no program is attached,
 * and nothing is under way. Then what collectives keep is given back, and true returned. */
bool tr_engine_forget(tessera_context *context);

/* Finds or makes the plan, and starts an operation: one that blocks is done then. After a failure
 * `call` has the group in which it happened. */
tessera_status tr_engine_start(tr_call *call, const tr_asked *asked, tessera_stream *stream,
                               tessera_operation **operation);

/* tessera_rt_* of a row, for libtessera's own calls in a context that need not be the current one:
 * a failure is returned, after the context has failed with it, and traffic is not counted. */
tessera_status tr_engine_do_within(tessera_context *context, const tr_asked *asked);

/* Fails if an operation was started that has not been waited for. */
tessera_status tr_engine_expect_idle(const tessera_context *context);

/* Room for the plans of a program's sites. */
tessera_status tr_engine_attach(tessera_context *context, const tessera_program_record *record,
                                tr_life *life);

#endif /* TESSERA_RUNTIME_PLANS_ENGINE_H */
