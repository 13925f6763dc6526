/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of tessera-lower: their order, and running them. It knows which stage needs which; it
 * must not know how any works. */
#include "lowering/stages.h"

#include <string.h>

#include "ir/build.h"
#include "ir/ranks.h"
#include "lowering/calls/allocations.h"
#include "lowering/calls/asserts.h"
#include "lowering/calls/bufferize_collectives.h"
#include "lowering/calls/conv.h"
#include "lowering/calls/divisions.h"
#include "lowering/calls/gemm.h"
#include "lowering/calls/queries.h"
#include "lowering/calls/together.h"
#include "lowering/entries/function_names.h"
#include "lowering/entries/merged.h"
#include "lowering/entries/program_record.h"
#include "lowering/kernels/kernel.h"
#include "lowering/memory/accumulated.h"
#include "lowering/memory/donated.h"
#include "lowering/memory/offsets.h"
#include "lowering/memory/overwritten.h"
#include "lowering/memory/plain.h"
#include "lowering/memory/recomputed.h"
#include "lowering/memory/reuse.h"
#include "lowering/prepare/broadcasts.h"
#include "lowering/prepare/concats.h"
#include "lowering/prepare/contractions.h"
#include "lowering/prepare/cuts.h"
#include "lowering/prepare/destinations.h"
#include "lowering/prepare/fills.h"
#include "lowering/prepare/indexed.h"
#include "lowering/prepare/joined.h"
#include "lowering/prepare/leftovers.h"
#include "lowering/prepare/product_order.h"
#include "lowering/prepare/scalars.h"
#include "lowering/prepare/sliced.h"
#include "lowering/targets/target.h"
#include "lowering/workarounds/accumulators.h"
#include "lowering/workarounds/cast_copies.h"
#include "lowering/workarounds/choices.h"
#include "lowering/workarounds/constants.h"
#include "lowering/workarounds/dynamic_reshapes.h"
#include "lowering/workarounds/empties.h"
#include "lowering/workarounds/loop_yields.h"
#include "lowering/workarounds/own_destinations.h"
#include "lowering/workarounds/padded_reshapes.h"
#include "lowering/workarounds/partial_writes.h"
#include "lowering/workarounds/strided_copies.h"
#include "lowering/workarounds/subviews.h"
#include "lowering/workarounds/switches.h"
#include "sharding/unverified.h"
#include "structured/structured.h"
#include "workarounds/constant_folds.h"
#include "workarounds/expanded_types.h"
#include "workarounds/unit_dims.h"

/* ---- whether there is anything to do --------------------------------------------------------- */

static void note_blocks(MlirOperation op, void *user) {
  bool *found = user;
  if (ts_op_is(op, "func.func") || ts_op_is(op, "scf.execute_region")) {
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    *found |= entry.ptr && mlirBlockGetNextInRegion(entry).ptr;
  }
}

static bool has_blocks(const ts_lowering *lowering) {
  bool found = false;
  ts_each_op(lowering->module, note_blocks, &found);
  return found;
}

static void note_tosa(MlirOperation op, void *user) {
  bool *found = user;
  *found |= strncmp(ts_op_name(op), "tosa.", 5) == 0;
}

static bool has_tosa(const ts_lowering *lowering) {
  bool found = false;
  ts_each_op(lowering->module, note_tosa, &found);
  return found;
}

/* A device that adds to products by itself does so without writing over what it adds. */
static bool may_accumulate(const ts_lowering *lowering) {
  return lowering->options.reassociate && !lowering->target->adds_to_products;
}

static bool may_share_memory(const ts_lowering *lowering) {
  return lowering->options.share;
}

/* ---- stages on the tables -------------------------------------------------------------------- */

static bool check(MlirOperation module) {
  return ts_shard_ops_check(module) && ts_names_check(module) && ts_leftovers_check(module) &&
         ts_check_ranks(module) && ts_leftovers_check_types(module) &&
         ts_sites_check_reductions(module);
}

