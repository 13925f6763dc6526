/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entry functions: which they are and the parameters that their records describe. It knows
 * signatures; it must not know bodies. */
#include "lowering/entries/entries.h"

#include <inttypes.h>
#include <string.h>

#include "capi/capi.h"
#include "lowering/entries/function_names.h"
#include "lowering/entries/precision.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

/* ---- parameters ------------------------------------------------------------------------------ */

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
    shape[d] = mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
  return ts_record_i64(records, rank, shape);
}

enum { PARAMETER_FIELDS = 11 };

/* The layout that `attributes` say a parameter has, and its global type; NULL without a mistake if
 * they say nothing. */
static const ts_sharding *layout_of(ts_sites *sites, MlirAttribute attributes, MlirType *global,
                                    const char **mistake) {
  MlirAttribute layout = dictionary_entry(attributes, "tessera.layout");
  *mistake = NULL;
  return layout.ptr ? ts_layout_from_attribute(&sites->grids, layout, global, mistake) : NULL;
}

/* What one parameter's record is made of. */
typedef struct parameter {
  MlirLocation location;
  MlirType type; /* local */
  MlirAttribute attributes;
  int32_t computed_in;
} parameter;

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
      TS_I32(0),
  };
  memcpy(fields, made, sizeof(made));
  return true;
}

/* The array of a function's argument or result records. */
static bool parameters_record(ts_sites *sites, MlirOperation function, const char *name,
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
                   parameter_attributes(function, which, i), computed_in[i]};
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

/* ---- attributes of the function -------------------------------------------------------------- */

static bool has_layout(MlirOperation function, const char *which, intptr_t num) {
  for (intptr_t i = 0; i < num; i++)
    if (dictionary_entry(parameter_attributes(function, which, i), "tessera.layout").ptr)
      return true;
  return false;
}

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

/* The same for an argument that compiled code must not write. */
static MlirAttribute strip_and_protect(MlirContext context, MlirAttribute attributes) {
  MlirNamedAttribute kept[MAX_KEPT];
  intptr_t num = keep_foreign(attributes, kept);
  kept[num++] = ts_named(context, "bufferization.writable", mlirBoolAttrGet(context, 0));
  return mlirDictionaryAttrGet(context, num, kept);
}

/* Callers keep their arguments, unless one is marked tessera.donated. */
static void protect_parameters(ts_arena *arena, MlirOperation function, const char *which,
                               MlirType type) {
  MlirContext context = mlirOperationGetContext(function);
  bool arguments = strcmp(which, "arg_attrs") == 0;
  intptr_t num =
      arguments ? mlirFunctionTypeGetNumInputs(type) : mlirFunctionTypeGetNumResults(type);
  MlirAttribute *lists = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++) {
    MlirAttribute old = parameter_attributes(function, which, i);
    bool tensor = arguments && mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i));
    bool donated = dictionary_entry(old, "tessera.donated").ptr != NULL;
    lists[i] = tensor && !donated ? strip_and_protect(context, old) : strip(context, old);
  }
  if (num > 0)
    mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(which),
                                    mlirArrayAttrGet(context, num, lists));
}

/* Functions that only others of the module call: what records would say of them is not asked. */
static void forget_layouts(ts_arena *arena, MlirOperation function) {
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

static void make_private(MlirOperation function) {
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("sym_visibility"),
                                  ts_text_attribute(mlirOperationGetContext(function), "private"));
}

/* A program exports its record and nothing else: no function name of the source can clash with a
 * name of the process. */
static void make_internal(MlirOperation function) {
  MlirAttribute internal =
      mlirLLVMLinkageAttrGet(mlirOperationGetContext(function), MlirLLVMLinkageInternal);
  if (ts_op_is(function, "llvm.func"))
    mlirOperationSetInherentAttributeByName(function, mlirStringRefCreateFromCString("linkage"),
                                            internal);
  else
    mlirOperationSetDiscardableAttributeByName(
        function, mlirStringRefCreateFromCString("llvm.linkage"), internal);
}

/* ---- which functions ------------------------------------------------------------------------- */

