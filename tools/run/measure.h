/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What tessera-run measures: times of calls, bytes of collectives, over all ranks.
 * It must not know inputs, outputs or command lines. */
#ifndef TESSERA_TOOLS_RUN_MEASURE_H
#define TESSERA_TOOLS_RUN_MEASURE_H

#include "common/team.h"
#include "common/values.h"

/* Collective. A call takes as long as its slowest rank; rank 0 prints minimum and median. The times
 * are overwritten. */
void print_times(team *team, double *seconds, int64_t count);

/* Collective. Reads the counters of every site; rank 0 prints what ran. */
bool print_traffic(const tessera_program *program, team *team, message *message);

#endif /* TESSERA_TOOLS_RUN_MEASURE_H */
