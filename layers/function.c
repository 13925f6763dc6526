/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The beginning and the end of a function of layers, and its errors. It must not know any layer. */
#include "function.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/Shard.h"
#include "mlir-c/Dialect/Tensor.h"

#include "capi/capi.h"
#include "support/diagnostics.h"
#include "support/ir.h"

/* ---- errors ---------------------------------------------------------------------------------- */

MlirValue ts_layers_fail(tessera_layers *layers, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = ts_arena_vformat(&layers->arena, format, arguments);
  va_end(arguments);
  ts_error_at(layers->location, "function '%s': %s", layers->name, message);
  if (!layers->message)
    layers->message = message;
  return (MlirValue){NULL};
}

bool ts_layers_good(tessera_layers *layers, int num, const MlirValue *values) {
  if (!layers || layers->message)
    return false;
  for (int i = 0; i < num; i++)
    if (mlirValueIsNull(values[i])) {
      ts_layers_fail(layers, "a layer was given a null value: expected one of the function");
      return false;
    }
  return true;
}

const char *tessera_layers_message(const tessera_layers *layers) {
  return layers && layers->message ? layers->message : "";
}

/* ---- what layers build with ------------------------------------------------------------------ */

ts_maker ts_layers_build(const tessera_layers *layers) {
  return ts_make_at_end(layers->block, layers->location);
}

const char *ts_layers_text(tessera_layers *layers, const char *name, const char *part) {
  return ts_arena_format(&layers->arena, "%s.%s", name, part);
}

MlirType ts_layers_tensor(const tessera_layers *layers, int rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, layers->element, mlirAttributeGetNull());
}

int ts_layers_shape(MlirValue value, int64_t *shape) {
  MlirType type = mlirValueGetType(value);
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int d = 0; d < rank; d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  return rank;
}

int64_t ts_layers_extent(MlirValue value, int dim) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(value), dim);
}

bool ts_layers_check(tessera_layers *layers, MlirValue value, int min, const char *what) {
  MlirType type = mlirValueGetType(value);
  char text[128], element[32];
  if (mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
      mlirTypeEqual(mlirShapedTypeGetElementType(type), layers->element) &&
      mlirShapedTypeGetRank(type) >= min && mlirShapedTypeGetRank(type) <= TS_LAYER_RANK)
    return true;
  ts_type_text(type, text, sizeof(text));
  ts_type_text(layers->element, element, sizeof(element));
  ts_layers_fail(layers, "%s is a %s: expected a tensor of %s with %d to %d known dimensions", what,
                 text, element, min, TS_LAYER_RANK);
  return false;
}

bool ts_layers_check_size(tessera_layers *layers, int64_t size, const char *what) {
  if (size >= 1)
    return true;
  ts_layers_fail(layers, "%s is %lld: expected 1 or more", what, (long long)size);
  return false;
}

bool ts_layers_check_flags(tessera_layers *layers, uint32_t flags, uint32_t known,
                           const char *what) {
  if ((flags & ~known) == 0)
    return true;
  ts_layers_fail(layers, "the flags 0x%x mean nothing for %s", flags & ~known, what);
  return false;
}

void tessera_layers_at(tessera_layers *layers, MlirLocation location) {
  if (layers && !mlirLocationIsNull(location))
    layers->location = location;
}

MlirBlock tessera_layers_block(const tessera_layers *layers) {
  return layers ? layers->block : (MlirBlock){NULL};
}

/* ---- options --------------------------------------------------------------------------------- */

/* As those of tessera_mesh_create. */
static const char *const usual_names[TS_LAYER_DIMS] = {
    "data", "tensor", "pipeline", "expert", "dim4",  "dim5",  "dim6",  "dim7",
    "dim8", "dim9",   "dim10",    "dim11",  "dim12", "dim13", "dim14", "dim15"};

static const char *dim_name(const tessera_layers_options *options, int32_t dim) {
  return options->names ? options->names[dim] : usual_names[dim];
}

/* The dimension called `name`, or -1. */
static int find_dim(const tessera_layers_options *options, const char *name) {
  for (int32_t i = 0; i < options->num_dims; i++)
    if (strcmp(dim_name(options, i), name) == 0)
      return i;
  return -1;
}

static bool check_names(const tessera_layers_options *options, MlirLocation location) {
  for (int32_t i = 0; i < options->num_dims; i++) {
    const char *name = dim_name(options, i);
    if (!name || !*name)
      return ts_error_at(location, "dimension %d of the mesh has no name", i);
    if (find_dim(options, name) < i)
      return ts_error_at(location, "two dimensions of the mesh are called '%s'", name);
  }
  return true;
}