static bool is_listed(const char *names, MlirStringRef name) {
  while (*names) {
    size_t length = strcspn(names, ",");
    if (length == name.length && memcmp(names, name.data, length) == 0)
      return true;
    names += length + (names[length] == ',');
  }
  return false;
}

static bool is_public_function(MlirOperation op) {
  MlirStringRef visibility = ts_op_symbol(op, "sym_visibility");
  return ts_op_is(op, "func.func") && ts_function_entry(op).ptr &&
         (visibility.length == 0 || ts_string_equal(visibility, "public"));
}

/* The entry of function `symbol` as far as a call of it needs to know. */
static ts_entry describe_function(ts_arena *arena, MlirStringRef symbol, MlirType type) {
  MlirStringRef name = ts_names_source(symbol);
  ts_entry entry = {.name = ts_arena_format(arena, "%.*s", (int)name.length, name.data),
                    .symbol = ts_arena_format(arena, "%.*s", (int)symbol.length, symbol.data),
                    .num_arguments = mlirFunctionTypeGetNumInputs(type),
                    .num_results = mlirFunctionTypeGetNumResults(type)};
  entry.packed = ts_arena_format(arena, "tessera.entry.%s", entry.name);
  return entry;
}

/* How many numbers the layouts of the function leave open. */
static int64_t count_unknowns(ts_sites *sites, MlirOperation function, const ts_entry *entry) {
  int64_t unknowns = 0;
  for (intptr_t i = 0; i < entry->num_arguments + entry->num_results; i++) {
    bool argument = i < entry->num_arguments;
    MlirType global;
    const char *mistake;
    const ts_sharding *sharding =
        layout_of(sites,
                  parameter_attributes(function, argument ? "arg_attrs" : "res_attrs",
                                       argument ? i : i - entry->num_arguments),
                  &global, &mistake);
    unknowns += sharding ? ts_sharding_run_time(sharding, NULL) : 0;
  }
  return unknowns;
}

/* Whether a function of `type` takes the arguments of `function` as they are before they are cut.
 */
static bool takes_arguments(ts_sites *sites, MlirOperation function, const ts_entry *entry,
                            MlirType type) {
  MlirType own = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  bool same = mlirFunctionTypeGetNumInputs(type) == entry->num_arguments;
  for (intptr_t i = 0; i < entry->num_arguments && same; i++) {
    MlirType expected = mlirFunctionTypeGetInput(own, i);
    const char *mistake;
    layout_of(sites, parameter_attributes(function, "arg_attrs", i), &expected, &mistake);
    same = mlirTypeEqual(mlirFunctionTypeGetInput(type, i), expected);
  }
  return same;
}

static bool gives_numbers(MlirType type, int64_t num) {
  MlirType i64 = mlirIntegerTypeGet(mlirTypeGetContext(type), 64);
  bool gives = mlirFunctionTypeGetNumResults(type) == num;
  for (int64_t i = 0; i < num && gives; i++)
    gives = mlirTypeEqual(mlirFunctionTypeGetResult(type, (intptr_t)i), i64);
  return gives;
}

/* The function with a body that tessera.resolve names, or null. */
static MlirOperation resolver_of(ts_records *records, MlirOperation function) {
  MlirAttribute name = ts_attribute(function, "tessera.resolve");
  MlirOperation none = {NULL};
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name))
    return none;
  MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(name);
  MlirOperation target = ts_module_symbol(
      records->module, ts_arena_format(records->arena, "%.*s", (int)symbol.length, symbol.data));
  return target.ptr && ts_op_is(target, "func.func") && ts_function_entry(target).ptr ? target
                                                                                      : none;
}

/* What tessera.resolve names: it takes the arguments of the entry as they are before they are cut,
 * and gives one number for each unknown one. NULL in `*resolve` if none is. False after a
 * diagnostic. */
