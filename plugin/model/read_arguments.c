/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts of arguments that nothing annotates any more. It knows the function's attributes; it must
 * not know its ops. */
#include "model/reader.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/annotation.h"
#include "support/diagnostics.h"

/* The layout that `attribute` says argument `i` has; NULL after a located error. */
static const ts_sharding *read_layout(ts_reader *r, int i, MlirAttribute attribute) {
  MlirType global;
  const char *mistake;
  const ts_sharding *layout =
      ts_layout_from_attribute(&r->model->grids, attribute, &global, &mistake);
  const ts_sharding *refined =
      layout ? ts_sharding_on(r->model->arena, layout, r->function->grid) : NULL;
  if (layout && !refined)
    mistake = ts_arena_format(r->model->arena, "it is on grid @%s, the annotations are on grid @%s",
                              layout->grid->name, r->function->grid->name);
  else if (layout && !mlirTypeEqual(global, r->function->arguments[i]->type))
    mistake = "`global` is not the type of the argument";
  else if (layout && ts_sharding_run_time(layout, NULL) && ts_is_public(r->function->handle))
    mistake = "it has halo sizes or shard offsets that only the launch knows, and no annotation "
              "before the first use of the argument says which they are";
  if (!mistake)
    return refined;
  ts_error(r->function->handle,
           "the `tessera.layout` of argument %d of @%s is not a layout of it: %s; correct it, or "
           "remove it for propagation to decide",
           i, r->function->name, mistake);
  r->failed = true;
  return NULL;
}

/* Propagation leaves each argument's layout on the function, because canonicalization deletes the
 * annotation of an argument that nothing uses. */
void ts_read_argument_layouts(ts_reader *r) {
  MlirAttribute all = mlirOperationGetAttributeByName(r->function->handle,
                                                      mlirStringRefCreateFromCString("arg_attrs"));
  if (mlirAttributeIsNull(all))
    return;
  for (int i = 0; i < r->function->num_arguments; i++) {
    ts_value *value = r->function->arguments[i];
    MlirAttribute attribute = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i), mlirStringRefCreateFromCString("tessera.layout"));
    if (!value || value->annotation.ptr || mlirAttributeIsNull(attribute))
      continue;
    const ts_sharding *layout = read_layout(r, i, attribute);
    if (!layout)
      continue;
    /* Nobody knows numbers without an annotation, and nobody uses the data: a caller is free. */
    if (ts_sharding_run_time(layout, NULL))
      continue;
    value->layout = layout;
    value->is_fixed = true;
  }
}
