/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Arguments and results of functions: the records that callers read, and the attributes that these
 * are made from. `which` is the name of a list, arg_attrs or res_attrs. It must not know which
 * functions are entries. */
#ifndef TESSERA_LOWERING_ENTRIES_PARAMETER_RECORDS_H
#define TESSERA_LOWERING_ENTRIES_PARAMETER_RECORDS_H

#include "lowering/calls/site_records.h"

/* The layout that parameter `i` is said to have, and its global type; NULL without a mistake if
 * none is said. */
const ts_sharding *ts_parameter_layout(ts_sites *sites, MlirOperation function, const char *which,
                                       intptr_t i, MlirType *global, const char **mistake);
/* Whether any of the first `num` has one. */
bool ts_parameters_have_layouts(MlirOperation function, const char *which, intptr_t num);

/* The symbol of an array of tessera_parameter for the `num` of entry `name`; NULL where that is
 * none. False after a diagnostic. */
bool ts_parameters_record(ts_sites *sites, MlirOperation function, const char *name,
                          const char *which, intptr_t num, const char **symbol);

/* Takes off what is recorded, but which arguments are donated. Callers keep the others. */
void ts_parameters_protect(ts_arena *arena, MlirOperation function);
/* Whether `value` is an argument of which that is still said. */
bool ts_parameter_is_donated(MlirValue value);
/* Takes all of it off functions of which nobody asks. */
void ts_parameters_forget(ts_arena *arena, MlirOperation function);

#endif /* TESSERA_LOWERING_ENTRIES_PARAMETER_RECORDS_H */
