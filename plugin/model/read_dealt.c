/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops whose trips are dealt out, as propagation says they are, and where each trip has its own
 * places. It knows attributes and places; it must not know which loops it pays for. */
#include "mlir-c/BuiltinAttributes.h"

#include "model/dealt.h"
#include "model/reader.h"
#include "support/diagnostics.h"

/* How one dimension of a tensor is dealt out. */
typedef struct dealt {
  int dim;
  const ts_dealing *deals;
  const struct dealt *next; /* of other loops */
} dealt;

/* The axes that the attribute names, outermost first; 0 if it is not there, or not of the grid. */
static int read_axes(const ts_reader *r, MlirOperation loop, int8_t *axes) {
  MlirAttribute list = ts_attribute(loop, TS_DEALT);
  const ts_grid *grid = r->function->grid;
  if (mlirAttributeIsNull(list) || !mlirAttributeIsADenseI64Array(list) ||
      ts_grid_devices(grid) == TS_DYNAMIC)
    return 0;
  int num = (int)mlirDenseArrayGetNumElements(list);
  ts_axes seen = r->apart;
  for (int i = 0; i < num; i++) {
    int64_t axis = mlirDenseI64ArrayGetElement(list, i);
    if (i == TS_MAX_AXES || axis < 0 || axis >= grid->rank || seen >> axis & 1)
      return 0;
    seen |= (ts_axes)1 << axis;
    axes[i] = (int8_t)axis;
  }
  return num;
}

static void note(ts_reader *r, const void *key, int dim, const ts_dealing *deals) {
  const dealt own = {dim, deals, ts_map_get(&r->dealt, key)};
  ts_map_set(&r->dealt, r->model->arena, key, ts_arena_copy(r->model->arena, &own, sizeof(own)));
}

static bool fits(const ts_dealt *found) {
  for (int i = 0; i < found->num_slices; i++)
    if (found->slices[i].dim >= 32)
      return false;
  return true;
}

const ts_dealing *ts_read_dealing(ts_reader *r, MlirOperation loop) {
  int8_t axes[TS_MAX_AXES];
  ts_dealt found;
  int num = read_axes(r, loop, axes);
  if (num == 0)
    return NULL;
  ts_arena_reset(&r->model->scratch);
  if (!ts_dealt_read(&r->model->scratch, loop, &found) || !fits(&found))
    return NULL;
  ts_arena *arena = r->model->arena;
  ts_dealing *deals = TS_NEW(arena, ts_dealing, 1);
  deals->dim = ts_dim_plain(arena, found.extent, num, axes);
  deals->axes = ts_dim_axes(&deals->dim);
  /* Pieces are of whole trips. */
  if (found.step > 1 &&
      found.extent % (found.step * ts_dim_shards(r->function->grid, &deals->dim)) != 0)
    return NULL;
  ts_reduction *sums = TS_NEW(arena, ts_reduction, found.num_results);
  for (int i = 0; i < found.num_results; i++)
    sums[i] = found.results[i].sum;
  deals->sums = sums;
  for (int i = 0; i < found.num_slices; i++)
    note(r, found.slices[i].op.ptr, found.slices[i].dim, deals);
  for (int i = 0; i < found.num_built; i++)
    note(r, found.built[i].value.ptr, found.built[i].dim, deals);
  return deals;
}

uint32_t ts_dealt_dims(const ts_reader *r, MlirOperation handle) {
  uint32_t dims = 0;
  for (const dealt *at = ts_map_get(&r->dealt, handle.ptr); at; at = at->next)
    dims |= UINT32_C(1) << at->dim;
  return dims;
}

const ts_dim *ts_dealt_dim(const ts_reader *r, const void *key, int d) {
  for (const dealt *at = ts_map_get(&r->dealt, key); at; at = at->next)
    if (at->dim == d)
      return &at->deals->dim;
  return NULL;
}

void ts_lay_out_dealt(ts_reader *r, ts_value *value, MlirValue handle) {
  for (const dealt *at = ts_map_get(&r->dealt, handle.ptr); at; at = at->next) {
    value->layout = ts_sharding_with_dim(r->model->arena, value->layout, at->dim, at->deals->dim);
    value->dealt_dims |= UINT32_C(1) << at->dim;
  }
}

const ts_ties *ts_dealt_ties(ts_reader *r, const ts_dealing *deals, const ts_ties *ties) {
  ts_arena *arena = r->model->arena;
  ts_tie *own = ts_arena_copy(arena, ties->ties, sizeof(*own) * (size_t)ties->num);
  /* Those of a loop are one for each result, the body's argument first. */
  for (int t = 0; t < ties->num; t++)
    if (mlirValueIsAOpResult(own[t].values[own[t].num_values - 1]) && deals->sums[t])
      own[t].num_values = 1;
  const ts_ties all = {ties->num, own};
  return ts_arena_copy(arena, &all, sizeof(all));
}
