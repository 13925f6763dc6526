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
/* Has `op` split its loops as a value is at one of its ports, if that splits any of them otherwise
 * and is no more work; adds the change of the price. Whether it does. */
bool ts_trial_follow(ts_walk *w, ts_op *op, const ts_value *value, const ts_sharding *layout,
                     double *price);
/* Adds the ways to split the op's loops for the layouts in which others have the values at it. */
void ts_trial_candidates(ts_walk *w, const ts_op *op, ts_candidates *out);

/* ---- walk_tied.c: what loops carry ------------------------------------------------------------
 */

typedef void ts_trial_given_fn(ts_walk *w, ts_value *given, void *user);

/* Calls `visit` for each value that becomes the one that is carried: the first one, which the loop
 * itself takes, and those that blocks end with. */
void ts_trial_each_given(ts_walk *w, const ts_value *tied, ts_trial_given_fn *visit, void *user);
/* What a block's end gives it, nobody says how it lies, and it is not carried partial. */
bool ts_trial_may_be_carried(const ts_value *tied);
/* As it is before a trial, with what there is to pay where a function returns it, once: where only
 * one layout may be returned. */
double ts_trial_price_of_returning(ts_walk *w, const ts_value *tied, const ts_sharding *layout);
/* It may, and lies as it did before the trial. */
bool ts_trial_may_carry(const ts_walk *w, const ts_value *tied, const ts_sharding *layout);
/* Carries it as `layout`. Returns by how much the price changes. */
double ts_trial_carry(ts_walk *w, ts_value *tied, const ts_sharding *layout);
/* What is carried otherwise in the trial stays so, or lies as it did. */
void ts_trial_end_carried(ts_walk *w, bool keeps);

#endif /* TESSERA_PLUGIN_SOLVE_WALK_TRIAL_H */
