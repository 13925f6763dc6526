/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Building an op's description: its ports, loops and their extents. It must not know any op. */
#include "rules/build_loops.h"

#include <string.h>

#include "ir/element_types.h"
#include "mlir-c/BuiltinTypes.h"

const int64_t *ts_shape_of(ts_arena *arena, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(arena, int64_t, rank);
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = mlirShapedTypeIsDynamicDim(type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
  return shape;
}

static bool init_port(ts_arena *arena, MlirType type, ts_port *port, const char **reason) {
  if (mlirTypeIsAUnrankedTensor(type)) {
    *reason = "it has a tensor without a rank";
    return false;
  }
  if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)) {
    *reason = "it has a memref among its operands";
    return false;
  }
  if (!mlirTypeIsARankedTensor(type))
    return true;
  port->is_tensor = true;
  port->rank = (int)mlirShapedTypeGetRank(type);
  port->dims = TS_NEW(arena, ts_dim_loops, port->rank);
  return true;
}

void ts_add_remark(ts_arena *arena, const char **remark, const char *what, int number,
                   MlirOperation op, const char *why) {
  const char *line = ts_arena_format(arena, "%s %d of '%s' stays whole on every device: ", what,
                                     number, ts_op_name(op));
  if (!*remark)
    *remark = ts_arena_format(arena, "%s%s", line, why);
  else if (!strstr(*remark, line))
    *remark = ts_arena_format(arena, "%s\n%s%s", *remark, line, why);
}

bool ts_ports_init(ts_arena *arena, MlirOperation op, int max_loops, ts_op_loops *out,
                   const char **reason) {
  int num_operands = (int)mlirOperationGetNumOperands(op);
  int num_results = (int)mlirOperationGetNumResults(op);
  *out = (ts_op_loops){.loops = TS_NEW(arena, ts_loop, max_loops),
                       .num_operands = num_operands,
                       .operands = TS_NEW(arena, ts_port, num_operands),
                       .num_results = num_results,
                       .results = TS_NEW(arena, ts_port, num_results),
                       .result_reduction = TS_NEW(arena, ts_reduction, num_results),
                       .result_init = TS_NEW(arena, int, num_results),
                       .init_is_read = TS_NEW(arena, bool, num_results),
                       .terms = TS_NEW(arena, ts_terms, num_results)};
  for (int i = 0; i < num_operands; i++)
    if (!init_port(arena, mlirValueGetType(mlirOperationGetOperand(op, i)), &out->operands[i],
                   reason))
      return false;
  for (int r = 0; r < num_results; r++) {
    out->result_init[r] = -1;
    if (!init_port(arena, mlirValueGetType(mlirOperationGetResult(op, r)), &out->results[r],
                   reason))
      return false;
  }
  return true;
}

bool ts_ports_add_captured(ts_arena *arena, const ts_captured *captured, int max_loops,
                           ts_op_loops *out, const char **reason) {
  int own = out->num_operands;
  ts_port *ports = TS_NEW(arena, ts_port, own + captured->num);
  if (own)
    memcpy(ports, out->operands, sizeof(*ports) * (size_t)own);
  for (int k = 0; k < captured->num; k++) {
    if (!init_port(arena, mlirValueGetType(captured->values[k]), &ports[own + k], reason))
      return false;
    max_loops += ports[own + k].rank;
  }
  out->operands = ports;
  out->num_operands = own + captured->num;
  out->loops = TS_NEW(arena, ts_loop, max_loops);
  return true;
}

int ts_ports_add_loop(ts_op_loops *out, ts_loop_kind kind, int64_t size) {
  out->loops[out->num_loops] = (ts_loop){.kind = kind, .size = size};
  return out->num_loops++;
}

static void set_dim(ts_arena *arena, ts_port *port, int d, ts_dim_loops dim) {
  ts_dim_loops *dims = ts_arena_copy(arena, port->dims, sizeof(*dims) * (size_t)port->rank);
  dims[d] = dim;
  port->dims = dims;
}

