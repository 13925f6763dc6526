/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops and branches of scf, built from outside in. It knows how they are said; it must not know
 * what is inside. */
#ifndef TESSERA_PLUGIN_IR_CONTROL_FLOW_H
#define TESSERA_PLUGIN_IR_CONTROL_FLOW_H

#include "ir/build.h"

typedef struct ts_for {
  MlirOperation op;
  MlirBlock body; /* its arguments are the index and what is carried */
  MlirValue iv;
} ts_for;

/* scf.for with `num` carried values; the body lacks its scf.yield. */
ts_for ts_make_for(const ts_maker *build, MlirValue from, MlirValue to, MlirValue step,
                   intptr_t num, const MlirValue *carried);
void ts_make_yield(const ts_maker *build, intptr_t num, const MlirValue *values);

typedef struct ts_if {
  MlirOperation op;
  MlirBlock then; /* lacks its scf.yield */
} ts_if;

/* scf.if of `num` results, which are `otherwise` if the condition does not hold. */
ts_if ts_make_if_of(const ts_maker *build, MlirValue condition, intptr_t num,
                    const MlirValue *otherwise);

/* An scf.if without results; builds inside it from then on, before its scf.yield. */
ts_maker ts_make_if(const ts_maker *build, MlirValue condition);

#endif /* TESSERA_PLUGIN_IR_CONTROL_FLOW_H */
