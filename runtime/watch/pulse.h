/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What shows that a rank's process ends, before its launcher knows of it.
 * It must not know who looks. */
#ifndef TESSERA_RUNTIME_WATCH_PULSE_H
#define TESSERA_RUNTIME_WATCH_PULSE_H

#include "watch/board.h"

/* This process is the rank of a seat from now on. Where its launcher ends all ranks at once it has
 * a pulse: the two ends of a pipe, of which the system closes the second one first of all when the
 * process ends. */
void tr_pulse_take_seat(tr_seat *seat, int32_t rank);
/* Its context ends, and it has no pulse any more. */
void tr_pulse_end(tr_seat *seat);

#endif /* TESSERA_RUNTIME_WATCH_PULSE_H */
