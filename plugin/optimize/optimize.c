/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-optimize: which transformations there are, and their order. It must not know how
 * any works. */
#include "optimize/optimize.h"

#include "ir/ranks.h"
#include "mlir-c/BuiltinAttributes.h"

#include "passes.h"
#include "support/ir.h"

enum {
  EQUAL,
  INVERSES,
  CARRIED,
  REDUCTIONS,
  INVARIANT,
  BRANCHES,
  COMBINE,
  UNUSED,
  NUM_TRANSFORMATIONS,
  HOIST_BYTES = NUM_TRANSFORMATIONS,
  SMALL_BYTES,
  BUCKET_BYTES,
  NUM_OPTIONS
};

/* A message saved is worth some microseconds, packing costs two copies. Eight all-reduces as one
 * take a quarter of the time at 256 B each, a third at 4 KiB and nine tenths at 64 KiB; from 128
 * KiB on they take longer (threads of one machine). */
const ts_option_spec ts_optimize_options[] = {
    [EQUAL] = {"equal", "Do equal collectives once", TS_OPTION_BOOL, "true"},
    [INVERSES] = {"inverses", "Drop gathers of slices, and slices of gathers", TS_OPTION_BOOL,
                  "true"},
    [CARRIED] = {"carried", "Gather before or after loops what they gather and cut in each trip",
                 TS_OPTION_BOOL, "true"},
    [REDUCTIONS] = {"reductions", "Reduce and cut, or reduce and join, in one step", TS_OPTION_BOOL,
                    "true"},
    [INVARIANT] = {"invariant", "Do collectives that are the same in each trip before the loop",
                   TS_OPTION_BOOL, "true"},
    [BRANCHES] = {"branches", "Do collectives that one branch alone needs in that branch",
                  TS_OPTION_BOOL, "true"},
    [COMBINE] = {"combine", "Do small collectives that do not wait for each other in one message",
                 TS_OPTION_BOOL, "true"},
    [UNUSED] = {"unused", "Drop what nobody uses", TS_OPTION_BOOL, "true"},
    [HOIST_BYTES] = {"hoist-bytes", "The most bytes that a loop may keep from before it",
                     TS_OPTION_INT, "268435456"},
    [SMALL_BYTES] = {"small-bytes", "The most bytes of a tensor that may share a message",
                     TS_OPTION_INT, "65536"},
    [BUCKET_BYTES] = {"bucket-bytes", "The most bytes of a message that is shared", TS_OPTION_INT,
                      "1048576"},
};
const int ts_optimize_num_options = NUM_OPTIONS;

/* Equal ones first, so that a value has one gather and one slice to be cancelled; what became equal
 * by that is merged in the end, and combined last, because all others look at single collectives.
 */
static const struct {
  int option;
  ts_transform *run;
} steps[] = {
    {EQUAL, ts_merge_equal},           {INVERSES, ts_cancel_inverses},  {UNUSED, ts_drop_unused},
    {CARRIED, ts_carry_wanted},        {INVERSES, ts_cancel_inverses},  {UNUSED, ts_drop_unused},
    {REDUCTIONS, ts_join_reductions},  {INVARIANT, ts_hoist_invariant}, {EQUAL, ts_merge_equal},
    {BRANCHES, ts_sink_into_branches}, {COMBINE, ts_combine_small},     {UNUSED, ts_drop_unused},
};

static bool has_body(MlirOperation op) {
  return ts_op_is(op, "func.func") && ts_function_entry(op).ptr;
}

bool ts_optimize_run(MlirOperation module, const ts_option_value *options) {
  ts_arena names = {0}, arena = {0};
  ts_grids grids = {0};
  ts_plain plain;
  ts_plain_init(&plain, &names, module);
  bool ok = ts_check_ranks(module) && ts_grids_collect(&grids, &names, module);
  ts_optimizer optimizer = {.arena = &arena,
                            .grids = &grids,
                            .plain = &plain,
                            .hoisted_bytes = options[HOIST_BYTES].integer,
                            .small_bytes = options[SMALL_BYTES].integer,
                            .bucket_bytes = options[BUCKET_BYTES].integer};
  for (MlirOperation op = ok ? mlirBlockGetFirstOperation(ts_module_body(module))
                             : (MlirOperation){NULL};
       op.ptr; op = mlirOperationGetNextInBlock(op))
    for (size_t i = 0; has_body(op) && i < sizeof(steps) / sizeof(steps[0]); i++)
      if (options[steps[i].option].boolean) {
        steps[i].run(&optimizer, op);
        ts_arena_reset(&arena);
      }
  ts_arena_free(&arena);
  ts_arena_free(&names);
  return ok;
}
