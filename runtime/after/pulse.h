/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What shows that a rank's process ends, before its launcher knows of it.
 * It must not know who looks. */
#ifndef TESSERA_RUNTIME_AFTER_PULSE_H
#define TESSERA_RUNTIME_AFTER_PULSE_H

#include "watch/board.h"

/* This process, as a rank, has a pulse from now on: the two ends of a pipe, of which the system
 * closes the second one first of all when the process ends. It is the process's only one: another
 * context takes it with it. Where there is none the seat says so. */
void tr_pulse_take(tr_seat *seat);

#endif /* TESSERA_RUNTIME_AFTER_PULSE_H */
