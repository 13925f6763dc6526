/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops with rules on this device's pieces, and views of them. It knows what a rule is given; it must
 * not know any op. */
#include "mlir-c/BuiltinTypes.h"
#include "partition/apply.h"
#include "partition/extents.h"
#include "partition/late_reads.h"
#include "partition/pieces.h"
#include "partition/reasons.h"
#include "rules/build_loops.h"
#include "solve/views.h"

bool ts_op_is_view(const ts_op *op) {
  return op->kind == TS_OP_RULE && op->num_results == 1 && op->results[0] &&
         op->results[0]->is_view;
}

/* For each operand and each of its dimensions what is read of it, if it is cut to that. */
static const ts_ranges **ranges_read(ts_partitioner *p, const ts_op *op) {
  ts_arena *arena = p->model->arena;
  const ts_ranges **reads = TS_NEW(arena, const ts_ranges *, op->num_operands);
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i])
      continue;
    ts_ranges *read = TS_NEW(arena, ts_ranges, op->operands[i]->rank);
    for (int d = 0; d < op->operands[i]->rank; d++)
      read[d] = ts_read_by(p->model, op, op->sharding, i, d, op->required[i]);
    reads[i] = read;
  }
  return reads;
}

/* The same of what only the launch knows, once that is fetched. */
static ts_local_range **ranges_fetched(ts_partitioner *p, const ts_op *op) {
  ts_arena *arena = p->model->arena;
  ts_local_range **late = TS_NEW(arena, ts_local_range *, op->num_operands);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      late[i] = TS_NEW(arena, ts_local_range, op->operands[i]->rank);
  return late;
}

static bool local_operands(ts_partitioner *p, const ts_op *op, const ts_ranges *const *reads,
                           ts_local_range **late, MlirValue *operands) {
  for (int i = 0; i < op->num_operands; i++) {
    MlirValue operand = ts_op_operand(op, i);
    operands[i] = operand;
    if (!op->operands[i])
      continue;
    operands[i] =
        ts_is_bare_destination(op, i)
            ? ts_piece_or_fresh(p, op->operands[i], operand, op->required[i], op->handle)
            : ts_fetch_late(p, op, i, (ts_ask){.layout = op->required[i], .read = reads[i]},
                            late[i]);
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  return true;
}

/* `results` are the op's own, and stay so if the op stays. */
static bool localize(ts_partitioner *p, const ts_op *op, const ts_ranges *const *reads,
                     const ts_local_range *const *late, const MlirValue *operands, MlirType *types,
                     MlirValue *results) {
  ts_arena *arena = &p->model->scratch;
  MlirType *globals = TS_NEW(arena, MlirType, op->num_results);
  for (int r = 0; r < op->num_results; r++)
    globals[r] = mlirValueGetType(mlirOperationGetResult(op->handle, r));
  ts_loop_asker asker = {p, op};
  ts_localize context = {.emit = &p->emit,
                         .op = op->handle,
                         .loops = op->loops,
                         .loop_sharding = op->sharding,
                         .loop_extents = ts_loop_extents(&asker),
                         .operands = operands,
                         .operand_layouts = op->required,
                         .result_layouts = op->natural,
                         .result_types = types,
                         .global_types = globals,
                         .reads = reads,
                         .late = late};
  ts_emit_before(&p->emit, op->handle);
  ts_say_why_told(p, op);
  if (!op->rule->localize(&context, results))
    return false;
  if (op->num_results && mlirOperationEqual(mlirOpResultGetOwner(results[0]), op->handle))
    return true;
  ts_erase_later(p, op->handle);
  for (int r = 0; r < op->num_results; r++)
    if (!op->results[r])
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op->handle, r), results[r]);
  return true;
}

/* Whether no device has any element of what the op makes here, though the program does, as far as
 * extents are known. */
static bool makes_nothing(const ts_op *op, const MlirType *types) {
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r] || !ts_has_no_elements(types[r]))
      return false;
    MlirType whole = op->results[r]->type;
    if (!mlirShapedTypeHasStaticShape(whole) || ts_has_no_elements(whole))
      return false;
  }
  return op->num_results > 0;
}

/* Then nothing is computed: not every op takes tensors without elements. */
static bool make_nothing(ts_partitioner *p, const ts_op *op, const MlirValue *originals,
                         MlirValue *results) {
  ts_erase_later(p, op->handle);
  for (int r = 0; r < op->num_results; r++) {
    results[r] = ts_fresh_piece(p, op->results[r], originals[r], op->natural[r], op->handle);
    if (mlirValueIsNull(results[r]))
      return false;
  }
  return true;
}

static bool compute(ts_partitioner *p, const ts_op *op, MlirType *types, MlirValue *results) {
  MlirValue *operands = TS_NEW(p->model->arena, MlirValue, op->num_operands);
  const ts_ranges *const *reads = ranges_read(p, op);
  ts_local_range **late = ranges_fetched(p, op);
  return local_operands(p, op, reads, late, operands) &&
         localize(p, op, reads, (const ts_local_range *const *)late, operands, types, results);
}

/* `op` stands for `source` in the program. */
bool ts_apply_rule(ts_partitioner *p, const ts_op *op, MlirOperation source) {
  ts_arena *arena = p->model->arena;
  MlirValue *results = TS_NEW(arena, MlirValue, op->num_results);
  MlirValue *originals = TS_NEW(arena, MlirValue, op->num_results);
  MlirType *types = TS_NEW(arena, MlirType, op->num_results);
  for (int r = 0; r < op->num_results; r++) {
    originals[r] = mlirOperationGetResult(source, r);
    results[r] = mlirOperationGetResult(op->handle, r);
    types[r] = op->results[r] ? ts_local_type(op->natural[r], op->results[r]->type)
                              : mlirValueGetType(results[r]);
  }
  bool good = makes_nothing(op, types) ? make_nothing(p, op, originals, results)
                                       : compute(p, op, types, results);
  for (int r = 0; good && r < op->num_results; r++)
    if (op->results[r])
      ts_set_piece(p, op->results[r], originals[r], results[r], op->natural[r]);
  return good;
}

/* A piece of a view is made at its op, of what the op reads for that piece. */
bool ts_apply_view(ts_partitioner *p, const ts_op *op, const ts_loop_sharding *loops,
                   const ts_sharding *layout) {
  ts_op piece = *op;
  ts_place place = ts_emit_place(&p->emit);
  MlirOperation current = p->current;
  const ts_op *current_op = p->current_op;
  ts_emit_before(&p->emit, op->handle);
  piece.handle = ts_clone_here(&p->emit, op->handle);
  piece.sharding = loops;
  piece.natural = ts_arena_copy(p->model->arena, &layout, sizeof(const ts_sharding *));
  piece.required = TS_NEW(p->model->arena, const ts_sharding *, op->num_operands);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      piece.required[i] = ts_asked_by(p->model->arena, op, loops, i);
  p->current = piece.handle; /* what is brought for it comes before it */
  p->current_op = op;
  bool ok = ts_apply_rule(p, &piece, op->handle);
  p->current = current;
  p->current_op = current_op;
  ts_place_back(&p->emit, place);
  return ok;
}
