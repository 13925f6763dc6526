/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading how far layouts may grow, an attribute a function. It knows the notation; it must not
 * know how layouts grow. */
#include "sharding/openness.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

typedef struct reader {
  ts_arena *arena;
  const ts_sharding *sharding;
  ts_openness *openness;
} reader;

/* ---- lists of numbers ------------------------------------------------------------------------ */

static bool is_number(MlirAttribute attribute) {
  return mlirAttributeIsAInteger(attribute) &&
         mlirTypeIsAInteger(mlirAttributeGetType(attribute)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) <= 64;
}

static bool is_list(MlirAttribute attribute) {
  if (!mlirAttributeIsAArray(attribute))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); i++)
    if (!is_number(mlirArrayAttrGetElement(attribute, i)))
      return false;
  return true;
}

static int64_t number_at(MlirAttribute list, intptr_t i) {
  return mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(list, i));
}

/* ---- one attribute each ---------------------------------------------------------------------- */

/* A flag, or the dimensions that are open. */
static const char *read_open(reader *r, MlirAttribute attribute) {
  int rank = r->sharding->rank;
  r->openness->is_open = true;
  if (mlirAttributeIsAUnit(attribute))
    return NULL;
  if (!is_list(attribute))
    return "tessera.open is neither a flag nor a list of dimensions: expected `tessera.open` or "
           "`tessera.open = [0, 2]`";
  bool *closed = TS_NEW(r->arena, bool, rank);
  memset(closed, true, (size_t)rank);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); i++) {
    int64_t d = number_at(attribute, i);
    if (d < 0 || d >= rank)
      return ts_arena_format(r->arena,
                             "tessera.open names dimension %lld, but the tensor has %d dimensions",
                             (long long)d, rank);
    closed[d] = false;
  }
  r->openness->closed = closed;
  return NULL;
}

static const char *read_replicated(reader *r, MlirAttribute attribute) {
  if (!is_list(attribute))
    return "tessera.replicated is no list of grid axes: expected for example `[1]`";
  ts_axes seen = 0;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); i++) {
    int64_t a = number_at(attribute, i);
    int axis = a < 0 || a > INT16_MAX ? -1 : (int)a;
    const char *mistake = ts_axis_mistake(r->arena, r->sharding->grid, axis, &seen);
    if (mistake)
      return ts_arena_format(r->arena, "tessera.replicated: %s", mistake);
  }
  ts_axes both = seen & ts_sharding_split_axes(r->sharding);
  for (int a = 0; both >> a; a++)
    if (both >> a & 1)
      return ts_arena_format(r->arena,
                             "axis %d is in tessera.replicated and in split_axes: expected it in "
                             "one of them",
                             a);
  r->openness->never = seen;
  return NULL;
}

/* One number for all dimensions, or one for each. */
static const char *read_priority(reader *r, MlirAttribute attribute) {
  int rank = r->sharding->rank;
  bool one = is_number(attribute);
  if (!one && (!is_list(attribute) || mlirArrayAttrGetNumElements(attribute) != rank))
    return ts_arena_format(r->arena,
                           "tessera.priority is neither a number nor a list with one for each of "
                           "the %d dimensions",
                           rank);
  int *priorities = TS_NEW(r->arena, int, rank);
  for (int d = 0; d < rank; d++) {
    int64_t priority = one ? mlirIntegerAttrGetValueInt(attribute) : number_at(attribute, d);
    if (priority < 0 || priority > INT32_MAX)
      return ts_arena_format(r->arena, "tessera.priority %lld: expected 0 (first) or more",
                             (long long)priority);
    priorities[d] = (int)priority;
  }
  r->openness->priorities = priorities;
  return NULL;
}

static const char *read_flow(reader *r, MlirAttribute attribute) {
  static const struct {
    const char *word;
    ts_flow flow;
  } words[] = {{"both", TS_FLOW_BOTH},
               {"none", TS_FLOW_NONE},
               {"forward", TS_FLOW_FORWARD},
               {"backward", TS_FLOW_BACKWARD}};
  for (size_t i = 0; mlirAttributeIsAString(attribute) && i < sizeof(words) / sizeof(words[0]); i++)
    if (mlirStringRefEqual(mlirStringAttrGetValue(attribute),
                           mlirStringRefCreateFromCString(words[i].word))) {
      r->openness->flow = words[i].flow;
      return NULL;
    }
  return "tessera.flow is none of \"none\", \"forward\", \"backward\", \"both\"";
}

static const char *read_group(reader *r, MlirAttribute attribute) {
  if (!is_number(attribute) || mlirIntegerAttrGetValueInt(attribute) < 0)
    return "tessera.group is no number from 0: expected for example `tessera.group = 1`";
  r->openness->group = mlirIntegerAttrGetValueInt(attribute);
  return NULL;
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef struct row {
  const char *name;
  const char *(*read)(reader *r, MlirAttribute attribute);
} row;

static const row rows[] = {
    {"tessera.open", read_open},         {"tessera.replicated", read_replicated},
    {"tessera.priority", read_priority}, {"tessera.flow", read_flow},
    {"tessera.group", read_group},
};
enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

const char *ts_openness_read(ts_arena *arena, MlirOperation annotation, MlirOperation source,
                             const ts_sharding *sharding, ts_openness *openness) {
  *openness = (ts_openness){.group = TS_NO_GROUP};
  reader r = {arena, sharding, openness};
  for (int i = 0; i < NUM_ROWS; i++) {
    MlirAttribute own = ts_attribute(annotation, rows[i].name);
    MlirAttribute shared = ts_attribute(source, rows[i].name);
    MlirAttribute attribute = mlirAttributeIsNull(own) ? shared : own;
    const char *mistake = mlirAttributeIsNull(attribute) ? NULL : rows[i].read(&r, attribute);
    if (mistake)
      return mistake;
  }
  return NULL;
}

bool ts_says_growth(MlirOperation annotation, MlirOperation source) {
  for (int i = 0; i < NUM_ROWS; i++)
    if (!mlirAttributeIsNull(ts_attribute(annotation, rows[i].name)) ||
        !mlirAttributeIsNull(ts_attribute(source, rows[i].name)))
      return true;
  return false;
}

void ts_forget_growth(MlirOperation annotation) {
  for (int i = 0; i < NUM_ROWS; i++)
    mlirOperationRemoveAttributeByName(annotation, mlirStringRefCreateFromCString(rows[i].name));
}

static bool same_closed(const bool *a, const bool *b, int rank) {
  for (int d = 0; d < rank; d++)
    if ((a && a[d]) != (b && b[d]))
      return false;
  return true;
}

static bool same_priorities(const int *a, const int *b, int rank) {
  for (int d = 0; d < rank; d++)
    if ((a ? a[d] : 0) != (b ? b[d] : 0))
      return false;
  return true;
}

bool ts_openness_equal(const ts_openness *a, const ts_openness *b, int rank) {
  return a->is_open == b->is_open && a->never == b->never &&
         same_closed(a->closed, b->closed, rank) &&
         same_priorities(a->priorities, b->priorities, rank);
}
