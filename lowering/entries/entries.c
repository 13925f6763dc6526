/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entry functions: which they are, and what resolves the numbers that their layouts leave open. It
 * knows signatures; it must not know bodies. */
#include "lowering/entries/entries.h"

#include <inttypes.h>
#include <string.h>

#include "lowering/entries/function_names.h"
#include "lowering/entries/parameter_records.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

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

/* ---- resolvers ------------------------------------------------------------------------------- */

/* How many numbers the layouts of the function leave open. */
static int64_t count_unknowns(ts_sites *sites, MlirOperation function, const ts_entry *entry) {
  int64_t unknowns = 0;
  for (intptr_t i = 0; i < entry->num_arguments + entry->num_results; i++) {
    bool argument = i < entry->num_arguments;
    MlirType global;
    const char *mistake;
    const ts_sharding *sharding =
        ts_parameter_layout(sites, function, argument ? "arg_attrs" : "res_attrs",
                            argument ? i : i - entry->num_arguments, &global, &mistake);
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
    ts_parameter_layout(sites, function, "arg_attrs", i, &expected, &mistake);
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

/* ---- entries --------------------------------------------------------------------------------- */

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

static bool add_entry(ts_entries *entries, ts_sites *sites, MlirOperation function, bool oracle) {
  ts_arena *arena = sites->records->arena;
  MlirStringRef symbol = ts_op_symbol(function, "sym_name");
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  ts_entry entry = describe_function(arena, symbol, type);
  if (!oracle && !ts_parameters_have_layouts(function, "arg_attrs", entry.num_arguments) &&
      !ts_parameters_have_layouts(function, "res_attrs", entry.num_results))
    entry.flags |= TESSERA_ENTRY_PER_DEVICE;
  if (!ts_parameters_record(sites, function, entry.name, "arg_attrs", entry.num_arguments,
                            &entry.arguments) ||
      !ts_parameters_record(sites, function, entry.name, "res_attrs", entry.num_results,
                            &entry.results) ||
      !describe_resolver(sites, function, &entry, &entry.resolve))
    return false;
  ts_parameters_protect(arena, function);
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
      ts_parameters_forget(sites->records->arena, op);
  }
  return good;
}
