/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions on memrefs to calls of the runtime's. It knows strides: an operand in another order
 * of dimensions is one whose strides say so. */
#include "lowering/calls/conv.h"

#include "capi/capi.h"
#include "lowering/calls/strided.h"
#include "lowering/calls/zero_fills.h"
#include "lowering/prepare/convolutions.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "tessera/runtime.h"

enum { INPUT, FILTER, OUTPUT, NUM_OPERANDS, OUTER_DIMS = 3 };

/* One operand as the call takes it. */
typedef struct view {
  int rank;
  MlirValue sizes[OUTER_DIMS + TS_MAX_WINDOW], strides[OUTER_DIMS + TS_MAX_WINDOW];
} view;

/* ---- operands -------------------------------------------------------------------------------- */

/* The dimension of an operand that is indexed by `loop` alone; -1 if there is none. */
static intptr_t dim_of(MlirAffineMap map, int loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr result = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsADim(result) && mlirAffineDimExprGetPosition(result) == loop)
      return d;
  }
  return -1;
}

/* Dimension `dim` of the operand, or one of a single element. */
static void append(const ts_maker *build, const ts_strided *operand, intptr_t dim, view *view) {
  view->sizes[view->rank] = dim < 0 ? ts_make_index(build, 1) : operand->sizes[dim];
  view->strides[view->rank++] = dim < 0 ? ts_make_index(build, 1) : operand->strides[dim];
}

static MlirValue make_view(const ts_maker *build, MlirOperation op, int i,
                           const ts_convolution *convolution) {
  static const ts_conv_role roles[NUM_OPERANDS][OUTER_DIMS] = {
      [INPUT] = {TS_CONV_BATCH, TS_CONV_GROUP, TS_CONV_INPUTS},
      [FILTER] = {TS_CONV_GROUP, TS_CONV_OUTPUTS, TS_CONV_INPUTS},
      [OUTPUT] = {TS_CONV_BATCH, TS_CONV_GROUP, TS_CONV_OUTPUTS}};
  MlirAffineMap map = ts_linalg_map(op, i);
  ts_strided operand;
  view view = {.rank = 0};
  ts_strided_read(build, mlirOperationGetOperand(op, i), &operand);
  for (int r = 0; r < OUTER_DIMS; r++)
    append(build, &operand, dim_of(map, convolution->loops[roles[i][r]]), &view);
  for (int w = 0; w < convolution->window; w++) {
    const ts_window_dim *dim = &convolution->dims[w];
    intptr_t at = i == INPUT ? dim->input_dim : dim_of(map, i == FILTER ? dim->tap : dim->place);
    append(build, &operand, at, &view);
  }
  return ts_strided_view(build, &operand, operand.offset, view.rank, view.sizes, view.strides);
}

/* ---- the call -------------------------------------------------------------------------------- */

typedef struct conv_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} conv_walk;

static int32_t dtype_of(MlirOperation op, int i) {
  return ts_dtype(mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, i))));
}

static const char *add_site(ts_sites *sites, MlirOperation op, const ts_convolution *convolution,
                            uint32_t flags) {
  int64_t steps[TS_MAX_WINDOW], dilations[TS_MAX_WINDOW];
  for (int w = 0; w < convolution->window; w++) {
    steps[w] = convolution->dims[w].step;
    dilations[w] = convolution->dims[w].dilation;
  }
  ts_window_moves window = {convolution->window, steps, dilations};
  return ts_sites_add_conv(sites, mlirOperationGetLocation(op), &window, dtype_of(op, INPUT),
                           dtype_of(op, OUTPUT), flags);
}

static void lower_convolution(MlirOperation op, void *user) {
  const conv_walk *walk = user;
  ts_convolution convolution;
  if (mlirOperationGetNumResults(op) > 0 || !ts_convolution_read(op, &convolution))
    return;
  ts_maker build = ts_make_before(op);
  MlirOperation fill = ts_zero_fill_of(op, OUTPUT);
  MlirValue views[NUM_OPERANDS];
  ts_call call = {.name = "conv", .num_memrefs = NUM_OPERANDS, .num_words = TS_CALL_NO_WORDS};
  for (int i = 0; i < NUM_OPERANDS; i++) {
    views[i] = make_view(&build, op, i, &convolution);
    call.memrefs[i] = mlirValueGetType(views[i]);
  }
  const char *site = add_site(walk->sites, op, &convolution, fill.ptr ? TESSERA_SITE_OVERWRITE : 0);
  ts_wrappers_add(walk->wrappers, &call);
  ts_make_wrapper_call(&build, &call, ts_make_address_of(&build, site), views, NULL);
  if (fill.ptr)
    mlirOperationDestroy(fill);
  mlirOperationDestroy(op);
}

void ts_conv_lower(ts_sites *sites, ts_wrappers *wrappers) {
  conv_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, lower_convolution, &walk);
}
