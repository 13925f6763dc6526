/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads of a warp or a block come together: they wait for each other, and combine what each has.
 * It knows shuffles and barriers; it must not know nests' loops. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_WARPS_H
#define TESSERA_LOWERING_TARGETS_CUDA_WARPS_H

#include "lowering/targets/cuda/kernel_code.h"

typedef struct ts_team {
  ts_cuda_code *code;
  MlirValue number, lane; /* of the team in the block, of the thread in the team */
} ts_team;

/* The calling thread's team, and the step of the grid that it does: what is built from then on is
 * done where there is such a step. */
ts_maker ts_team_start(ts_cuda_code *code, const ts_maker *build, ts_team *m, MlirValue *step);

/* What threads of the team have written before, all of them see after. */
void ts_team_wait(const ts_team *m, const ts_maker *build);

/* `parts` has a value of each output of `nest`, and becomes what those of all threads of the team
 * come to, in every one of them. All threads of the block get here. */
void ts_team_combine(const ts_team *m, const ts_maker *build, const ts_nest *nest,
                     MlirValue *parts);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_WARPS_H */