void ts_ports_follow_all(ts_arena *arena, ts_port *port, int d, int num_loops, const int *loops) {
  loops = ts_arena_copy(arena, loops, sizeof(*loops) * (size_t)num_loops);
  set_dim(arena, port, d, (ts_dim_loops){.num_loops = num_loops, .loops = loops});
}

void ts_ports_window(ts_arena *arena, ts_port *port, int d, const ts_window *window) {
  set_dim(arena, port, d, (ts_dim_loops){.window = window});
}

bool ts_port_is_along(const ts_port *port, int loop) {
  for (int d = 0; d < port->rank; d++) {
    const ts_dim_loops *dim = &port->dims[d];
    if (dim->window && dim->window->leader == loop + 1)
      return true;
    for (int i = 0; i < dim->num_loops; i++)
      if (dim->loops[i] == loop)
        return true;
  }
  return false;
}

void ts_ports_follow(ts_arena *arena, ts_op_loops *out, ts_port *port, int d, int loop,
                     int64_t extent) {
  ts_ports_follow_all(arena, port, d, 1, &loop);
  if (out->loops[loop].size == TS_DYNAMIC)
    out->loops[loop].size = extent;
}

void ts_terms_copy(ts_op_loops *out, int r, int i) {
  out->terms[r] = (ts_terms){.kind = TS_REDUCTION_NONE, .num_terms = 1};
  out->terms[r].sets[0] = UINT32_C(1) << i;
}

ts_reduction ts_kind_of_parts(MlirType element) {
  bool is_bit = mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
  ts_reduction kind = is_bit ? TS_OR : TS_SUM;
  bool known = ts_reduction_has_meaning(kind, ts_dtype(element)) &&
               !mlirAttributeIsNull(ts_neutral_element(kind, element));
  return known ? kind : TS_REDUCTION_NONE;
}

bool ts_may_be_empty(const ts_grid *grid, const ts_dim *dim) {
  for (int f = 0; f < dim->num_factors; f++) {
    const ts_factor *factor = &dim->factors[f];
    int64_t shards = ts_factor_shards(grid, factor);
    if (factor->size == TS_DYNAMIC || shards == TS_DYNAMIC || factor->size < shards)
      return true;
  }
  return false;
}

MlirValue ts_emit_at_least_one(ts_emit *emit, MlirValue piece, const bool *dims) {
  MlirType type = mlirValueGetType(piece);
  intptr_t rank = mlirShapedTypeGetRank(type), num = 0;
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *offsets = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *roomy = TS_NEW(emit->arena, MlirValue, rank);
  bool grows = false;
  for (intptr_t d = 0; d < rank; d++)
    grows |= dims[d];
  for (intptr_t d = 0; grows && d < rank; d++) {
    bool is_known = !dims[d] && !mlirShapedTypeIsDynamicDim(type, d);
    shape[d] = is_known ? mlirShapedTypeGetDimSize(type, d) : TS_DYNAMIC;
    sizes[d] = ts_emit_tensor_size(emit, piece, (int)d);
    offsets[d] = ts_emit_index(emit, 0);
    if (!is_known)
      roomy[num++] = dims[d] ? ts_emit_max(emit, sizes[d], ts_emit_index(emit, 1)) : sizes[d];
  }
  if (!grows)
    return piece;
  MlirType into = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirRankedTensorTypeGetEncoding(type));
  return ts_emit_insert_slice(emit, piece, ts_emit_empty(emit, into, num, roomy), offsets, sizes);
}

MlirOperation ts_clone_here(ts_emit *emit, MlirOperation op) {
  MlirOperation clone = mlirOperationClone(op);
  ts_maker place = ts_emit_place(emit);
  ts_insert(&place, clone);
  return clone;
}

bool ts_run_on_pieces(const ts_localize *context, MlirValue *results) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(context->op); i++)
    mlirOperationSetOperand(context->op, i, context->operands[i]);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(context->op); r++)
    mlirValueSetType(results[r], context->result_types[r]);
  return true;
}
