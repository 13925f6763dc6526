/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Holds the table of collectives against the ops of both dialects and the functions of the runtime;
 * or prints what a file's collectives receive by the table. It must not know any rows of its own.
 *
 *   dump-collectives                      one line for each row, and one for each mistake
 *   dump-collectives --received N <FILE   as tessera-run --traffic, on groups of N devices */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "support/ir.h"
#include "tessera/runtime.h"

static int mistakes;

static void mistake(const char *op, const char *what, const char *name) {
  printf("FAIL %s %s %s\n", op, what, name);
  mistakes++;
}

/* ---- the dialects' ops ----------------------------------------------------------------------- */

/* What the dialects have besides collectives: annotations, and questions about the grid. */
static bool is_no_collective(const char *op) {
  static const char *const names[] = {"shard.get_sharding",
                                      "shard.grid",
                                      "shard.grid_shape",
                                      "shard.neighbors_linear_indices",
                                      "shard.process_linear_index",
                                      "shard.process_multi_index",
                                      "shard.shard",
                                      "shard.shard_shape",
                                      "shard.sharding",
                                      "tessera.manual"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strcmp(op, names[i]) == 0)
      return true;
  return false;
}

/* An op's own attributes. */
typedef struct own {
  intptr_t num;
  const MlirIdentifier *names;
} own;

static bool has(const own *attributes, const char *name) {
  for (intptr_t i = 0; i < attributes->num; i++)
    if (strcmp(mlirIdentifierStr(attributes->names[i]).data, name) == 0)
      return true;
  return false;
}

static bool is_same(const char *column, const char *name) {
  return column && strcmp(column, name) == 0;
}

static void check_row(const ts_collective *row, const own *attributes) {
  const char *columns[] = {row->joins, row->cuts, row->along, row->words_in};
  for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
    if (columns[i] && !has(attributes, columns[i]))
      mistake(row->op, "has no attribute", columns[i]);
  if (has(attributes, "reduction") != row->reduces)
    mistake(row->op, "and its row do not agree on", "reduction");
  if (has(attributes, "grid_axes") != (row->group == TS_GROUP_OF_AXES))
    mistake(row->op, "and its row do not agree on", "grid_axes");
  if (has(attributes, "split_axes") != (row->group == TS_GROUP_OF_SPLITS))
    mistake(row->op, "and its row do not agree on", "split_axes");
  /* What names an axis of the tensor or the grid is in some column. */
  for (intptr_t i = 0; i < attributes->num; i++) {
    const char *name = mlirIdentifierStr(attributes->names[i]).data;
    const char *end = strstr(name, "_axis");
    if (end && !end[5] && !is_same(row->joins, name) && !is_same(row->cuts, name) &&
        !is_same(row->along, name))
      mistake(row->op, "has no column for", name);
  }
}

static void check_op(const char *op, intptr_t num, const MlirIdentifier *names, void *user) {
  bool *seen = user;
  own attributes = {num, names};
  const ts_collective *row = ts_collective_named(op);
  if (!row == !is_no_collective(op))
    mistake(op, row ? "has a row but is no" : "has no row although it is a", "collective");
  if (!row)
    return;
  seen[row - ts_collectives] = true;
  check_row(row, &attributes);
}

/* ---- the runtime's functions ----------------------------------------------------------------- */

static void check_function(const ts_collective *row, const char *name) {
  char function[128];
  snprintf(function, sizeof(function), "tessera_rt_%s", name);
  if (!dlsym(RTLD_DEFAULT, function))
    mistake(row->op, "calls what the runtime does not have:", function);
}

/* Without a grid, so it fails in any case: as what cannot be started, or later. */
static void start(void *data) {
  const int32_t *kind = data;
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = (uint32_t)*kind,
                       .name = "start",
                       .location = "",
                       .index = -1};
  tessera_rt_start(&site, NULL, NULL, NULL, NULL);
}

static void check_forms(const ts_collective *row) {
  tessera_context *context;
  int32_t kind = (int32_t)row->kind;
  if (tessera_local_create(1, &context) != TESSERA_OK)
    abort();
  tessera_attempt(context, start, &kind);
  bool starts = !strstr(tessera_last_error(), "this is no collective that can be started");
  tessera_local_destroy(1, &context);
  if (starts != (row->forms == TS_STARTS_OR_BLOCKS))
    mistake(row->op, "and the runtime do not agree on", "start and wait");
  check_function(row, row->function);
  if (row->forms == TS_STARTS_OR_BLOCKS) {
    check_function(row, "start");
    check_function(row, "wait");
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void print_row(const ts_collective *row) {
  static const char *const extents[] = {"of input", "of root", "given"};
  static const char *const memory[] = {"new", "of dead input", "of input"};
  static const char *const forms[] = {", starts", ""};
  printf("%s: tessera_rt_%s, joins %s, cuts %s, extents %s, memory %s%s\n", row->op, row->function,
         row->joins ? row->joins : "-", row->cuts ? row->cuts : "-", extents[row->extents],
         memory[row->memory], forms[row->forms]);
}

static void check_table(MlirContext context) {
  bool *seen = calloc((size_t)ts_num_collectives, sizeof(*seen));
  if (!seen)
    abort();
  ts_dialect_ops(context, "shard", check_op, seen);
  ts_dialect_ops(context, "tessera", check_op, seen);
  for (int i = 0; i < ts_num_collectives; i++) {
    const ts_collective *row = &ts_collectives[i];
    if (!seen[i])
      mistake(row->op, "is a row but", "no op");
    if (i > 0 && strcmp(row[-1].op, row->op) >= 0)
      mistake(row->op, "is not sorted behind", row[-1].op);
    check_forms(row);
    if (ts_collective_find(row->kind, row->extents) != row)
      mistake(row->op, "has the kind and extents of", "another");
    print_row(row);
  }
  free(seen);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static double elements(MlirType type) {
  double num = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    num *= (double)mlirShapedTypeGetDimSize(type, d);
  return num;
}

/* The file says by attribute `lacking` how many elements of the result the busiest device lacks. */
static MlirWalkResult print_received(MlirOperation op, void *user) {
  const ts_collective *row = ts_collective_of(op);
  MlirAttribute lacking = ts_attribute(op, "lacking");
  if (!row)
    return MlirWalkResultAdvance;
  const double f32 = 4, devices = *(double *)user;
  double input = elements(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  double lacks = mlirAttributeIsNull(lacking) ? 0 : (double)mlirIntegerAttrGetValueInt(lacking);
  double bytes = f32 * ts_collective_received(row, devices, input, lacks);
  printf("%s - 1 x %.0f bytes\n", row->op, bytes);
  return MlirWalkResultAdvance;
}

static bool print_file(MlirContext context, double devices) {
  static char text[1 << 16];
  size_t size = fread(text, 1, sizeof(text) - 1, stdin);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(text, size));
  if (mlirModuleIsNull(module))
    return false;
  mlirOperationWalk(mlirModuleGetOperation(module), print_received, &devices, MlirWalkPreOrder);
  mlirModuleDestroy(module);
  return true;
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  ts_register_tessera_dialect(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  bool good = true;
  if (argc == 3 && strcmp(argv[1], "--received") == 0)
    good = print_file(context, atof(argv[2]));
  else
    check_table(context);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return good && !mistakes ? 0 : 1;
}
