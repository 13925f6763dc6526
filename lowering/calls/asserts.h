/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Assertions of the program to runtime calls. It knows branches; it must not know what is
 * asserted. */
#ifndef TESSERA_LOWERING_CALLS_ASSERTS_H
#define TESSERA_LOWERING_CALLS_ASSERTS_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Rewrites every cf.assert, which upstream would end in abort(), to fail there, and on all ranks.
 * On memrefs. */
void ts_asserts_lower(ts_sites *sites, ts_wrappers *wrappers);

/* Builds: if (fails) tessera_rt_fail(the site of `op`, message). */
void ts_asserts_fail_if(ts_sites *sites, ts_wrappers *wrappers, const ts_maker *build,
                        MlirOperation op, MlirValue fails, MlirStringRef message);

#endif /* TESSERA_LOWERING_CALLS_ASSERTS_H */
