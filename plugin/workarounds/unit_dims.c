/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around how upstream finds out which sizes 1 a slice lacks: canonicalize takes the first
 * ones, and memref.subview, which slices become, tells by strides, and crashes where it cannot.
 * Slices that may be misread get all dimensions or drop all, with a reshape beside them. Can go
 * when ops say which dimensions they drop. It knows slices and reshapes of tensors. */
#include "workarounds/unit_dims.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

typedef struct shape {
  intptr_t rank;
  int64_t sizes[TS_MAX_RANK]; /* mlirShapedTypeGetDynamicSize() if not known */
} shape;

static shape shape_of(MlirType type) {
  shape s = {.rank = mlirShapedTypeGetRank(type)};
  for (intptr_t d = 0; d < s.rank; d++)
    s.sizes[d] = mlirShapedTypeGetDimSize(type, d);
  return s;
}

static shape without_ones(const shape *whole) {
  shape s = {0};
  for (intptr_t d = 0; d < whole->rank; d++)
    if (whole->sizes[d] != 1)
      s.sizes[s.rank++] = whole->sizes[d];
  return s;
}

static bool has_ones(const shape *s) {
  return without_ones(s).rank < s->rank;
}

/* The type of a tensor of this shape that is otherwise like `type`. */
static MlirType with_shape(MlirType type, const shape *s) {
  return mlirRankedTensorTypeGet(s->rank, s->sizes, mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
}

void ts_unit_dims_match(intptr_t rank, const int64_t *wide, intptr_t left, const int64_t *narrow,
                        bool kept[TS_MAX_RANK]) {
  for (intptr_t d = rank; d-- > 0;) {
    kept[d] = left > 0 && narrow[left - 1] == wide[d];
    left -= kept[d];
  }
}

static void match(const shape *wide, const shape *narrow, bool kept[TS_MAX_RANK]) {
  ts_unit_dims_match(wide->rank, wide->sizes, narrow->rank, narrow->sizes, kept);
}

/* The dimensions of `wide` for each of `narrow`: sizes 1 go to the next one that is kept, so that
 * strided memory reshapes without a copy, and those at the end to the last one. */
static MlirNamedAttribute reassociation(MlirContext context, const shape *wide,
                                        const shape *narrow) {
  MlirAttribute groups[TS_MAX_RANK], group[TS_MAX_RANK];
  bool kept[TS_MAX_RANK];
  intptr_t num_groups = 0, num = 0;
  match(wide, narrow, kept);
  for (intptr_t d = 0; d < wide->rank; d++) {
    group[num++] = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), d);
    bool ends = num_groups + 1 < narrow->rank ? kept[d] : d + 1 == wide->rank;
    if (!ends || narrow->rank == 0)
      continue;
    groups[num_groups++] = mlirArrayAttrGet(context, num, group);
    num = 0;
  }
  return ts_named(context, "reassociation", mlirArrayAttrGet(context, num_groups, groups));
}

static MlirValue collapse(const ts_maker *build, MlirValue value, const shape *narrow) {
  MlirType type = mlirValueGetType(value);
  shape wide = shape_of(type);
  MlirNamedAttribute groups = reassociation(build->context, &wide, narrow);
  return ts_make_value(build, "tensor.collapse_shape", 1, &value, with_shape(type, narrow), 1,
                       &groups);
}

/* `sizes` are those that are not known of `wide`, in order. */
static MlirValue expand(const ts_maker *build, MlirValue value, const shape *wide,
                        const MlirValue *sizes) {
  MlirType type = mlirValueGetType(value);
  shape narrow = shape_of(type);
  MlirValue operands[1 + TS_MAX_RANK] = {value};
  intptr_t num = 1;
  for (intptr_t d = 0; d < wide->rank; d++)
    if (wide->sizes[d] == mlirShapedTypeGetDynamicSize()) {
      operands[num] = sizes[num - 1];
      num++;
    }
  MlirNamedAttribute attributes[] = {
      reassociation(build->context, wide, &narrow),
      ts_named(build->context, "static_output_shape",
               mlirDenseI64ArrayGet(build->context, wide->rank, wide->sizes)),
  };
  return ts_make_value(build, "tensor.expand_shape", num, operands, with_shape(type, wide), 2,
                       attributes);
}

/* ---- slices ---------------------------------------------------------------------------------- */

typedef struct slice {
  MlirOperation op;
  bool extracts;                /* or else inserts */
  shape whole;                  /* the sizes, one for each dimension of the tensor */
  MlirValue sizes[TS_MAX_RANK]; /* that are operands, in order */
  MlirValue small;              /* what is taken out, or put in */
} slice;

