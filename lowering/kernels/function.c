/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The function of a kernel: what it is given, its text, and which functions there are already. It
 * knows functions; it must not know what a target does with nests. */
#include "lowering/kernels/function.h"

#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

enum { MOST_ARGUMENTS = 250 };

struct ts_known_kernel {
  const char *text;
  uint64_t hash;
  const char *name;
};

/* ---- what bodies use ------------------------------------------------------------------------- */

typedef struct capture {
  ts_kernel *kernel;
  MlirOperation nest;
} capture;

static bool is_inside(MlirValue value, MlirOperation op) {
  MlirOperation at = mlirValueIsAOpResult(value)
                         ? mlirOpResultGetOwner(value)
                         : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  for (; at.ptr; at = mlirOperationGetParentOperation(at))
    if (mlirOperationEqual(at, op))
      return true;
  return false;
}

static void add_captured(ts_kernel *kernel, MlirValue value) {
  for (int i = 0; i < kernel->num_captured; i++)
    if (mlirValueEqual(kernel->captured[i], value))
      return;
  kernel->captured = ts_arena_grow(kernel->memories->arena, kernel->captured, kernel->num_captured,
                                   &kernel->max_captured, sizeof(MlirValue));
  kernel->captured[kernel->num_captured++] = value;
}

static bool is_constant(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is_constant_like(op);
}

static MlirWalkResult note_captured(MlirOperation op, void *user) {
  const capture *c = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && op.ptr != c->nest.ptr; i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_inside(value, c->nest) && !is_constant(value))
      add_captured(c->kernel, value);
  }
  return MlirWalkResultAdvance;
}

static void find_captured(ts_kernel *kernel) {
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    capture c = {kernel, nest->op};
    mlirOperationWalk(nest->op, note_captured, &c, MlirWalkPreOrder);
    for (int i = 0; i < nest->num_inputs; i++) {
      MlirValue value = mlirOperationGetOperand(nest->op, i);
      if (!nest->accesses[i].memory && !is_constant(value))
        add_captured(kernel, value);
    }
  }
}

/* ---- symbols --------------------------------------------------------------------------------- */

static void note_symbols(ts_kernel *kernel, const ts_product *product) {
  for (int i = 0; i < product->num; i++) {
    int j = 0;
    while (j < kernel->num_symbols && kernel->symbols[j] != product->symbols[i])
      j++;
    if (j == kernel->num_symbols)
      kernel->symbols[kernel->num_symbols++] = product->symbols[i];
  }
}

static void find_symbols(ts_kernel *kernel) {
  kernel->symbols = TS_NEW(kernel->memories->arena, int, kernel->memories->num_symbols);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    for (int l = 0; l < nest->num_loops; l++)
      note_symbols(kernel, &nest->loops[l].extent);
    for (int a = 0; a < nest->num_accesses; a++) {
      note_symbols(kernel, &nest->accesses[a].offset);
      for (int l = 0; l < nest->num_loops; l++)
        note_symbols(kernel, &nest->accesses[a].strides[l]);
    }
  }
}

/* ---- the function ---------------------------------------------------------------------------- */

typedef struct text_sink {
  char *data;
  size_t used, size;
} text_sink;

static void append(MlirStringRef part, void *user) {
  text_sink *sink = user;
  if (sink->used + part.length + 1 > sink->size) {
    sink->size = 2 * (sink->used + part.length + 1);
    char *data = realloc(sink->data, sink->size);
    if (!data)
      abort();
    sink->data = data;
  }
  memcpy(sink->data + sink->used, part.data, part.length);
  sink->used += part.length;
  sink->data[sink->used] = '\0';
}

static uint64_t hash_text(const char *text) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

/* All the ops that it is made of, so that messages and profilers can name them. */
static MlirLocation location_of(MlirContext context, const ts_kernel *kernel) {
  MlirLocation *locations = TS_NEW(kernel->memories->arena, MlirLocation, kernel->num_nests);
  for (int n = 0; n < kernel->num_nests; n++)
    locations[n] = mlirOperationGetLocation(kernel->nests[n]->op);
  return kernel->num_nests == 1
             ? locations[0]
             : mlirLocationFusedGet(context, kernel->num_nests, locations, mlirAttributeGetNull());
}

static MlirOperation make_function(ts_kernel_functions *f, const ts_kernel *kernel) {
  MlirType types[MOST_ARGUMENTS];
  MlirAttribute attributes[MOST_ARGUMENTS];
  MlirLocation location = location_of(f->context, kernel), locations[MOST_ARGUMENTS];
  intptr_t num = 0;
  MlirNamedAttribute noalias = ts_named(f->context, "llvm.noalias", mlirUnitAttrGet(f->context));
  for (int p = 0; p < kernel->num_pointers; p++)
    if (!kernel->pointers[p].elements) {
      attributes[num] = mlirDictionaryAttrGet(f->context, kernel->pointers[p].is_apart, &noalias);
      types[num++] = ts_pointer_type(f->context);
    }
  for (int s = 0; s < kernel->num_symbols + kernel->num_captured; s++) {
    attributes[num] = mlirDictionaryAttrGet(f->context, 0, NULL);
    types[num++] = s < kernel->num_symbols
                       ? mlirIndexTypeGet(f->context)
                       : mlirValueGetType(kernel->captured[s - kernel->num_symbols]);
  }
  for (intptr_t i = 0; i < num; i++)
    locations[i] = location;
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(num, types, locations));
  MlirNamedAttribute named[] = {
      ts_named(f->context, "sym_name", ts_text_attribute(f->context, "tessera.kernel")),
      ts_named(f->context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(f->context, num, types, 0, NULL))),
      ts_named(f->context, "sym_visibility", ts_text_attribute(f->context, "private")),
      /* Programs that are loaded together have kernels of equal names. */
      ts_named(f->context, "llvm.linkage",
               mlirLLVMLinkageAttrGet(f->context, MlirLLVMLinkageInternal)),
      ts_named(f->context, "arg_attrs", mlirArrayAttrGet(f->context, num, attributes)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(f->module), location);
  MlirOperation function =
      ts_make_op(&build, &(ts_new_op){.name = "func.func",
                                      .num_attributes = sizeof(named) / sizeof(*named),
                                      .attributes = named,
                                      .region = region});
  f->target->emit(kernel, function);
  return function;
}

/* The name of the function, or of one that is equal and was there, in place of it. */
static const char *keep_function(ts_kernel_functions *f, MlirOperation function) {
  text_sink text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags); /* else all of the module is looked at each time */
  mlirOperationPrintWithFlags(function, flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  uint64_t hash = hash_text(text.data);
  for (int k = 0; k < f->num_known; k++)
    if (f->known[k].hash == hash && strcmp(f->known[k].text, text.data) == 0) {
      free(text.data);
      mlirOperationDestroy(function);
      return f->known[k].name;
    }
  f->known = ts_arena_grow(f->arena, f->known, f->num_known, &f->max_known, sizeof(*f->known));
  const char *name = ts_arena_format(f->arena, "tessera.kernel.%d", f->num_known);
  f->known[f->num_known++] =
      (struct ts_known_kernel){ts_arena_format(f->arena, "%s", text.data), hash, name};
  free(text.data);
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("sym_name"),
                                  ts_text_attribute(f->context, name));
  return name;
}

const char *ts_kernel_function(ts_kernel_functions *functions, ts_kernel *kernel) {
  find_captured(kernel);
  find_symbols(kernel);
  if (kernel->num_pointers + kernel->num_symbols + kernel->num_captured > MOST_ARGUMENTS)
    return NULL;
  return keep_function(functions, make_function(functions, kernel));
}
