/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that stand for a value and depend on another one besides, so that upstream's passes see more
 * than the value. It must not know what for. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_STAND_INS_H
#define TESSERA_LOWERING_WORKAROUNDS_STAND_INS_H

#include "ir/build.h"

/* What stands for `value` and reads `other`, with the unit attribute `mark`. */
MlirValue ts_stand_in(const ts_maker *build, MlirValue value, MlirValue other, const char *mark);
/* Takes those with `mark` away again. */
void ts_stand_ins_drop(MlirOperation module, const char *mark);

#endif /* TESSERA_LOWERING_WORKAROUNDS_STAND_INS_H */
