/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Arguments and results of functions: the records that callers read, and the attributes that these
 * are made from. It must not know which functions are entries. */
#include "lowering/entries/parameter_records.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/entries/precision.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

static const char donated_name[] = "tessera.donated";

static MlirAttribute dictionary_entry(MlirAttribute dictionary, const char *name) {
  if (mlirAttributeIsNull(dictionary) || !mlirAttributeIsADictionary(dictionary))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(dictionary, mlirStringRefCreateFromCString(name));
}

/* Attributes of the i-th argument or result, as a dictionary, or null. */
static MlirAttribute parameter_attributes(MlirOperation function, const char *which, intptr_t i) {
  MlirAttribute list = ts_attribute(function, which);
  if (mlirAttributeIsNull(list) || i >= mlirArrayAttrGetNumElements(list))
    return mlirAttributeGetNull();
  return mlirArrayAttrGetElement(list, i);
}

static const ts_sharding *layout_of(ts_sites *sites, MlirAttribute attributes, MlirType *global,
                                    const char **mistake) {
  MlirAttribute layout = dictionary_entry(attributes, "tessera.layout");
  *mistake = NULL;
  return layout.ptr ? ts_layout_from_attribute(&sites->grids, layout, global, mistake) : NULL;
}

const ts_sharding *ts_parameter_layout(ts_sites *sites, MlirOperation function, const char *which,
                                       intptr_t i, MlirType *global, const char **mistake) {
  return layout_of(sites, parameter_attributes(function, which, i), global, mistake);
}

bool ts_parameters_have_layouts(MlirOperation function, const char *which, intptr_t num) {
  for (intptr_t i = 0; i < num; i++)
    if (dictionary_entry(parameter_attributes(function, which, i), "tessera.layout").ptr)
      return true;
  return false;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool read_number(MlirAttribute attribute, double *number) {
  if (mlirAttributeIsAFloat(attribute))
    *number = mlirFloatAttrGetValueDouble(attribute);
  else if (mlirAttributeIsAInteger(attribute))
    *number = (double)mlirIntegerAttrGetValueInt(attribute);
  else
    return false;
  return true;
}

/* tessera.range = [lo, hi] as two doubles; NULL if there is none. False after a diagnostic. */
static bool range_record(ts_records *records, MlirLocation location, MlirAttribute attributes,
                         const char **symbol) {
  MlirAttribute range = dictionary_entry(attributes, "tessera.range");
  double bounds[2];
  *symbol = NULL;
  if (mlirAttributeIsNull(range))
    return true;
  if (!mlirAttributeIsAArray(range) || mlirArrayAttrGetNumElements(range) != 2 ||
      !read_number(mlirArrayAttrGetElement(range, 0), &bounds[0]) ||
      !read_number(mlirArrayAttrGetElement(range, 1), &bounds[1]) || !(bounds[0] < bounds[1]))
    return ts_error_at(location, "`tessera.range` is not a range: expected [lo, hi], two "
                                 "numbers with lo less than hi");
  *symbol = ts_record_f64(records, 2, bounds);
  return true;
}

/* tessera.name = "w", or "" if there is none. False after a diagnostic. */
static bool name_record(ts_records *records, MlirLocation location, MlirAttribute attributes,
                        const char **symbol) {
  MlirAttribute name = dictionary_entry(attributes, "tessera.name");
  if (!mlirAttributeIsNull(name) && !mlirAttributeIsAString(name))
    return ts_error_at(location, "`tessera.name` is not a name: expected a string");
  *symbol = ts_record_text(records, mlirAttributeIsNull(name) ? mlirStringRefCreate("", 0)
                                                              : mlirStringAttrGetValue(name));
  return true;
}

static const char *words_record(ts_records *records, const ts_sharding *sharding) {
  int64_t num = ts_layout_to_words(sharding, NULL);
  int64_t *words = TS_NEW(records->arena, int64_t, num);
  ts_layout_to_words(sharding, words);
  return ts_record_i64(records, num, words);
}

static const char *shape_record(ts_records *records, MlirType type) {
  int64_t shape[TS_MAX_RANK];
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t d = 0; d < rank; d++)
    shape[d] = ts_known_extent(type, d);
  return ts_record_i64(records, rank, shape);
}

