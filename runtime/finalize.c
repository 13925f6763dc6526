/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The end of the process's default context.
 * It must not know collectives, layouts or how bytes travel. */
#include "guard.h"

/* A context that has failed is settled: the backend ends it with the others, or without them. One
 * that another thread uses goes on. */
static tessera_status settle(tessera_context *context, bool *may_end) {
  bool is_outermost;
  tessera_status status = tr_context_enter(context, &is_outermost);
  *may_end = !status || context->failure;
  return status ? status : tessera_settle(context);
}

tessera_status tessera_finalize(void) {
  return tr_context_end_default(settle);
}