static bool check_mesh(const tessera_layers_options *options, MlirLocation location) {
  if (options->num_dims < 1 || options->num_dims > TS_LAYER_DIMS || !options->shape)
    return ts_error_at(location, "a mesh of %d dimensions: expected 1 to %d, and their extents",
                       options->num_dims, TS_LAYER_DIMS);
  int64_t size = 1;
  for (int32_t i = 0; i < options->num_dims; i++)
    if (options->shape[i] < 1 || __builtin_mul_overflow(size, options->shape[i], &size) ||
        size > INT32_MAX)
      return ts_error_at(location,
                         "extent %lld of dimension %d: expected 1 or more, and at most "
                         "2147483647 devices",
                         (long long)options->shape[i], i);
  return check_names(options, location);
}

/* The axis that plays a role: one that `chosen` names, which has to be there, or the usual one. */
static bool set_axis(tessera_layers *layers, const tessera_layers_options *options,
                     tessera_split role, const char *chosen, const char *usual) {
  layers->axes[role] = find_dim(options, chosen ? chosen : usual);
  if (chosen && layers->axes[role] < 0)
    return ts_error_at(layers->location, "the mesh has no dimension '%s' to be its '%s'", chosen,
                       usual);
  return true;
}

static bool read_options(tessera_layers *layers, const tessera_layers_options *options) {
  if (!check_mesh(options, layers->location) ||
      !set_axis(layers, options, TESSERA_BY_DATA, options->data, "data") ||
      !set_axis(layers, options, TESSERA_BY_TENSOR, options->tensor, "tensor"))
    return false;
  if (layers->axes[TESSERA_BY_DATA] >= 0 &&
      layers->axes[TESSERA_BY_DATA] == layers->axes[TESSERA_BY_TENSOR])
    return ts_error_at(layers->location,
                       "one dimension of the mesh is to split both batches and layers");
  if (options->grid && !options->grid[0]) /* MLIR prints no symbol without one that it reads */
    return ts_error_at(layers->location, "the grid has no name: expected one, or NULL for 'mesh'");
  layers->num_dims = options->num_dims;
  memcpy(layers->shape, options->shape, sizeof(int64_t) * (size_t)options->num_dims);
  layers->axes[TESSERA_WHOLE] = -1;
  layers->grid = ts_arena_format(&layers->arena, "%s", options->grid ? options->grid : "mesh");
  layers->element = options->element;
  if (mlirTypeIsNull(options->element))
    layers->element = mlirF32TypeGet(layers->context);
  else if (!mlirTypeIsAF32(options->element) && !mlirTypeIsAF64(options->element))
    return ts_error_at(layers->location, "elements of layers are f32 or f64");
  return true;
}

/* ---- the module ------------------------------------------------------------------------------ */

static void load_dialects(MlirContext context) {
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__arith__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__linalg__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__math__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__shard__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tensor__(), context);
}

static MlirAttribute grid_shape(const tessera_layers *layers) {
  return mlirDenseI64ArrayGet(layers->context, layers->num_dims, layers->shape);
}

/* Whether the module has room for what is to be put into it. */
static bool fits_module(tessera_layers *layers) {
  MlirOperation module = mlirModuleGetOperation(layers->module);
  if (ts_module_symbol(module, layers->name).ptr)
    return ts_error_at(layers->location, "the module has a '%s' already", layers->name);
  MlirOperation grid = ts_module_symbol(module, layers->grid);
  if (!grid.ptr)
    return true;
  if (ts_op_is(grid, "shard.grid") &&
      mlirAttributeEqual(ts_attribute(grid, "shape"), grid_shape(layers)))
    return true;
  return ts_error_at(layers->location,
                     "the module's '%s' is no shard.grid of the shape of this mesh", layers->grid);
}

