/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions are done in parts, and in how many, so that they are enough work for a whole
 * GPU. It knows maps of linalg ops; it must not know how parts are made. */
#include "lowering/targets/cuda/parted.h"

#include "capi/capi.h"
#include "lowering/targets/cuda/combine.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  LEAST_PARTS = 4, /* that are worth a kernel more */
  LEAST_ROWS = 8,
  ROWS = 1024,       /* that blocks combine, so that a GPU is full of them */
  ENOUGH_ROWS = 128, /* for a block on each multiprocessor */
  LEAST_ROW = 4096,  /* elements of a part of a row */
  THREADS = 1 << 17, /* that combine along columns, so that a GPU is full of them */
  ENOUGH_THREADS = 1 << 16,
  LEAST_COLUMN = 256, /* steps that take longer than a kernel more */
  LEAST_COLUMN_PART = 16
};

/* ---- reading --------------------------------------------------------------------------------- */

bool ts_parted_combines(const ts_parted *r, int loop) {
  return ts_linalg_iterator(r->op, loop) != 0;
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

/* Is the largest input read in order by the reductions? */
static bool reads_along_rows(const ts_parted *r) {
  int64_t most = 0;
  bool along_rows = false;
  for (int i = 0; i < r->nest.num_inputs; i++) {
    MlirAffineMap map = ts_linalg_map(r->op, i);
    intptr_t rank = mlirAffineMapGetNumResults(map);
    int64_t elements = 1;
    for (intptr_t d = 0; d < rank; d++)
      elements *= r->extents[ts_parted_loop(map, d)];
    if (rank == 0 || elements <= most)
      continue;
    most = elements;
    along_rows = ts_parted_combines(r, ts_parted_loop(map, rank - 1));
  }
  return along_rows;
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
  r->along_rows = reads_along_rows(r);
  return true;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t wanted_parts(const ts_parted *r) {
  if (r->along_rows)
    return r->kept > ENOUGH_ROWS || r->combined < LEAST_ROWS * LEAST_ROW
               ? 0
               : least(ROWS / r->kept, r->combined / LEAST_ROW);
  if (r->kept > ENOUGH_THREADS || r->combined < LEAST_COLUMN)
    return 0;
  return least(THREADS / r->kept, r->combined / LEAST_COLUMN_PART);
}

/* Parts of the longest reduction, rather some fewer than parts that leave a rest. */
static bool choose(ts_parted *r) {
  r->loop = -1;
  for (int l = 0; l < r->num_loops; l++)
    if (ts_parted_combines(r, l) && (r->loop < 0 || r->extents[l] > r->extents[r->loop]))
      r->loop = l;
  int64_t extent = r->extents[r->loop];
  r->parts = least(wanted_parts(r), extent / 2);
  if (r->parts < LEAST_PARTS)
    return false;
  for (int64_t fewer = r->parts; fewer > r->parts / 2; fewer--)
    if (extent % fewer == 0) {
      r->parts = fewer;
      break;
    }
  r->each = extent / r->parts;
  r->rest = extent % r->parts;
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
  return read(op, r) && choose(r) && have_one_shape(r);
}
