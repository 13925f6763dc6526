/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading an annotation: what it says of the value, and which of its two sides it is about. It
 * knows annotations; it must not know what makes values. */
#include <string.h>

#include "model/reader.h"
#include "model/signature.h"
#include "model/sums.h"
#include "regions/regions.h"
#include "sharding/known.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

/* An annotation that names a group. */
typedef struct grouped {
  MlirOperation op;
  ts_value *value;
} grouped;

/* Notes the dimensions of `value` that count later. */
static void note_late(ts_reader *r, ts_value *value, const ts_openness *openness) {
  ts_function *function = r->function;
  for (int d = 0; openness->priorities && d < value->rank; d++) {
    if (openness->priorities[d] == 0)
      continue;
    function->late = ts_arena_grow(r->model->arena, function->late, function->num_late,
                                   &function->max_late, sizeof(*function->late));
    function->late[function->num_late] =
        (ts_late_dim){value, d, openness->priorities[d], function->num_late};
    function->num_late++;
    value->announced = value->layout;
  }
}

static void annotate(ts_reader *r, ts_value *value, const ts_sharding *layout,
                     const ts_openness *openness, MlirOperation annotation) {
  value->layout = layout;
  value->is_fixed = !openness->is_open;
  value->annotation = annotation;
  value->openness = openness;
  note_late(r, value, openness);
}

/* Makes `value` one of the group that its annotation names. */
static bool join_group(ts_reader *r, ts_value *value, MlirOperation handle) {
  const ts_openness *openness = value->openness;
  if (openness->group == TS_NO_GROUP)
    return true;
  const void *key = (const void *)(uintptr_t)(openness->group + 1);
  grouped *first = ts_map_get(&r->groups, key);
  if (!first) {
    first = TS_NEW(r->model->arena, grouped, 1);
    *first = (grouped){handle, value};
    ts_map_set(&r->groups, r->model->arena, key, first);
    value->next_in_group = value;
    return true;
  }
  bool alike =
      first->value->rank == value->rank &&
      memcmp(first->value->shape, value->shape, sizeof(*value->shape) * (size_t)value->rank) == 0 &&
      ts_sharding_equal(first->value->layout, value->layout) &&
      ts_openness_equal(first->value->openness, openness, value->rank);
  if (!alike) {
    ts_error_with_note(handle, first->op, "the first annotation of the group",
                       "tensors of group %lld that differ: expected one shape, one sharding, and "
                       "the same dimensions open",
                       (long long)openness->group);
    return ts_reader_fail(r);
  }
  value->next_in_group = first->value->next_in_group;
  first->value->next_in_group = value;
  return true;
}

/* What an annotation says, on the function's grid, which may refine its own. NULL after a located
 * error. */
static const ts_sharding *read_layout_of(ts_reader *r, MlirOperation handle,
                                         ts_openness *openness) {
  const ts_sharding *layout = ts_annotation_read(&r->model->grids, handle, openness);
  const ts_grid *grid = r->function->grid;
  if (!layout || layout->grid == grid)
    return layout;
  const ts_sharding *refined = ts_sharding_refined(r->model->arena, layout, grid);
  if (refined)
    openness->never = ts_axes_refined(openness->never, layout->grid, grid);
  else
    ts_error(handle,
             "annotation on grid @%s in a function whose annotations are on grid @%s: expected one "
             "grid, or one that refines the others (the same devices, each axis as one or several)",
             layout->grid->name, grid->name);
  return refined;
}

static bool refuse_annotation(ts_reader *r, MlirOperation handle) {
  ts_error(handle, "annotation of a value that is not a tensor of this function");
  return ts_reader_fail(r);
}

/* Its sharding is not known yet. */
static bool read_open_annotation(ts_reader *r, MlirOperation handle) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_LINK);
  if (!op->operands[0])
    return refuse_annotation(r, handle);
  ts_reader_define_results(r, op);
  op->results[0]->is_free = false;
  op->is_open = true;
  ts_reader_use_operands(r, op);
  return true;
}

