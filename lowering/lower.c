/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-lower: its options and the order of its stages. Knows which stage needs which,
 * not how any works. */
#include "lower.h"

#include "accumulators.h"
#include "allocations.h"
#include "asserts.h"
#include "capi/capi.h"
#include "choices.h"
#include "contractions.h"
#include "copies.h"
#include "destinations.h"
#include "divisions.h"
#include "empties.h"
#include "entries.h"
#include "fills.h"
#include "folds.h"
#include "gemm.h"
#include "indexed.h"
#include "leftovers.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Bufferization.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Shape.h"
#include "mlir-c/Dialect/Shard.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/Tosa.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir-c/RegisterEverything.h"
#include "models.h"
#include "names.h"
#include "numerics.h"
#include "partial_writes.h"
#include "pipelines.h"
#include "program.h"
#include "queries.h"
#include "reshapes.h"
#include "scalars.h"
#include "sharding/unverified.h"
#include "slices.h"
#include "small_floats.h"

enum { OPTION_BUFFERIZE, OPTION_ENTRY, OPTION_ORACLE, OPTION_REASSOCIATE, OPTION_APPROXIMATE };

const ts_option_spec ts_lower_options[] = {
    [OPTION_BUFFERIZE] = {"bufferize",
                          "Lower all the way to memrefs and a program record (false: only make "
                          "sites, so that a later one-shot-bufferize emits the runtime calls)",
                          TS_OPTION_BOOL, "true"},
    [OPTION_ENTRY] = {"entry", "Entry functions, comma-separated (default: every public one)",
                      TS_OPTION_STRING, ""},
    [OPTION_ORACLE] = {"oracle",
                       "Functions without layouts are whole programs, not those of one device",
                       TS_OPTION_BOOL, "false"},
    [OPTION_REASSOCIATE] = {"reassociate",
                            "Let sums of floats be added in another order, so that they vectorize",
                            TS_OPTION_BOOL, "true"},
    [OPTION_APPROXIMATE] = {"approximate-math",
                            "Compute f32 exp, tanh, erf and the like by polynomials, which "
                            "vectorize, instead of libm calls",
                            TS_OPTION_BOOL, "true"},
};
const int ts_lower_num_options = sizeof ts_lower_options / sizeof ts_lower_options[0];

void ts_lower_register_dialects(MlirDialectRegistry registry) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__bufferization__(),
      mlirGetDialectHandle__cf__(),     mlirGetDialectHandle__complex__(),
      mlirGetDialectHandle__func__(),   mlirGetDialectHandle__index__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),   mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__shape__(),
      mlirGetDialectHandle__shard__(),  mlirGetDialectHandle__tensor__(),
      mlirGetDialectHandle__tosa__(),   mlirGetDialectHandle__ub__(),
      mlirGetDialectHandle__vector__(),
  };
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
    mlirDialectHandleInsertDialect(handles[i], registry);
  ts_decompose_register_dialects(registry);
  ts_attach_bufferize_models(registry, ts_bufferize_models, ts_num_bufferize_models);
}

/* ---- stages -----------------------------------------------------------------------------------
 */

static void note_blocks(MlirOperation op, void *user) {
  bool *found = user;
  if (ts_op_is(op, "func.func")) {
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    *found |= entry.ptr && mlirBlockGetNextInRegion(entry).ptr;
  }
}

static void note_tosa(MlirOperation op, void *user) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool *found = user;
  *found |= name.length > 5 && mlirStringRefEqual(mlirStringRefCreate(name.data, 5),
                                                  mlirStringRefCreateFromCString("tosa."));
}

