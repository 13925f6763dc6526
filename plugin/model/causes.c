/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The log of growth in words. It knows who made a layout grow; it must not know how layouts are
 * chosen. */
#include "model/causes.h"

#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "numbers/scalar_code.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* "f.mlir:9:9", without folders; "" if it is not known. */
static const char *place_of(ts_arena *arena, MlirOperation op) {
  char place[1024];
  ts_location_text(mlirOperationGetLocation(op), place, sizeof(place));
  const char *name = strrchr(place, '/');
  return ts_arena_format(arena, "%s", name ? name + 1 : place);
}

const char *ts_op_text(ts_arena *arena, MlirOperation op) {
  const char *place = place_of(arena, op);
  return *place ? ts_arena_format(arena, "%s (%s)", ts_op_name(op), place) : ts_op_name(op);
}

const char *ts_value_text(ts_arena *arena, MlirValue value) {
  value = ts_without_annotations(value);
  if (mlirValueIsAOpResult(value))
    return ts_op_text(arena, mlirOpResultGetOwner(value));
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  int number = (int)mlirBlockArgumentGetArgNumber(value);
  if (!ts_op_is(parent, "func.func"))
    return ts_arena_format(arena, "block argument %d of %s", number, ts_op_text(arena, parent));
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(parent, "sym_name"));
  return ts_arena_format(arena, "argument %d of @%.*s", number, (int)name.length, name.data);
}

/* ---- origins --------------------------------------------------------------------------------- */

/* The line of a note that begins with "AXIS=", without that; NULL if it has none. */
static const char *line_of(ts_arena *arena, MlirStringRef note, int axis) {
  const char *at = note.data, *end = note.data + note.length;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    char *text;
    if (strtol(at, &text, 10) == axis && *text == '=')
      return ts_arena_format(arena, "%.*s", (int)(stop - text - 1), text + 1);
    at = stop + 1;
  }
  return NULL;
}

static const char *words_of(ts_model *model, const ts_value *value) {
  ts_arena *arena = model->arena;
  const char *known = ts_map_get(&model->origins, value->annotation.ptr);
  if (known)
    return known;
  const char *place = place_of(arena, value->annotation);
  MlirValue tensor = mlirOperationGetOperand(value->annotation, 0);
  char *words =
      ts_arena_format(arena, "%s is annotated %s%s%s", ts_value_text(arena, tensor),
                      ts_sharding_text(arena, value->layout), *place ? " at " : "", place);
  ts_map_set(&model->origins, arena, value->annotation.ptr, words);
  return words;
}

/* An annotation that propagation wrote says whose it is. */
static const char *annotation_text(ts_model *model, const ts_value *value, int axis) {
  MlirStringRef note = ts_location_note(mlirOperationGetLocation(value->annotation), TS_ORIGINS);
  return note.length ? line_of(&model->scratch, note, axis) : words_of(model, value);
}

static bool is_split_over(const ts_value *value, int axis) {
  return value && !value->is_free && ts_sharding_split_axes(value->layout) >> axis & 1;
}

static bool is_dim_split_over(const ts_value *value, int dim, int axis) {
  return value && !value->is_free && dim >= 0 && dim < value->rank &&
         ts_dim_axes(&value->layout->dims[dim]) >> axis & 1;
}

/* The annotated value behind the value's split of dimension `dim` over `axis`, or NULL. */
static const ts_value *origin_of_dim(const ts_value *value, int dim, int axis) {
  for (int i = 0; i < value->num_causes; i++)
    if (value->causes[i].axis == axis && value->causes[i].dim == dim)
      return value->causes[i].origin;
  return value->annotation.ptr ? value : NULL;
}

/* The same for whichever dimension is split over `axis`; NULL if none is. */
static const ts_value *origin_of(const ts_value *value, int axis) {
  if (!is_split_over(value, axis))
    return NULL;
  int dim = 0;
  while (!is_dim_split_over(value, dim, axis))
    dim++;
  return origin_of_dim(value, dim, axis);
}

