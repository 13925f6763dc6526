/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a program's own machine code may do wrong, such as dividing an integer by zero, as a message
 * that names the entry and the rank. It must not know what the tools do. */
#ifndef TESSERA_TOOLS_COMMON_TRAP_H
#define TESSERA_TOOLS_COMMON_TRAP_H

#include "common/team.h"

/* From now on a trap in an armed thread prints one message and ends the process with status 1; any
 * other is the tool's own mistake and ends it as ever. A file that may not grow is an error of the
 * write and no signal. `cleanup` (or NULL) comes first; it may only
 * do what signal handlers may. Call it before MPI starts, which leaves handlers that it finds. */
void trap_install(void (*cleanup)(void));

/* Around a call of `entry` ("main on 2x2") in the calling thread, which is a rank of `team`. */
void trap_arm(const team *team, const char *entry);
/* The same around what all ranks compute from the same numbers: if one traps, rank 0 does. */
void trap_arm_alike(const team *team, const char *entry);
void trap_disarm(void);

#endif /* TESSERA_TOOLS_COMMON_TRAP_H */
