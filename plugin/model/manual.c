/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera.manual: a function that is the program of one device, run inside of an annotated one. It
 * knows what such a function says of its pieces; it must not know what it does with them. */
#include "model/manual.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/annotation.h"
#include "support/diagnostics.h"

static MlirOperation function_of(const ts_model *model, MlirOperation op) {
  return ts_model_symbol(model, ts_op_symbol(op, "callee"));
}

MlirType ts_manual_type(const ts_model *model, MlirOperation op, ts_side side, intptr_t i) {
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function_of(model, op), "function_type"));
  return side == TS_TAKEN ? mlirFunctionTypeGetInput(type, i) : mlirFunctionTypeGetResult(type, i);
}

/* What the function says of it, or null. */
static MlirAttribute layout_attribute(const ts_model *model, MlirOperation op, ts_side side,
                                      intptr_t i) {
  MlirAttribute all =
      ts_attribute(function_of(model, op), side == TS_TAKEN ? "arg_attrs" : "res_attrs");
  if (mlirAttributeIsNull(all))
    return all;
  return mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i),
                                            mlirStringRefCreateFromCString("tessera.layout"));
}

static const char *word(ts_side side) {
  return side == TS_TAKEN ? "argument" : "result";
}

static const ts_sharding *read(ts_model *model, const ts_function *function, MlirOperation op,
                               ts_side side, intptr_t i, MlirType type) {
  MlirAttribute attribute = layout_attribute(model, op, side, i);
  if (mlirAttributeIsNull(attribute))
    return ts_sharding_replicated(model->arena, function->grid, (int)mlirShapedTypeGetRank(type),
                                  ts_shape_of(model->arena, type));
  MlirType global;
  const char *mistake = NULL;
  const ts_sharding *layout = ts_layout_from_attribute(&model->grids, attribute, &global, &mistake);
  if (layout && !mlirTypeEqual(global, type))
    mistake = "`global` is not the type of the tensor here";
  else if (layout && ts_sharding_run_time(layout, NULL))
    mistake = "it has halo sizes or shard offsets that only the launch knows";
  const ts_sharding *refined = layout ? ts_sharding_on(model->arena, layout, function->grid) : NULL;
  if (!mistake && layout && !refined)
    mistake = "it is on another grid than the annotations";
  if (!mistake)
    return refined;
  ts_error(op, "the `tessera.layout` of %s %d of the function is not a layout of it: %s",
           word(side), (int)i, mistake);
  return NULL;
}

const ts_sharding *ts_manual_layout(ts_model *model, const ts_function *function, MlirOperation op,
                                    ts_side side, intptr_t i, MlirType type) {
  const ts_sharding *layout = read(model, function, op, side, i, type);
  if (!layout)
    return NULL;
  MlirType piece = ts_local_type(layout, type), own = ts_manual_type(model, op, side, i);
  if (mlirTypeEqual(piece, own))
    return layout;
  char text[128];
  ts_type_text(piece, text, sizeof(text));
  ts_error(op,
           "%s %d of the function is not the piece of a device: expected %s, the type under its "
           "`tessera.layout`",
           word(side), (int)i, text);
  return NULL;
}