static bool call_on_memory(ts_lowering *lowering) {
  ts_records_init(&lowering->records, lowering->arena, lowering->module);
  ts_wrappers_init(&lowering->wrappers, lowering->arena, lowering->module);
  if (!ts_sites_init(&lowering->sites, &lowering->records) ||
      !ts_sites_create_on_memory(&lowering->sites))
    return false;
  ts_collectives_call_on_memory(&lowering->sites, &lowering->wrappers);
  return true;
}

static bool cut_pieces(ts_lowering *lowering) {
  ts_cuts_to_slices(&lowering->sites);
  return true;
}

static bool lower_indexed(ts_lowering *lowering) {
  ts_indexed_lower(&lowering->sites, &lowering->wrappers);
  return true;
}

static bool create_sites(ts_lowering *lowering) {
  return ts_sites_create(&lowering->sites);
}

static bool lower_queries(ts_lowering *lowering) {
  if (!ts_queries_lower(&lowering->sites, &lowering->wrappers))
    return false;
  ts_collectives_prepare(&lowering->sites, &lowering->wrappers);
  return true;
}

/* What still names the grids where nothing is bufferized is upstream's to lower or drop, and the
 * grids with it. */
static bool hide_grids(ts_lowering *lowering) {
  const ts_grids *grids = &lowering->sites.grids;
  for (int g = 0; g < grids->num; g++)
    mlirOperationSetAttributeByName(grids->ops[g], mlirStringRefCreateFromCString("sym_visibility"),
                                    ts_text_attribute(lowering->records.context, "private"));
  return true;
}

static bool collect_entries(ts_lowering *lowering) {
  return ts_entries_collect(&lowering->entries, &lowering->sites, &lowering->options.entries);
}

static bool hand_over_results(ts_lowering *lowering) {
  ts_memory_hand_over(&lowering->entries, &lowering->records);
  return true;
}

static bool free_plain(ts_lowering *lowering) {
  ts_memory_free_plain(&lowering->plain, lowering->arena, lowering->module);
  return true;
}

static bool restore_plain(ts_lowering *lowering) {
  ts_memory_restore_plain(&lowering->plain);
  return true;
}

static bool check_allocations(ts_lowering *lowering) {
  return ts_allocations_check(&lowering->sites, &lowering->wrappers);
}

static bool lower_asserts(ts_lowering *lowering) {
  ts_asserts_lower(&lowering->sites, &lowering->wrappers);
  return true;
}

static bool check_divisions(ts_lowering *lowering) {
  ts_divisions_check(&lowering->sites, &lowering->wrappers);
  return true;
}

static bool call_gemm(ts_lowering *lowering) {
  const ts_lowering_options *options = &lowering->options;
  bool adds = lowering->target->adds_to_products && options->reassociate;
  const ts_activations activations = {.relu = options->lose_nan, .gelu = options->approximate};
  ts_gemm_lower(&lowering->sites, &lowering->wrappers, adds ? &activations : NULL);
  return true;
}

static bool call_conv(ts_lowering *lowering) {
  ts_conv_lower(&lowering->sites, &lowering->wrappers);
  return true;
}

static bool form_kernels(ts_lowering *lowering) {
  ts_kernels_form(lowering->module, lowering->target->kernels);
  return true;
}

static bool start_together(ts_lowering *lowering) {
  ts_calls_start_together(&lowering->wrappers);
  return true;
}

static bool place_allocations(ts_lowering *lowering) {
  ts_allocations_place(&lowering->sites, &lowering->wrappers);
  ts_wrappers_declare_alloc(&lowering->wrappers);
  return true;
}

static bool pack_entries(ts_lowering *lowering) {
  ts_entries_pack(&lowering->entries, &lowering->records);
  return true;
}

static bool merge_entries(ts_lowering *lowering) {
  ts_entries_merge(&lowering->entries, &lowering->records);
  return true;
}

