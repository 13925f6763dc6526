/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops whose trips could be dealt out along axes that what they read, or build, is split along. It
 * knows what solutions say; it must not know whether that pays. */
#ifndef TESSERA_PLUGIN_PROPAGATE_DEALT_LOOPS_H
#define TESSERA_PLUGIN_PROPAGATE_DEALT_LOOPS_H

#include "model/model.h"

enum { TS_MOST_DEALS = 16 };

/* The axes, outermost first. */
typedef struct ts_deal {
  MlirOperation loop;
  int num_axes;
  int8_t axes[TS_MAX_AXES];
} ts_deal;

/* Whether some loop of `module`'s active functions, of `model`, could be dealt out at all. */
bool ts_may_deal(ts_model *model);
/* Ways to deal out loops of `model`, which is solved, in program order; the array in the arena.
 * Returns their number, TS_MOST_DEALS at most. */
int ts_find_deals(ts_arena *arena, ts_model *model, const ts_deal **deals);

/* Says in the module that the loop is dealt out so, or that it is not. */
void ts_write_deal(const ts_deal *deal);
void ts_drop_deal(const ts_deal *deal);
bool ts_is_dealt(MlirOperation loop);

/* Whether in `model`, solved so, the loop's body keeps to itself along these axes: nothing inside
 * is split along them but what trips have places in, and no message passes between devices of
 * different trips. */
bool ts_deal_holds(ts_model *model, const ts_deal *deal);

#endif /* TESSERA_PLUGIN_PROPAGATE_DEALT_LOOPS_H */
