/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions over a group for libtessera's own use: like tessera_rt_*, but a failure is returned.
 * It must not know who calls. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_REDUCE_H
#define TESSERA_RUNTIME_COLLECTIVES_REDUCE_H

#include "context.h"

/* tessera_rt_all_reduce in `context`. */
tessera_status tr_all_reduce_within(tessera_context *context, const tessera_site *site,
                                    const void *in, const void *out);

#endif /* TESSERA_RUNTIME_COLLECTIVES_REDUCE_H */
