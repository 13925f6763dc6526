/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a function says of its arguments and results: tessera.layout, which outlives annotations
 * that canonicalization deletes. It knows attributes; it must not know how layouts are chosen. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

#include "model/signature.h"

/* `dictionary` with `name` set to `value`. */
static MlirAttribute dictionary_with(ts_arena *arena, MlirContext context, MlirAttribute dictionary,
                                     const char *name, MlirAttribute value) {
  intptr_t old = mlirDictionaryAttrGetNumElements(dictionary);
  MlirNamedAttribute *entries = TS_NEW(arena, MlirNamedAttribute, old + 1);
  intptr_t num = 0;
  for (intptr_t i = 0; i < old; i++) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    MlirStringRef key = mlirIdentifierStr(entry.name);
    if (key.length != strlen(name) || memcmp(key.data, name, key.length) != 0)
      entries[num++] = entry;
  }
  MlirIdentifier key = mlirIdentifierGet(context, mlirStringRefCreateFromCString(name));
  entries[num++] = mlirNamedAttributeGet(key, value);
  return mlirDictionaryAttrGet(context, num, entries);
}

/* Sets the function's `list` (arg_attrs, res_attrs) so that every tensor says its layout. */
static void record_layouts(ts_model *model, ts_function *function, const char *list, int num,
                           ts_value *const *values) {
  MlirStringRef list_name = mlirStringRefCreateFromCString(list);
  MlirAttribute old = mlirOperationGetAttributeByName(function->handle, list_name);
  MlirAttribute *entries = TS_NEW(model->arena, MlirAttribute, num);
  MlirAttribute empty = mlirDictionaryAttrGet(model->context, 0, NULL);
  for (int i = 0; i < num; i++) {
    MlirAttribute entry = mlirAttributeIsNull(old) ? empty : mlirArrayAttrGetElement(old, i);
    if (values[i])
      entry = dictionary_with(
          model->arena, model->context, entry, "tessera.layout",
          ts_layout_to_attribute(model->arena, model->context, values[i]->layout, values[i]->type));
    entries[i] = entry;
  }
  if (num)
    mlirOperationSetAttributeByName(function->handle, list_name,
                                    mlirArrayAttrGet(model->context, num, entries));
}

void ts_record_signature(ts_model *model, ts_function *function) {
  record_layouts(model, function, "arg_attrs", function->num_arguments, function->arguments);
  record_layouts(model, function, "res_attrs", function->num_results, function->results);
}

const ts_sharding *ts_recorded_layout(ts_grids *grids, MlirAttribute list, intptr_t i,
                                      MlirType *global) {
  if (mlirAttributeIsNull(list))
    return NULL;
  const char *mistake;
  MlirAttribute layout = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(list, i), mlirStringRefCreateFromCString("tessera.layout"));
  return ts_layout_from_attribute(grids, layout, global, &mistake);
}

MlirStringRef ts_resolver_name(MlirOperation function) {
  MlirAttribute name = ts_attribute(function, "tessera.resolve");
  bool named = !mlirAttributeIsNull(name) && mlirAttributeIsAFlatSymbolRef(name);
  return named ? mlirFlatSymbolRefAttrGetValue(name) : mlirStringRefCreate(NULL, 0);
}

/* ---- between propagation and partition ------------------------------------------------------- */

static MlirStringRef mark(void) {
  return mlirStringRefCreateFromCString("tessera.propagated");
}

void ts_set_propagated(MlirOperation function) {
  mlirOperationSetAttributeByName(function, mark(),
                                  mlirUnitAttrGet(mlirOperationGetContext(function)));
}

void ts_remove_propagated(MlirOperation function) {
  mlirOperationRemoveAttributeByName(function, mark());
}

bool ts_is_propagated(MlirOperation function) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(function, mark()));
}

static const ts_grid *grid_in(ts_grids *grids, MlirOperation function, const char *list) {
  MlirAttribute all = ts_attribute(function, list);
  intptr_t num = mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all);
  MlirType global;
  for (intptr_t i = 0; i < num; i++) {
    const ts_sharding *layout = ts_recorded_layout(grids, all, i, &global);
    if (layout)
      return layout->grid;
  }
  return NULL;
}

const ts_grid *ts_propagated_grid(ts_grids *grids, MlirOperation function) {
  if (!ts_is_propagated(function))
    return NULL;
  const ts_grid *grid = grid_in(grids, function, "arg_attrs");
  return grid ? grid : grid_in(grids, function, "res_attrs");
}