/* The grid if it had to be made, else null. */
static MlirOperation put_grid(const tessera_layers *layers) {
  MlirOperation module = mlirModuleGetOperation(layers->module);
  if (ts_module_symbol(module, layers->grid).ptr)
    return (MlirOperation){NULL};
  MlirNamedAttribute attributes[] = {
      ts_named(layers->context, "sym_name", ts_text_attribute(layers->context, layers->grid)),
      ts_named(layers->context, "shape", grid_shape(layers)),
  };
  ts_maker build = {layers->context, layers->location, ts_module_body(module),
                    mlirBlockGetFirstOperation(ts_module_body(module))};
  return ts_make_op(
      &build, &(ts_new_op){.name = "shard.grid", .num_attributes = 2, .attributes = attributes});
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool has_known_size(const tessera_layers_options *options) {
  return options->struct_size >=
         offsetof(tessera_layers_options, element) + sizeof(options->element);
}

tessera_layers *tessera_layers_begin(MlirModule module, const char *name,
                                     const tessera_layers_options *options) {
  if (mlirModuleIsNull(module)) {
    fprintf(stderr, "tessera_layers_begin: the module is null\n");
    return NULL;
  }
  MlirLocation location = mlirOperationGetLocation(mlirModuleGetOperation(module));
  if (!name || !*name || !options || !has_known_size(options)) {
    ts_error_at(location, "tessera_layers_begin: expected a name, and options with their size");
    return NULL;
  }
  tessera_layers *layers = calloc(1, sizeof(*layers));
  if (!layers) {
    ts_error_at(location, "no memory for a function of layers");
    return NULL;
  }
  layers->module = module;
  layers->context = mlirModuleGetContext(module);
  layers->location = location;
  layers->name = ts_arena_format(&layers->arena, "%s", name);
  load_dialects(layers->context);
  layers->block = mlirBlockCreate(0, NULL, NULL);
  if (read_options(layers, options) && fits_module(layers))
    return layers;
  tessera_layers_drop(layers);
  return NULL;
}

void tessera_layers_drop(tessera_layers *layers) {
  if (!layers)
    return;
  if (!mlirBlockIsNull(layers->block))
    mlirBlockDestroy(layers->block);
  ts_arena_free(&layers->arena);
  free(layers);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* {tessera.name = "..."}, or nothing without a name. */
static MlirAttribute name_attribute(MlirContext context, const char *name) {
  if (!name || !*name)
    return mlirDictionaryAttrGet(context, 0, NULL);
  MlirNamedAttribute attribute =
      ts_named(context, "tessera.name", ts_text_attribute(context, name));
  return mlirDictionaryAttrGet(context, 1, &attribute);
}

static MlirOperation make_function(tessera_layers *layers, int32_t num, const MlirType *types,
                                   const char *const *names) {
  MlirContext context = layers->context;
  int num_arguments = layers->num_arguments;
  MlirType *inputs = TS_NEW(&layers->arena, MlirType, num_arguments);
  MlirAttribute *of_arguments = TS_NEW(&layers->arena, MlirAttribute, num_arguments);
  MlirAttribute *of_results = TS_NEW(&layers->arena, MlirAttribute, num);
  for (int i = 0; i < num_arguments; i++) {
    inputs[i] = mlirValueGetType(mlirBlockGetArgument(layers->block, i));
    of_arguments[i] = name_attribute(context, layers->arguments[i].name);
  }
  for (int32_t i = 0; i < num; i++)
    of_results[i] = name_attribute(context, names ? names[i] : NULL);
  MlirType type = mlirFunctionTypeGet(context, num_arguments, inputs, num, types);
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, layers->name)),
      ts_named(context, "function_type", mlirTypeAttrGet(type)),
      ts_named(context, "arg_attrs", mlirArrayAttrGet(context, num_arguments, of_arguments)),
      ts_named(context, "res_attrs", mlirArrayAttrGet(context, num, of_results)),
  };
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, layers->block);
  layers->block = (MlirBlock){NULL};
  MlirOperation module = mlirModuleGetOperation(layers->module);
  ts_maker build = ts_make_at_end(ts_module_body(module), layers->location);
  return ts_make_op(&build, &(ts_new_op){.name = "func.func",
                                         .num_attributes = 4,
                                         .attributes = attributes,
                                         .region = region});
}

static bool finish(tessera_layers *layers, int32_t num, const MlirValue *results,
                   const char *const *names) {
  if (num < 0 || (num > 0 && !results)) {
    ts_layers_fail(layers, "%d results: expected 0 or more, and their values", num);
    return false;
  }
  if (!ts_layers_good(layers, num, results) || !fits_module(layers))
    return false;
  ts_maker build = ts_layers_build(layers);
  ts_make_op(&build, &(ts_new_op){.name = "func.return", .num_operands = num, .operands = results});
  MlirType *types = TS_NEW(&layers->arena, MlirType, num);
  for (int32_t i = 0; i < num; i++)
    types[i] = mlirValueGetType(results[i]);
  MlirOperation grid = put_grid(layers);
  MlirOperation function = make_function(layers, num, types, names);
  if (mlirOperationVerify(function))
    return true;
  mlirOperationDestroy(function);
  if (grid.ptr)
    mlirOperationDestroy(grid);
  return false;
}

bool tessera_layers_finish(tessera_layers *layers, int32_t num_results, const MlirValue *results,
                           const char *const *names) {
  if (!layers)
    return false;
  bool good = finish(layers, num_results, results, names);
  tessera_layers_drop(layers);
  return good;
}