enum { PARAMETER_FIELDS = 11 };

/* What one parameter's record is made of. */
typedef struct parameter {
  MlirLocation location;
  MlirType type; /* local */
  MlirAttribute attributes;
  int32_t computed_in;
  uint32_t flags; /* TESSERA_PARAMETER_* */
} parameter;

static bool is_donated(MlirType type, MlirAttribute attributes) {
  return (mlirTypeIsATensor(type) || mlirTypeIsAMemRef(type)) &&
         dictionary_entry(attributes, donated_name).ptr;
}

static bool parameter_fields(ts_sites *sites, const parameter *p, ts_field *fields) {
  ts_records *records = sites->records;
  MlirType global = p->type;
  const char *mistake;
  const ts_sharding *sharding = layout_of(sites, p->attributes, &global, &mistake);
  if (mistake)
    return ts_error_at(p->location, "`tessera.layout` is not a layout: %s", mistake);
  char text[128];
  bool shaped = mlirTypeIsAShaped(global);
  MlirType element = shaped ? mlirShapedTypeGetElementType(global) : global;
  ts_type_text(element, text, sizeof(text));
  int32_t dtype = ts_dtype(element);
  if (dtype == 0 || (shaped && (!mlirShapedTypeHasRank(global) || mlirTypeIsAVector(global) ||
                                mlirShapedTypeGetRank(global) > TS_MAX_RANK))) {
    ts_type_text(global, text, sizeof(text));
    return ts_error_at(p->location, "an entry function cannot take or return %s", text);
  }
  const char *range, *name = NULL;
  if (!range_record(records, p->location, p->attributes, &range) ||
      !name_record(records, p->location, p->attributes, &name))
    return false;
  ptrdiff_t grid = sharding ? ts_sites_grid_number(sites, sharding->grid) : -1;
  const ts_field made[PARAMETER_FIELDS] = {
      TS_I32(sizeof(tessera_parameter)),
      TS_I32(dtype),
      TS_I32(shaped ? mlirShapedTypeGetRank(global) : -1),
      TS_I32(grid),
      TS_POINTER(shaped ? shape_record(records, global) : NULL),
      TS_POINTER(sharding ? words_record(records, sharding) : NULL),
      TS_POINTER(name),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(text))),
      TS_POINTER(range),
      TS_I32(p->computed_in),
      TS_I32(p->flags),
  };
  memcpy(fields, made, sizeof(made));
  return true;
}

bool ts_parameters_record(ts_sites *sites, MlirOperation function, const char *name,
                          const char *which, intptr_t num, const char **symbol) {
  ts_records *records = sites->records;
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  bool arguments = strcmp(which, "arg_attrs") == 0;
  MlirLocation location = mlirOperationGetLocation(function);
  *symbol = NULL;
  ts_field *fields = TS_NEW(records->arena, ts_field, num * PARAMETER_FIELDS);
  int32_t *computed_in = TS_NEW(records->arena, int32_t, num);
  if (!arguments)
    ts_precision_of_results(records->arena, records->module, function, num, computed_in);
  for (intptr_t i = 0; i < num; i++) {
    parameter p = {location,
                   arguments ? mlirFunctionTypeGetInput(type, i)
                             : mlirFunctionTypeGetResult(type, i),
                   parameter_attributes(function, which, i), computed_in[i], 0};
    if (arguments && is_donated(p.type, p.attributes))
      p.flags |= TESSERA_PARAMETER_DONATED;
    if (!parameter_fields(sites, &p, &fields[i * PARAMETER_FIELDS]))
      return false;
  }
  if (num == 0)
    return true;
  *symbol =
      ts_arena_format(records->arena, "tessera.%s.%s", arguments ? "arguments" : "results", name);
  ts_record_structs(records, *symbol, location, TS_INTERNAL, num, PARAMETER_FIELDS, fields);
  return true;
}

