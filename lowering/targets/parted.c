/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions that may be done in parts, as their loops. It knows maps of linalg ops; it must not
 * know which are worth it, nor how parts are made. */
#include "lowering/targets/parted.h"

#include "capi/capi.h"
#include "lowering/targets/combine.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- reading --------------------------------------------------------------------------------- */

bool ts_parted_combines(const ts_parted *r, int loop) {
  return ts_linalg_iterator(r->op, loop) != 0;
}

int64_t ts_parted_without_rest(int64_t extent, int64_t most) {
  for (int64_t fewer = most; fewer > most / 2; fewer--)
    if (extent % fewer == 0)
      return fewer;
  return most;
}

int ts_parted_loop(MlirAffineMap map, intptr_t d) {
  MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(expression) ? (int)mlirAffineDimExprGetPosition(expression) : -1;
}

static bool is_plain_tensor(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type));
}

static bool read_operand(ts_parted *r, int i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(r->op, i));
  MlirAffineMap map = ts_linalg_map(r->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  if (rank == 0 && i < r->nest.num_inputs)
    return true;
  if (!is_plain_tensor(type) || rank + 1 > TS_MAX_RANK)
    return false;
  for (intptr_t d = 0; d < rank; d++) {
    int loop = ts_parted_loop(map, d);
    if (loop < 0 || (i >= r->nest.num_inputs && ts_parted_combines(r, loop)))
      return false;
    r->extents[loop] = mlirShapedTypeGetDimSize(type, d);
  }
  return true;
}

static MlirWalkResult note_index(MlirOperation op, void *user) {
  bool *found = user;
  *found |= ts_op_is(op, "linalg.index");
  return MlirWalkResultAdvance;
}

static bool read_loops(ts_parted *r) {
  r->kept = r->combined = 1;
  for (int l = 0; l < r->num_loops; l++) {
    int64_t *total = ts_parted_combines(r, l) ? &r->combined : &r->kept;
    if (r->extents[l] < 1 || __builtin_mul_overflow(*total, r->extents[l], total))
      return false;
  }
  return true;
}

/* Elements of input `i` in its dimensions from `first` on. */
static int64_t elements(const ts_parted *r, int i, intptr_t first) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  int64_t number = 1;
  for (intptr_t d = first; d < mlirAffineMapGetNumResults(map); d++)
    number *= r->extents[ts_parted_loop(map, d)];
  return number;
}

static intptr_t rank_of(const ts_parted *r, int i) {
  return mlirAffineMapGetNumResults(ts_linalg_map(r->op, i));
}

int ts_parted_result_rank(const ts_parted *r) {
  return (int)rank_of(r, r->nest.num_inputs);
}

/* The last loop of the largest input. */
static int inner_loop(const ts_parted *r) {
  int64_t most = 0;
  int inner = -1;
  for (int i = 0; i < r->nest.num_inputs; i++) {
    intptr_t rank = rank_of(r, i);
    if (rank == 0 || elements(r, i, 0) <= most)
      continue;
    most = elements(r, i, 0);
    inner = ts_parted_loop(ts_linalg_map(r->op, i), rank - 1);
  }
  return inner;
}

/* The dimension of an operand that follows the loop; -1: none. */
static intptr_t dim_of(const ts_parted *r, int i, int loop) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (ts_parted_loop(map, d) == loop)
      return d;
  return -1;
}

/* Some input follows each reduction. */
static int largest_input(const ts_parted *r, int loop) {
  int64_t most = 0;
  int largest = -1;
  for (int i = 0; i < r->nest.num_inputs; i++)
    if (dim_of(r, i, loop) >= 0 && elements(r, i, 0) > most) {
      most = elements(r, i, 0);
      largest = i;
    }
  return largest;
}

int64_t ts_parted_row(const ts_parted *r, int loop) {
  int i = largest_input(r, loop);
  return elements(r, i, dim_of(r, i, loop) + 1);
}

