/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What trials of the walk share: how they begin, go around, and end. It knows ops and prices; it
 * must not know what is tried. */
#ifndef TESSERA_PLUGIN_SOLVE_WALK_TRIAL_H
#define TESSERA_PLUGIN_SOLVE_WALK_TRIAL_H

#include "solve/candidates.h"
#include "solve/walk.h"

enum { TS_TRIAL_USERS = 12 }; /* of a value that are looked at */

/* Nothing is changed, and nobody waits. */
void ts_trial_begin(ts_walk *w);
/* Keeps what the op is before the trial; false if there is no room. */
bool ts_trial_save(ts_walk *w, ts_op *op);
void ts_trial_restore(const ts_walk_saved *saved);
/* Has the op look again at how it splits its loops, twice in a trial at most. */
void ts_trial_await(ts_walk *w, ts_op *op);
/* Has all who wait respond, as long as there are any. Returns by how much the price changes. */
double ts_trial_respond(ts_walk *w);
/* What has changed stays if the price, by which it has changed, is less than what was paid `before`
 * by enough; or all is as it was. Whether it stays. */
bool ts_trial_end(ts_walk *w, double price, double before);
/* Adds the ways to split the op's loops for the layouts in which others have the values at it. */
void ts_trial_candidates(ts_walk *w, const ts_op *op, ts_candidates *out);

#endif /* TESSERA_PLUGIN_SOLVE_WALK_TRIAL_H */