/* ---- what stays on the function -------------------------------------------------------------- */

enum { MAX_KEPT = 64 };

/* Those of the attributes that the record does not hold, with room for one more; their number. */
static intptr_t keep_foreign(MlirAttribute attributes, MlirNamedAttribute kept[MAX_KEPT]) {
  intptr_t num = 0;
  intptr_t count = attributes.ptr ? mlirDictionaryAttrGetNumElements(attributes) : 0;
  for (intptr_t i = 0; i < count && num < MAX_KEPT - 1; i++) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(attributes, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    bool ours = name.length > 8 && memcmp(name.data, "tessera.", 8) == 0;
    if (!ours && !ts_string_equal(name, "bufferization.writable"))
      kept[num++] = attribute;
  }
  return num;
}

static MlirAttribute strip(MlirContext context, MlirAttribute attributes) {
  MlirNamedAttribute kept[MAX_KEPT];
  intptr_t num = keep_foreign(attributes, kept);
  return mlirDictionaryAttrGet(context, num, kept);
}

/* The same for an argument that compiled code must not write, or that it may. */
static MlirAttribute strip_and_say(MlirContext context, MlirAttribute attributes, bool donated) {
  MlirNamedAttribute kept[MAX_KEPT];
  intptr_t num = keep_foreign(attributes, kept);
  kept[num++] = donated ? ts_named(context, donated_name, mlirUnitAttrGet(context))
                        : ts_named(context, "bufferization.writable", mlirBoolAttrGet(context, 0));
  return mlirDictionaryAttrGet(context, num, kept);
}

/* Of one list. */
static void protect(ts_arena *arena, MlirOperation function, const char *which, MlirType type) {
  MlirContext context = mlirOperationGetContext(function);
  bool arguments = strcmp(which, "arg_attrs") == 0;
  intptr_t num =
      arguments ? mlirFunctionTypeGetNumInputs(type) : mlirFunctionTypeGetNumResults(type);
  MlirAttribute *lists = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++) {
    MlirAttribute old = parameter_attributes(function, which, i);
    bool tensor = arguments && mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i));
    bool donated = tensor && dictionary_entry(old, donated_name).ptr;
    lists[i] = tensor ? strip_and_say(context, old, donated) : strip(context, old);
  }
  if (num > 0)
    mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(which),
                                    mlirArrayAttrGet(context, num, lists));
}

void ts_parameters_protect(ts_arena *arena, MlirOperation function) {
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  protect(arena, function, "arg_attrs", type);
  protect(arena, function, "res_attrs", type);
}

bool ts_parameter_is_donated(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation function = mlirBlockGetParentOperation(block);
  return function.ptr && ts_op_is(function, "func.func") &&
         mlirBlockEqual(ts_function_entry(function), block) &&
         dictionary_entry(
             parameter_attributes(function, "arg_attrs", mlirBlockArgumentGetArgNumber(value)),
             donated_name)
             .ptr;
}

void ts_parameters_forget(ts_arena *arena, MlirOperation function) {
  const char *lists[] = {"arg_attrs", "res_attrs"};
  for (int l = 0; l < 2; l++) {
    MlirAttribute old = ts_attribute(function, lists[l]);
    intptr_t num = old.ptr ? mlirArrayAttrGetNumElements(old) : 0;
    MlirAttribute *stripped = TS_NEW(arena, MlirAttribute, num);
    MlirContext context = mlirOperationGetContext(function);
    for (intptr_t i = 0; i < num; i++)
      stripped[i] = strip(context, mlirArrayAttrGetElement(old, i));
    if (num > 0)
      mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(lists[l]),
                                      mlirArrayAttrGet(context, num, stripped));
  }
}