int ts_parted_place(const ts_parted *r, int loop) {
  int largest = largest_input(r, loop), output = r->nest.num_inputs, place = 0;
  intptr_t first = dim_of(r, largest, loop), rank = rank_of(r, output);
  MlirAffineMap map = ts_linalg_map(r->op, output);
  while (place < rank) {
    intptr_t d = dim_of(r, largest, ts_parted_loop(map, place));
    if (d < 0 || d > first)
      break;
    place++;
  }
  return place;
}

/* Operand `i` has, from dimension `d` on, the loops that `row` has from `first` on. */
static bool goes_on_as(const ts_parted *r, int i, intptr_t d, MlirAffineMap row, intptr_t first) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  intptr_t num = mlirAffineMapGetNumResults(row) - first;
  if (mlirAffineMapGetNumResults(map) - d < num)
    return false;
  for (intptr_t k = 0; k < num; k++)
    if (ts_parted_loop(map, d + k) != ts_parted_loop(row, first + k))
      return false;
  return true;
}

/* An input that follows the loop, and then the row as `row` does; or neither. */
static bool agrees(const ts_parted *r, int i, int loop, MlirAffineMap row, intptr_t first) {
  intptr_t d = dim_of(r, i, loop);
  if (d >= 0)
    return rank_of(r, i) - d == mlirAffineMapGetNumResults(row) - first + 1 &&
           goes_on_as(r, i, d + 1, row, first);
  for (intptr_t k = first; k < mlirAffineMapGetNumResults(row); k++)
    if (dim_of(r, i, ts_parted_loop(row, k)) >= 0)
      return false;
  return true;
}

int ts_parted_joined_place(const ts_parted *r, int loop) {
  int largest = largest_input(r, loop), output = r->nest.num_inputs;
  MlirAffineMap row = ts_linalg_map(r->op, largest);
  intptr_t first = dim_of(r, largest, loop) + 1;
  if (first == mlirAffineMapGetNumResults(row))
    return -1;
  for (int i = 0; i < r->nest.num_inputs; i++)
    if (!agrees(r, i, loop, row, first))
      return -1;
  intptr_t place = dim_of(r, output, ts_parted_loop(row, first));
  return place >= 0 && goes_on_as(r, output, place, row, first) ? (int)place : -1;
}

static bool read(MlirOperation op, ts_parted *r) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return false;
  bool has_index = false;
  *r = (ts_parted){.op = op,
                   .nest = {.op = op,
                            .body = ts_linalg_body(op),
                            .num_inputs = (int)ts_linalg_num_inputs(op),
                            .num_outputs = (int)ts_linalg_num_inits(op)},
                   .num_loops = (int)ts_linalg_num_loops(op),
                   .num_operands = (int)mlirOperationGetNumOperands(op)};
  mlirOperationWalk(op, note_index, &has_index, MlirWalkPreOrder);
  if (has_index || r->num_loops >= TS_PART_LOOPS || r->num_operands > TS_PART_OPERANDS)
    return false;
  for (int i = 0; i < r->num_operands; i++)
    if (!read_operand(r, i))
      return false;
  for (int o = 0; o < r->nest.num_outputs; o++)
    if (!ts_combine_op(&r->nest, o))
      return false;
  if (!read_loops(r) || r->combined == 1)
    return false;
  r->inner = inner_loop(r);
  return true;
}

/* All results are of one shape: their parts are combined by one op. */
static bool have_one_shape(const ts_parted *r) {
  MlirType first = mlirValueGetType(mlirOperationGetResult(r->op, 0));
  for (int o = 1; o < r->nest.num_outputs; o++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(r->op, o));
    if (mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(first))
      return false;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
      if (mlirShapedTypeGetDimSize(type, d) != mlirShapedTypeGetDimSize(first, d))
        return false;
  }
  return 2 * r->nest.num_outputs <= TS_PART_OPERANDS;
}

bool ts_parted_read(MlirOperation op, ts_parted *r) {
  return read(op, r) && have_one_shape(r);
}