const ts_value *ts_origin_at(const ts_op *op, int axis) {
  const ts_value *found = NULL;
  for (int i = 0; i < op->num_operands && !found; i++) {
    found = origin_of(op->operands[i], axis);
    if (!found && op->targets)
      found = origin_of(op->targets[i], axis);
  }
  for (int r = 0; r < op->num_results && !found; r++) {
    found = origin_of(op->results[r], axis);
    if (!found && op->callee && op->callee->is_active)
      found = origin_of(op->callee->results[r], axis);
  }
  return found;
}

/* A dimension of a value; -1: its being partial. */
typedef struct value_dim {
  const ts_value *value;
  int dim;
} value_dim;

static const value_dim nowhere = {NULL, -1};

static bool is_split_by_loops(const ts_op *op, const ts_dim_loops *loops, int axis) {
  for (int l = 0; l < loops->num_loops; l++)
    if (ts_dim_axes(&op->sharding->loops[loops->loops[l]]) >> axis & 1)
      return true;
  return false;
}

/* The operand's dimension whose split over `axis` splits a loop of `op`; or, where results are
 * partial and no loop is split, the operand that is partial too. */
static value_dim source_in_loops(const ts_op *op, int dim, int axis) {
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    const ts_port *port = &op->loops->operands[i];
    if (!value || value->is_free)
      continue;
    if (dim < 0 && ts_sharding_partial_axes(value->layout) >> axis & 1)
      return (value_dim){value, -1};
    for (int d = 0; d < port->rank; d++)
      if (is_dim_split_over(value, d, axis) && is_split_by_loops(op, &port->dims[d], axis))
        return (value_dim){value, d};
  }
  return nowhere;
}

/* Where the op that defines the value has it from that dimension `at` of it is split over `axis`.
 */
static value_dim source_of(value_dim at, int axis) {
  const ts_op *op = at.value->definition;
  if (op && op->kind == TS_OP_RULE && op->sharding)
    return source_in_loops(op, at.dim, axis);
  if (op && op->kind == TS_OP_LINK)
    return (value_dim){op->operands[0], at.dim};
  return nowhere;
}

const char *ts_origin(ts_model *model, const ts_value *value, int dim, int axis) {
  value_dim at = {value, dim};
  while (at.value && !is_dim_split_over(at.value, at.dim, axis))
    at = source_of(at, axis);
  const ts_value *origin = at.value ? origin_of_dim(at.value, at.dim, axis) : NULL;
  return origin ? annotation_text(model, origin, axis) : NULL;
}

/* ---- notes ----------------------------------------------------------------------------------- */

MlirLocation ts_with_origins(ts_model *model, MlirLocation location, const ts_value *value,
                             const ts_op *op, const ts_sharding *layout) {
  ts_axes axes = ts_sharding_split_axes(layout);
  const char *text = "";
  for (int a = 0; axes >> a; a++) {
    if (!(axes >> a & 1))
      continue;
    const ts_value *origin = origin_of(value, a);
    if (!origin && op)
      origin = ts_origin_at(op, a);
    const char *why = origin ? annotation_text(model, origin, a) : NULL;
    if (why)
      text = ts_arena_format(&model->scratch, "%s%d=%s\n", text, a, why);
  }
  return *text ? ts_location_with_note(location, TS_ORIGINS, text) : location;
}

static MlirWalkResult tell_cause(MlirOperation op, void *user) {
  (void)user;
  MlirLocation location = mlirOperationGetLocation(op);
  MlirStringRef cause = ts_location_note(location, TS_CAUSE);
  const char *name = ts_op_name(op);
  if (!cause.length || (strncmp(name, "shard.", 6) != 0 && strncmp(name, "tessera.", 8) != 0))
    return MlirWalkResultAdvance;
  ts_arena arena = {0};
  ts_diagnose(
      location, TS_REMARK,
      ts_arena_format(&arena, "%s %.*s", strchr(name, '.') + 1, (int)cause.length, cause.data),
      location, NULL);
  ts_arena_free(&arena);
  return MlirWalkResultAdvance;
}

void ts_tell_causes(MlirOperation module) {
  mlirOperationWalk(module, tell_cause, NULL, MlirWalkPreOrder);
}