static bool describe_resolver(ts_sites *sites, MlirOperation function, const ts_entry *entry,
                              const ts_entry **resolve) {
  ts_records *records = sites->records;
  MlirLocation location = mlirOperationGetLocation(function);
  int64_t unknowns = count_unknowns(sites, function, entry);
  *resolve = NULL;
  if (unknowns == 0 && mlirAttributeIsNull(ts_attribute(function, "tessera.resolve")))
    return true;
  MlirOperation target = resolver_of(records, function);
  if (!target.ptr)
    return ts_error_at(location,
                       "the layouts of @%s leave halo sizes and shard offsets, %" PRId64 " in "
                       "all, to the launch, but `tessera.resolve` names no function with a "
                       "body that computes them; run tessera-propagate anew",
                       entry->name, unknowns);
  MlirType type = mlirTypeAttrGetValue(ts_attribute(target, "function_type"));
  MlirStringRef symbol = ts_op_symbol(target, "sym_name"), name = ts_names_source(symbol);
  if (!takes_arguments(sites, function, entry, type))
    return ts_error_at(location,
                       "`tessera.resolve` names @%.*s, which takes other arguments than @%s: "
                       "expected the same, of their global types; run tessera-propagate anew",
                       (int)name.length, name.data, entry->name);
  if (!gives_numbers(type, unknowns))
    return ts_error_at(location,
                       "`tessera.resolve` names @%.*s, which has other results than the "
                       "layouts of @%s leave open: expected %" PRId64 " of type i64; run "
                       "tessera-propagate anew",
                       (int)name.length, name.data, entry->name, unknowns);
  ts_entry *made = TS_NEW(records->arena, ts_entry, 1);
  *made = describe_function(records->arena, symbol, type);
  *resolve = made;
  mlirOperationRemoveAttributeByName(function, mlirStringRefCreateFromCString("tessera.resolve"));
  return true;
}

static bool add_entry(ts_entries *entries, ts_sites *sites, MlirOperation function, bool oracle) {
  ts_arena *arena = sites->records->arena;
  MlirStringRef symbol = ts_op_symbol(function, "sym_name");
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  ts_entry entry = describe_function(arena, symbol, type);
  if (!oracle && !has_layout(function, "arg_attrs", entry.num_arguments) &&
      !has_layout(function, "res_attrs", entry.num_results))
    entry.flags |= TESSERA_ENTRY_PER_DEVICE;
  if (!parameters_record(sites, function, entry.name, "arg_attrs", entry.num_arguments,
                         &entry.arguments) ||
      !parameters_record(sites, function, entry.name, "res_attrs", entry.num_results,
                         &entry.results) ||
      !describe_resolver(sites, function, &entry, &entry.resolve))
    return false;
  protect_parameters(arena, function, "arg_attrs", type);
  protect_parameters(arena, function, "res_attrs", type);
  entries->entries[entries->num++] = entry;
  return true;
}

/* Every name of the list must be a public function with a body. */
static bool check_names(MlirOperation module, const char *names) {
  while (*names) {
    size_t length = strcspn(names, ",");
    bool found = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
         op = mlirOperationGetNextInBlock(op)) {
      MlirStringRef name = ts_names_source(ts_op_symbol(op, "sym_name"));
      found |=
          is_public_function(op) && name.length == length && memcmp(name.data, names, length) == 0;
    }
    if (!found)
      return ts_error_at(mlirOperationGetLocation(module),
                         "no public function with a body is called \"%.*s\"", (int)length, names);
    names += length + (names[length] == ',');
  }
  return true;
}

bool ts_entries_collect(ts_entries *entries, ts_sites *sites, const ts_entry_options *options) {
  MlirOperation module = sites->records->module;
  intptr_t room = 0;
  if (!check_names(module, options->names))
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    room += is_public_function(op);
  *entries = (ts_entries){0, TS_NEW(sites->records->arena, ts_entry, room)};
  bool all = options->names[0] == '\0', good = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (ts_names_is_defined(op))
      make_internal(op);
    bool listed = all || is_listed(options->names, ts_names_source(ts_op_symbol(op, "sym_name")));
    if (is_public_function(op) && listed) {
      good &= add_entry(entries, sites, op, options->oracle);
      continue;
    }
    if (is_public_function(op))
      make_private(op);
    if (ts_op_is(op, "func.func"))
      forget_layouts(sites->records->arena, op);
  }
  return good;
}