/* False if `op` is no slice. */
static bool read_slice(MlirOperation op, slice *s) {
  *s = (slice){.op = op, .extracts = ts_op_is(op, "tensor.extract_slice")};
  if (!s->extracts && !ts_op_is(op, "tensor.insert_slice") &&
      !ts_op_is(op, "tensor.parallel_insert_slice"))
    return false;
  MlirAttribute list = ts_attribute(op, "static_sizes");
  s->whole.rank = mlirDenseArrayGetNumElements(list);
  if (s->whole.rank > TS_MAX_RANK)
    return false;
  for (intptr_t d = 0; d < s->whole.rank; d++)
    s->whole.sizes[d] = mlirDenseI64ArrayGetElement(list, d);
  MlirAttribute segments = ts_attribute(op, "operandSegmentSizes");
  int offsets = s->extracts ? 1 : 2, first = offsets;
  first += mlirDenseI32ArrayGetElement(segments, offsets);
  for (int i = 0; i < mlirDenseI32ArrayGetElement(segments, offsets + 1); i++)
    s->sizes[i] = mlirOperationGetOperand(op, first + i);
  s->small = s->extracts ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  return true;
}

/* Before `s`; what ends a parallel loop has no other ops beside it. */
static ts_maker make_before(const slice *s) {
  if (!ts_op_is(s->op, "tensor.parallel_insert_slice"))
    return ts_make_before(s->op);
  return ts_make_before(mlirOperationGetParentOperation(s->op));
}

/* The slice that `s` takes out, of this shape. */
static MlirValue extract(const ts_maker *build, const slice *s, const shape *small) {
  MlirOperation op = mlirOperationClone(s->op);
  MlirValue value = mlirOperationGetResult(op, 0);
  mlirValueSetType(value, with_shape(mlirValueGetType(value), small));
  mlirBlockInsertOwnedOperationBefore(build->block, build->before, op);
  return value;
}

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

/* Does `reshape`, from `wide` to `narrow` or back, do no more than drop or add sizes 1? */
static bool only_ones(MlirOperation reshape, const char *name) {
  if (!reshape.ptr || !ts_op_is(reshape, name))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(reshape, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(reshape, 0));
  if (mlirShapedTypeGetRank(from) > TS_MAX_RANK || mlirShapedTypeGetRank(to) > TS_MAX_RANK)
    return false;
  shape a = shape_of(from), b = shape_of(to);
  return without_ones(&a).rank == without_ones(&b).rank;
}

/* ---- for canonicalize ------------------------------------------------------------------------ */

/* May the sizes 1 that `small` lacks be others than the first ones, when sizes that are operands
 * have become constants? */
static bool lacks_later_ones(const shape *whole, const shape *small) {
  bool kept[TS_MAX_RANK], keeps_one = false;
  match(whole, small, kept);
  for (intptr_t d = 0; d < whole->rank; d++) {
    if (!kept[d] && keeps_one)
      return true;
    keeps_one |=
        kept[d] && (whole->sizes[d] == 1 || whole->sizes[d] == mlirShapedTypeGetDynamicSize());
  }
  return false;
}

static void keep_dims(MlirOperation op, void *user) {
  (void)user;
  slice s;
  if (!read_slice(op, &s))
    return;
  shape small = shape_of(mlirValueGetType(s.small));
  if (!lacks_later_ones(&s.whole, &small))
    return;
  ts_maker build = make_before(&s);
  if (s.extracts)
    replace(op, collapse(&build, extract(&build, &s, &s.whole), &small));
  else
    mlirOperationSetOperand(op, 0, expand(&build, s.small, &s.whole, s.sizes));
}

void ts_unit_dims_keep(MlirOperation module) {
  ts_each_op(module, keep_dims, NULL);
}

/* ---- for bufferization ----------------------------------------------------------------------- */

static void join_reshape(MlirOperation op, void *user) {
  (void)user;
  slice s;
  if (only_ones(op, "tensor.collapse_shape")) {
    MlirOperation producer = ts_defining_op(mlirOperationGetOperand(op, 0));
    shape small = shape_of(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!producer.ptr || !read_slice(producer, &s) || !s.extracts)
      return;
    ts_maker build = ts_make_before(op);
    replace(op, extract(&build, &s, &small));
  } else if (read_slice(op, &s) && !s.extracts) {
    MlirOperation producer = ts_defining_op(s.small);
    if (only_ones(producer, "tensor.expand_shape"))
      mlirOperationSetOperand(op, 0, mlirOperationGetOperand(producer, 0));
  }
}

void ts_unit_dims_join_reshapes(MlirOperation module) {
  ts_each_op(module, join_reshape, NULL);
}

static void drop_ones(MlirOperation op, void *user) {
  (void)user;
  slice s;
  if (!read_slice(op, &s))
    return;
  shape small = shape_of(mlirValueGetType(s.small)), bare = without_ones(&s.whole);
  if (small.rank == s.whole.rank || !has_ones(&small))
    return;
  ts_maker build = make_before(&s);
  MlirOperation producer = ts_defining_op(s.small);
  if (s.extracts)
    replace(op, expand(&build, extract(&build, &s, &bare), &small, s.sizes));
  else if (producer.ptr && ts_op_is(producer, "tensor.extract_slice"))
    mlirOperationSetOperand(op, 0, expand(&build, s.small, &s.whole, s.sizes));
  else
    mlirOperationSetOperand(op, 0, collapse(&build, s.small, &bare));
}

void ts_unit_dims_drop(MlirOperation module) {
  ts_each_op(module, drop_ones, NULL);
}
