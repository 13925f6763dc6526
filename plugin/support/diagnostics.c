/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Small questions and diagnostics about operations, shared by the solver and the passes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

#include "capi/capi.h"
#include "model/model.h"

bool ts_is_public(MlirOperation function) {
  MlirAttribute visibility = ts_attribute(function, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

void ts_error(MlirOperation op, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  MlirLocation location = mlirOperationGetLocation(op);
  ts_diagnose(location, TS_ERROR, message, location, NULL);
}

void ts_remark(ts_model *model, MlirOperation op, const char *format, ...) {
  if (!model->tells)
    return;
  va_list arguments;
  va_start(arguments, format);
  const char *text = ts_arena_vformat(model->arena, format, arguments);
  va_end(arguments);
  model->notes = ts_arena_grow(model->arena, model->notes, model->num_notes, &model->max_notes,
                               sizeof *model->notes);
  model->notes[model->num_notes++] = (ts_note){op, text};
}

void ts_tell(const ts_model *model) {
  for (int i = 0; i < model->num_notes; ++i) {
    MlirLocation location = mlirOperationGetLocation(model->notes[i].op);
    ts_diagnose(location, TS_REMARK, model->notes[i].text, location, NULL);
  }
}

const char *ts_free_symbol(const ts_model *model, const ts_function *function, const char *suffix) {
  const char *name = ts_arena_format(model->arena, "%s.%s", function->name, suffix);
  for (int i = 2; ts_model_symbol(model, mlirStringRefCreateFromCString(name)).ptr; ++i)
    name = ts_arena_format(model->arena, "%s.%s%d", function->name, suffix, i);
  return name;
}