/* The block in which `source` begins to be, or null if that is more than one (a loop's). */
static MlirBlock first_block(const ts_value *source) {
  if (!source->definition)
    return mlirBlockArgumentGetOwner(source->handle);
  return source->definition->kind == TS_OP_FIXED && !source->definition->callee
             ? (MlirBlock){NULL}
             : mlirOperationGetBlock(source->definition->handle);
}

/* Whether the layout can be the one that `source` is made in, though only the launch knows some of
 * its numbers: they are known when the source is, or before anybody looks at its data. */
static bool is_known_in_time(const ts_value *source, const ts_sharding *layout,
                             MlirOperation annotation) {
  MlirBlock block = first_block(source);
  MlirOperation at =
      source->definition ? source->definition->handle : mlirBlockGetFirstOperation(block);
  if (ts_layout_known_before(layout, at))
    return true;
  MlirOperation first_use = ts_ancestor_in(block, annotation);
  return source->num_users == 0 && !source->is_captured && first_use.ptr &&
         (mlirOperationEqual(first_use, annotation) || ts_layout_known_before(layout, first_use));
}

/* What a function is called with has to be known before it is looked at. */
static bool check_numbers(ts_reader *r, const ts_value *source, const ts_sharding *layout,
                          MlirOperation handle) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(r->function->handle, 0));
  if (r->num_blocks > 1 && !ts_layout_known_in(layout, entry)) {
    ts_error(handle, "run-time halo sizes or shard offsets in a function of several blocks: "
                     "expected function arguments, or values computed in its first block");
    return ts_reader_fail(r);
  }
  if (source->definition || is_known_in_time(source, layout, handle))
    return true;
  ts_error(handle, "annotation of an argument with halo sizes or shard offsets that are computed "
                   "after its first use: expected the annotation before any use of its data");
  return ts_reader_fail(r);
}

/* A result of an op with regions: whole behind a loop, it need not be so in each trip. */
static bool is_carried(const ts_value *source) {
  return source->definition && source->definition->kind == TS_OP_FIXED &&
         source->definition->ties && !ts_is_dealt_sum(source);
}

/* Of what a loop carries, how it is to lie behind the loop. Carried it lies so where nothing else
 * says how. */
static bool is_for_behind(const ts_reader *r, const ts_op *op, const ts_value *source,
                          const ts_sharding *layout, const ts_openness *openness) {
  return is_carried(source) && ts_is_behind(op, source->definition) &&
         ts_region_trips(source->definition->handle) > 1 &&
         !ts_is_propagated(r->function->handle) && openness->group == TS_NO_GROUP &&
         !openness->priorities && !ts_sharding_run_time(layout, NULL);
}

bool ts_read_annotation(ts_reader *r, MlirOperation handle) {
  if (ts_is_asked(handle))
    return read_open_annotation(r, handle);
  ts_openness *openness = TS_NEW(r->model->arena, ts_openness, 1);
  const ts_sharding *layout = read_layout_of(r, handle, openness);
  if (!layout)
    return ts_reader_fail(r);
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_LINK);
  ts_value *source = op->operands[0];
  ts_reader_define_results(r, op);
  ts_value *result = op->results[0];
  result->is_free = false;
  if (!source)
    return refuse_annotation(r, handle);
  bool source_is_annotation = source->definition && source->definition->kind == TS_OP_LINK;
  bool defines = !source->is_free && !source_is_annotation && !source->annotation.ptr &&
                 !source->is_fixed && !source->dealt_dims && openness->flow == TS_FLOW_BOTH &&
                 !(is_carried(source) && ts_sharding_is_replicated(layout) &&
                   !ts_is_propagated(r->function->handle));
  if (defines && ts_sharding_run_time(layout, NULL)) {
    if (!check_numbers(r, source, layout, handle))
      return false;
    defines = is_known_in_time(source, layout, handle);
  }
  op->waits = defines && !openness->is_open && !layout->num_partial &&
              (ts_is_added_up(source) || is_for_behind(r, op, source, layout, openness));
  if (defines && !op->waits)
    annotate(r, source, layout, openness, handle);
  annotate(r, result, layout, openness, handle);
  op->flow = openness->flow;
  op->is_inert = result->is_fixed && (source->is_fixed || source->is_free);
  ts_reader_use_operands(r, op);
  return join_group(r, result, handle);
}
