/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The end of the process's default context.
 * It must not know collectives, layouts or how bytes travel. */
#include "context/guard.h"
#include "program/logs.h"
#include "support/error.h"

/* A context that has failed is settled: the backend ends it with the others, or without them. One
 * that is in use goes on. */
static tessera_status settle(tessera_context *context, bool *may_end) {
  bool is_outermost;
  tessera_status status = tr_context_take(context, &is_outermost);
  if (status)
    return status;
  if (!is_outermost)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "the context of rank %d cannot be ended inside a call that uses it; end it when "
                   "the call has returned",
                   context->world.rank);
  *may_end = true;
  status = tessera_settle(context);
  return status ? status : tr_logs_report(context);
}

tessera_status tessera_finalize(void) {
  return tr_context_end_default(settle);
}
