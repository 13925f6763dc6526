/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* For functions whose arguments or results have run-time halo sizes or offsets: one that
 * computes them, named by the attribute tessera.resolve. It knows functions and numbers; it must
 * not know what the numbers are for. */
#ifndef TESSERA_PLUGIN_MODEL_RESOLVER_H
#define TESSERA_PLUGIN_MODEL_RESOLVER_H

#include "model/model.h"

/* Makes those functions: they take the same arguments and give one i64 for each number; what was
 * named before goes. Tools need those of public functions, and passes, as long as annotations may
 * be deleted, those of all (as far as they can be made). After solving and before anything is
 * rewritten. False after located errors. */
typedef enum ts_resolvers_for { TS_FOR_TOOLS, TS_FOR_PASSES } ts_resolvers_for;
bool ts_make_resolvers(ts_model *model, ts_resolvers_for who);

#endif /* TESSERA_PLUGIN_MODEL_RESOLVER_H */