/* The grids are in the records by then. */
static bool record_program(ts_lowering *lowering) {
  ts_program_record(&lowering->sites, &lowering->entries);
  for (int g = 0; g < lowering->sites.grids.num; g++)
    mlirOperationDestroy(lowering->sites.grids.ops[g]);
  return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* clang-format off */
static const ts_stage stages[] = {
    {"check", "errors at what no stage could lower", .attempt = check, .part = TS_EITHER},
    {"function-names", "functions get names that no library has", .rewrite = ts_names_set_apart},
    /* Upstream says that collectives on memory have no effects: before any pass believes it. */
    {"memory-collectives", "collectives on memory as runtime calls", .run = call_on_memory,
     .part = TS_EITHER},

    /* Tensors: what is easier before there is memory. */
    {"keep-unit-dims", "slices keep sizes 1 that upstream would mix up",
     .rewrite = ts_unit_dims_keep},
    {"spell-views", "views of memory without such sizes as casts",
     .rewrite = ts_subviews_spell},
    {"expanded-types", "the types of expansions say the extents that these list",
     .rewrite = ts_expanded_types_say},
    /* Upstream folds a pad whose widths come to nothing to its source: before anything is folded. */
    {"negative-pads", "pads by negative widths as slices, and pads by the others",
     .rewrite = ts_structure_negative_pads},
    /* Upstream folds an op whose operands are all indexed alike, and that yields an input, to that. */
    {"copied-diagonals", "copies of a diagonal as ops on all elements",
     .rewrite = ts_structure_copied_diagonals},
    {"constant-folds", "constants of run-time shape that upstream would fold wrongly",
     .rewrite = ts_folds_to_loops},
    {"blocks", "branches between blocks as scf, which deallocation knows",
     .passes = "func.func(lift-cf-to-scf,canonicalize)", .needed = has_blocks},
    {"destinations", "values materialized in a destination are fresh ones",
     .rewrite = ts_destinations_drop},
    {"tosa", "tosa as linalg, tensor, arith and scf",
     .passes = "func.func(tosa-to-scf,tosa-optional-decompositions,canonicalize,"
               "tosa-make-broadcastable,tosa-to-linalg-named,canonicalize,"
               "tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,"
               "tosa-to-tensor,tosa-to-arith{include-apply-rescale=1})",
     .needed = has_tosa},
    {"reshapes", "reshapes to listed extents as merged and split dimensions",
     .rewrite = ts_structure_reshapes},
    {"parallel-loops", "parallel loops that build tensors as loops that carry them",
     .rewrite = ts_structure_foralls},
    {"choices", "selects between tensors of run-time shape as branches",
     .rewrite = ts_choices_branch},
    {"switches", "switches that give tensors as branches", .rewrite = ts_switches_branch},
    {"cuts", "pieces of what every device has as views of it", .run = cut_pieces},
    {"indexed", "gathers and scatters as elements and loops", .run = lower_indexed},
    {"tensor-bitcasts", "bitcasts of tensors as loops over elements",
     .rewrite = ts_scalars_spell_tensor_bitcasts},
    {"aggregates", "softmax, attention and the like as structured ops",
     .attempt = ts_decompose_aggregates},
    {"elementwise", "elementwise ops as linalg",
     .passes = "func.func(convert-elementwise-to-linalg,canonicalize,cse)"},
    {"sliced", "what is only looked at through slices is made as these",
     .rewrite = ts_sliced_narrow},
    {"hide-products", "products for the runtime are kept out of fusion",
     .rewrite = ts_contractions_hide},
    {"accumulators", "initial values that fusion would update too often become inputs",
     .rewrite = ts_accumulators_to_inputs},
    {"mark-partial-writes", "destinations that are written in part are read",
     .rewrite = ts_partial_writes_mark},
    {"broadcasts", "each reader of a broadcast value has its own", .rewrite = ts_broadcasts_split},
    {"keep-padded-reshapes", "reshapes stay behind pads of run-time extents",
     .rewrite = ts_padded_reshapes_keep},
    {"folded-expansions", "the types of expansions say the extents that folding has found",
     .rewrite = ts_expanded_types_say},
    {"fuse", "elementwise chains as one loop nest",
     .passes = "func.func(linalg-fuse-elementwise-ops,canonicalize,cse)"},
    {"free-padded-reshapes", "what kept these there is gone", .rewrite = ts_padded_reshapes_free},
    {"show-products", "those products as linalg.contract", .rewrite = ts_contractions_restore},
    {"order-products", "products come out in the order in which they are read",
     .rewrite = ts_products_order},
    {"concats", "concatenations as insertions", .rewrite = ts_concats_to_insertions},
    {"joined", "elementwise ops read what was put together where the pieces lie",
     .rewrite = ts_joined_split},
    {"poison", "poison tensors are empty ones", .attempt = ts_leftovers_empty_poison},
    {"empties", "tensors without elements in forms that bufferize", .rewrite = ts_empties_lower},
    {.slot = TS_ON_TENSORS},
    /* After the last cse of tensors, which makes one fill of all. */
    {"fills", "new tensors and fills for each op that starts from them", .rewrite = ts_fills_split},
    {"initial-constants", "large constants that are written over are fills",
     .rewrite = ts_fills_spell_constants},
    {"overwritten", "what loops write over as a whole needs no contents",
     .rewrite = ts_memory_skip_overwritten},
    /* After the last cse of tensors, which would undo it. */
    {"recomputed", "cheap values are computed again where that saves memory traffic",
     .rewrite = ts_memory_recompute},

    /* Calls: which op is which runtime call, and what the records say of it. */
    {"sites", "a record for each collective", .run = create_sites, .part = TS_EITHER},
    {"queries", "questions about the grid as runtime calls and constants", .run = lower_queries,
     .part = TS_EITHER},
    {"drop-unit-dims", "slices drop all sizes 1 or none", .rewrite = ts_unit_dims_drop,
     .part = TS_SITES_ONLY},
    {"spell-views", "views of memory without such sizes as casts",
     .rewrite = ts_subviews_spell, .part = TS_SITES_ONLY},
    {"hide-grids", "grids are private, so that upstream may drop them", .run = hide_grids,
     .part = TS_SITES_ONLY},
    {"entries", "entry functions are chosen, and their parameters recorded",
     .run = collect_entries},
    {"check-bufferizable", "errors at what has no form on memory",
     .attempt = ts_leftovers_check_bufferizable},

    /* Memory. Results are computed where an insertion puts them only if no reshape stands between:
     * so slices take their reshapes in first. */
    {"join-unit-dims", "slices and the reshapes beside them are one op again",
     .rewrite = ts_unit_dims_join_reshapes},
    {"part-own-destinations", "insertions look at no result of what gives what is inserted",
     .rewrite = ts_own_destinations_part},
    {"insertions", "results are computed where they are inserted",
     .passes = "eliminate-empty-tensors"},
    {"join-own-destinations", "they do again", .rewrite = ts_own_destinations_join},
    {"drop-unit-dims", "slices drop all sizes 1 or none", .rewrite = ts_unit_dims_drop},
    {"accumulated", "products are added to what ends there",
     .rewrite = ts_products_accumulate, .needed = may_accumulate},
    {"reuse", "elementwise results take the memory of an operand that ends there",
     .rewrite = ts_memory_reuse},
    {"copy-yields", "what loops yield in the memory of something else is copied",
     .rewrite = ts_loop_yields_copy},
    {"mark-views", "casts of the program are told from those of bufferization",
     .rewrite = ts_casts_mark},
    /* Identity layouts at function boundaries are what packed wrappers pass. No alignment is asked
     * for: libtessera aligns every block, and the code that would align it hides from LLVM where
     * the memory comes from. */
    {"bufferize", "tensors to memrefs",
     .passes = "func.func(empty-tensor-to-alloc-tensor),"
               "one-shot-bufferize{bufferize-function-boundaries=1 "
               "function-boundary-type-conversion=identity-layout-map "
               "allow-return-allocs-from-loops=1 buffer-alignment=0}"},
    {"order-constants", "constants of memory in the order of their uses",
     .rewrite = ts_constants_order},
    {"unmark-partial-writes", "what marked them is gone", .rewrite = ts_partial_writes_unmark},
    {"copy-casts", "casts of strided memory to contiguous memory are copies",
     .rewrite = ts_casts_copy},
    {"simplify-memory", "what bufferization left that nobody needs", .passes = "canonicalize,cse"},
    /* Deallocation would copy what a function returns of an argument's memory. */
    {"donated", "results in the memory of donated arguments are not returned",
     .run = hand_over_results},
    {"free", "memory that ends with its block is freed", .run = free_plain},
    {"deallocate", "memory of other functions is freed",
     .passes = "buffer-deallocation-pipeline,canonicalize,cse,convert-bufferization-to-memref"},
    {"restore", "functions that need no more of that have their bodies again",
     .run = restore_plain},
    {"allocations", "sizes of memory are checked", .run = check_allocations},
    {"asserts", "assertions as runtime calls", .run = lower_asserts},
    {"divisions", "divisions without a result fail", .run = check_divisions},
    {.slot = TS_ON_MEMORY},
    {"strided-copies", "copies of strided memory as loops", .rewrite = ts_copies_lower},
    {"dynamic-reshapes", "reshapes of run-time extents as casts", .rewrite = ts_reshapes_lower},
    {"gemm", "products as runtime calls", .run = call_gemm},
    {"conv", "convolutions as runtime calls", .run = call_conv},
    {"kernels", "loop nests as functions of pointers, equal ones once", .run = form_kernels},
    {.slot = TS_ON_KERNELS},
    {"together", "messages that do not need each other are under way at once",
     .run = start_together},
    {"memory", "buffers that are not in use together share memory", .rewrite = ts_memory_plan,
     .needed = may_share_memory},

    /* The program: what callers and the runtime see of it. */
    {"allocator", "what memory is for, and what LLVM may know of it", .run = place_allocations},
    {"pack", "wrappers that callers use", .run = pack_entries},
    {.slot = TS_ON_PROGRAM},
    {"result-copies", "copies of run-time extents in wrappers as loops", .rewrite = ts_copies_lower},
    {"merge", "functions of many parameters are part of their wrappers", .run = merge_entries},
    {"program", "the record of the program", .run = record_program},
};
/* clang-format on */

const ts_stage *ts_stage_at(const ts_target *target, int i) {
  for (size_t row = 0; row < sizeof(stages) / sizeof(stages[0]); row++) {
    const ts_stage_list *own = &target->slots[stages[row].slot];
    int num = stages[row].slot == TS_NO_SLOT ? 1 : own->num;
    if (i < num)
      return stages[row].slot == TS_NO_SLOT ? &stages[row] : &own->stages[i];
    i -= num;
  }
  return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct stage_run {
  ts_lowering *lowering;
  const ts_stage *stage;
} stage_run;

static bool run_stage(ts_active_pass *step, void *user) {
  const stage_run *run = user;
  const ts_stage *stage = run->stage;
  if (stage->passes)
    return ts_run_pipeline(step, stage->passes);
  if (stage->attempt)
    return stage->attempt(run->lowering->module);
  if (stage->run)
    return stage->run(run->lowering);
  stage->rewrite(run->lowering->module);
  return true;
}

static bool is_part(const ts_stage *stage, const ts_lowering *lowering) {
  ts_part part = lowering->options.bufferize ? TS_TO_MEMORY : TS_SITES_ONLY;
  return (stage->part == TS_EITHER || stage->part == part) &&
         (!stage->needed || stage->needed(lowering));
}

bool ts_stages_run(ts_active_pass *pass, ts_lowering *lowering) {
  const ts_stage *stage;
  for (int i = 0; (stage = ts_stage_at(lowering->target, i)); i++) {
    stage_run run = {lowering, stage};
    if (is_part(stage, lowering) && !ts_run_step(pass, stage->name, run_stage, &run))
      return false;
  }
  return true;
}

void ts_stages_insert_dialects(const ts_target *target, MlirDialectRegistry registry) {
  const ts_stage *stage;
  for (int i = 0; (stage = ts_stage_at(target, i)); i++)
    if (stage->passes)
      ts_insert_pipeline_dialects(stage->passes, registry);
}
