/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The rows of the table of collectives, and what can be said of a row alone. Must not touch an
 * op, so that the planner of resharding is there without MLIR. It knows names and numbers. */
#include "collectives/collectives.h"

#include <stdlib.h>
#include <string.h>

// clang-format off
const ts_collective ts_collectives[] = {
    {"shard.all_gather", TESSERA_SITE_ALL_GATHER, "all_gather",
     .agrees = true, .joins = "gather_axis", .receives = TS_RECEIVES_LACKING,
     .combines = TS_COMBINES_PIECES},
    {"shard.all_reduce", TESSERA_SITE_ALL_REDUCE, "all_reduce",
     .agrees = true, .reduces = true, .memory = TS_RESULT_OVER_DEAD_INPUT, .receives = TS_RECEIVES_INPUT_TWICE,
     .combines = TS_COMBINES_ELEMENTS},
    {"shard.all_slice", TESSERA_SITE_ALL_SLICE, "all_slice",
     .cuts = "slice_axis", .receives = TS_RECEIVES_NOTHING},
    {"shard.all_to_all", TESSERA_SITE_ALL_TO_ALL, "all_to_all",
     .pairs = true, .joins = "concat_axis", .cuts = "split_axis", .receives = TS_RECEIVES_LACKING},
    {"shard.broadcast", TESSERA_SITE_BROADCAST, "broadcast",
     .agrees = true, .words = TS_MEMBER_WORDS, .words_in = "root", .extents = TS_EXTENTS_OF_ROOT,
     .memory = TS_RESULT_OVER_DEAD_INPUT, .receives = TS_RECEIVES_LACKING,
     .combines = TS_COMBINES_ELEMENTS},
    {"shard.gather", TESSERA_SITE_GATHER, "gather",
     .joins = "gather_axis", .words = TS_MEMBER_WORDS, .words_in = "root",
     .receives = TS_RECEIVES_LACKING},
    {"shard.recv", TESSERA_SITE_RECV, "recv",
     .words = TS_MEMBER_WORDS, .words_in = "source", .passes = TS_PASSES_RESULT,
     .forms = TS_BLOCKS_ALONE, .receives = TS_RECEIVES_LACKING},
    {"shard.reduce", TESSERA_SITE_REDUCE, "reduce",
     .reduces = true, .words = TS_MEMBER_WORDS, .words_in = "root",
     .receives = TS_RECEIVES_ALL_INPUTS,
     .combines = TS_COMBINES_ELEMENTS},
    {"shard.reduce_scatter", TESSERA_SITE_REDUCE_SCATTER, "reduce_scatter",
     .reduces = true, .cuts = "scatter_axis", .receives = TS_RECEIVES_INPUT_ONCE,
     .combines = TS_COMBINES_PIECES},
    {"shard.scatter", TESSERA_SITE_SCATTER, "scatter",
     .cuts = "scatter_axis", .words = TS_MEMBER_WORDS, .words_in = "root",
     .extents = TS_EXTENTS_OF_ROOT, .receives = TS_RECEIVES_LACKING},
    {"shard.send", TESSERA_SITE_SEND, "send",
     .words = TS_MEMBER_WORDS, .words_in = "destination", .memory = TS_RESULT_OVER_INPUT,
     .passes = TS_PASSES_INPUT, .forms = TS_BLOCKS_ALONE, .receives = TS_RECEIVES_NOTHING},
    {"shard.shift", TESSERA_SITE_SHIFT, "shift",
     .pairs = true, .along = "shift_axis", .memory = TS_RESULT_OVER_DEAD_INPUT, .receives = TS_RECEIVES_LACKING,
     .combines = TS_COMBINES_ELEMENTS},
    {"shard.update_halo", TESSERA_SITE_UPDATE_HALO, "update_halo",
     .group = TS_GROUP_OF_SPLITS, .pairs = true, .words = TS_HALO_WORDS, .words_in = "static_halo_sizes",
     .memory = TS_RESULT_OVER_INPUT, .passes = TS_PASSES_INPUT, .receives = TS_RECEIVES_LACKING},
    {"tessera.all_gather", TESSERA_SITE_ALL_GATHER, "all_gather",
     .agrees = true, .joins = "gather_axis", .extents = TS_EXTENTS_GIVEN, .receives = TS_RECEIVES_LACKING},
    {"tessera.all_slice", TESSERA_SITE_ALL_SLICE, "all_slice",
     .cuts = "slice_axis", .extents = TS_EXTENTS_GIVEN, .receives = TS_RECEIVES_NOTHING},
    {"tessera.all_to_all", TESSERA_SITE_ALL_TO_ALL, "all_to_all",
     .pairs = true, .joins = "concat_axis", .cuts = "split_axis", .extents = TS_EXTENTS_GIVEN,
     .receives = TS_RECEIVES_LACKING},
    {"tessera.exchange", TESSERA_SITE_EXCHANGE, "exchange",
     .group = TS_GROUP_OF_LAYOUTS, .pairs = true, .words = TS_LAYOUT_WORDS, .extents = TS_EXTENTS_GIVEN,
     .receives = TS_RECEIVES_LACKING},
    {"tessera.reduce_scatter", TESSERA_SITE_REDUCE_SCATTER, "reduce_scatter",
     .reduces = true, .cuts = "scatter_axis", .extents = TS_EXTENTS_GIVEN,
     .receives = TS_RECEIVES_INPUT_ONCE},
};
// clang-format on
const int ts_num_collectives = sizeof(ts_collectives) / sizeof(ts_collectives[0]);

static int compare(const void *op, const void *row) {
  return strcmp(op, ((const ts_collective *)row)->op);
}

const ts_collective *ts_collective_named(const char *op) {
  return bsearch(op, ts_collectives, (size_t)ts_num_collectives, sizeof(ts_collectives[0]),
                 compare);
}

const ts_collective *ts_collective_find(tessera_site_kind kind, ts_result_extents extents) {
  for (int i = 0; i < ts_num_collectives; i++)
    if (ts_collectives[i].kind == kind && ts_collectives[i].extents == extents)
      return &ts_collectives[i];
  return NULL;
}

double ts_collective_received(const ts_collective *row, double devices, double input,
                              double lacking) {
  double others = devices > 0 ? (devices - 1) / devices : 1; /* their part of the group */
  switch (row->receives) {
  case TS_RECEIVES_NOTHING:
    return 0;
  case TS_RECEIVES_LACKING:
    return lacking;
  case TS_RECEIVES_INPUT_ONCE:
    return input * others;
  case TS_RECEIVES_INPUT_TWICE:
    return 2 * input * others;
  case TS_RECEIVES_ALL_INPUTS:
    return input * (devices > 0 ? devices - 1 : 1);
  }
  return 0;
}