/* Everything that is easier on tensors: tosa away, products recognised, chains fused. */
static bool prepare_tensors(MlirOperation module, const ts_option_value *options) {
  bool has_tosa = false, has_blocks = false;
  ts_slices_keep_dims(module);
  ts_slices_spell_views(module);
  ts_folds_to_splats(module);
  ts_each_op(module, note_blocks, &has_blocks);
  if (has_blocks && !ts_pipeline_run(module, ts_pipeline_blocks))
    return false;
  ts_destinations_drop(module);
  ts_each_op(module, note_tosa, &has_tosa);
  if (has_tosa && !ts_pipeline_run(module, ts_pipeline_tosa))
    return false;
  ts_choices_branch(module);
  ts_indexed_lower(module);
  ts_scalars_spell_tensor_bitcasts(module);
  if (!ts_decompose_aggregates(module) || !ts_pipeline_run(module, ts_pipeline_tensors))
    return false;
  ts_contractions_hide(module);
  ts_accumulators_to_inputs(module);
  ts_partial_writes_mark(module);
  if (!ts_pipeline_run(module, ts_pipeline_fuse))
    return false;
  ts_contractions_restore(module);
  if (!ts_small_floats_widen(module) || !ts_leftovers_check_floats(module) ||
      !ts_leftovers_empty_poison(module))
    return false;
  ts_empties_lower(module);
  ts_fills_split(module);
  ts_scalars_spell(module);
  ts_numerics_spell_maxima(module);
  if (options[OPTION_REASSOCIATE].boolean)
    ts_numerics_reassociate(module);
  return !options[OPTION_APPROXIMATE].boolean || ts_numerics_approximate(module);
}

/* The grids are in the records now. What still names them where nothing is bufferized is upstream's
 * to lower or drop, and the grids with it. */
static void hide_grids(const ts_sites *sites) {
  for (int g = 0; g < sites->grids.num; g++) {
    MlirOperation op = sites->grids.ops[g];
    mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("sym_visibility"),
                                    ts_text_attribute(mlirOperationGetContext(op), "private"));
  }
}

static void erase_grids(const ts_sites *sites) {
  for (int g = 0; g < sites->grids.num; g++)
    mlirOperationDestroy(sites->grids.ops[g]);
}

/* Results are computed where an insertion puts them only if no reshape stands between. */
static bool bufferize_tensors(MlirOperation module) {
  ts_slices_join_reshapes(module);
  if (!ts_pipeline_run(module, ts_pipeline_empty))
    return false;
  ts_slices_drop_ones(module);
  ts_copies_mark_views(module);
  if (!ts_pipeline_run(module, ts_pipeline_bufferize))
    return false;
  ts_partial_writes_unmark(module);
  ts_copies_for_casts(module);
  return true;
}

static bool lower(ts_arena *arena, MlirOperation module, const ts_option_value *options) {
  ts_records records;
  ts_wrappers wrappers;
  ts_sites sites;
  ts_entries entries;
  const ts_entry_options entry_options = {options[OPTION_ENTRY].string,
                                          options[OPTION_ORACLE].boolean};
  bool bufferize = options[OPTION_BUFFERIZE].boolean;
  if (!ts_shard_ops_check(module) || !ts_names_check(module) || !ts_leftovers_check(module) ||
      !ts_leftovers_check_types(module) || !ts_sites_check_reductions(module))
    return false;
  if (bufferize)
    ts_names_set_apart(module);
  ts_records_init(&records, arena, module);
  ts_wrappers_init(&wrappers, arena, module);
  /* Upstream says that collectives on memory have no effects: before any pass believes it. */
  if (!ts_sites_init(&sites, &records) || !ts_sites_create_on_memory(&sites))
    return false;
  ts_models_call_on_memory(&sites, &wrappers);
  if ((bufferize && !prepare_tensors(module, options)) || !ts_sites_create(&sites) ||
      !ts_queries_lower(&sites, &wrappers))
    return false;
  ts_models_prepare(&sites, &wrappers);
  if (!bufferize) {
    ts_slices_drop_ones(module);
    ts_slices_spell_views(module);
    hide_grids(&sites);
    return true;
  }
  if (!ts_entries_collect(&entries, &sites, &entry_options))
    return false;
  if (!ts_leftovers_check_bufferizable(module) || !bufferize_tensors(module))
    return false;
  if (!ts_pipeline_run(module, ts_pipeline_deallocate))
    return false;
  if (!ts_allocations_check(&sites, &wrappers))
    return false;
  ts_asserts_lower(&sites, &wrappers);
  ts_divisions_check(&sites, &wrappers);
  ts_small_floats_lower(&records);
  ts_copies_lower(module);
  ts_reshapes_lower(module);
  ts_gemm_lower(&sites, &wrappers);
  ts_numerics_call_expm1(module, &wrappers);
  ts_wrappers_declare_alloc(&wrappers);
  ts_entries_pack(&entries, &records);
  ts_program_record(&sites, &entries);
  erase_grids(&sites);
  return true;
}

bool ts_lower_run(MlirOperation module, const ts_option_value *options) {
  ts_arena arena = {0};
  bool good = lower(&arena, module, options);
  ts_arena_free(&arena);
  return good;
}
