/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The source: its bytes, the module, annotations dropped. It knows the notation of the `shard`
 * dialect; it must not know what passes make of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sharding/strip.h"
#include "sharding/unverified.h"
#include "support/ir.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Bytecode wants the alignment that it was written with. Room for `capacity` bytes, with those of
 * `source`; false without memory. */
static bool grow(ts_bytes *source, size_t capacity) {
  void *data;
  if (posix_memalign(&data, 4096, capacity) != 0)
    return false;
  if (source->size)
    memcpy(data, source->data, source->size);
  free(source->data);
  source->data = data;
  return true;
}

/* Reads to the end; errno of a failure, or 0. What is no regular file does not tell its size. */
static int read_all(FILE *file, size_t expected, ts_bytes *source) {
  size_t capacity = expected + 1 > 65536 ? expected + 1 : 65536;
  if (!grow(source, capacity))
    return ENOMEM;
  for (;;) {
    source->size += fread(source->data + source->size, 1, capacity - source->size, file);
    if (ferror(file))
      return errno ? errno : EIO;
    if (source->size < capacity) {
      source->data[source->size] = 0; /* the parser looks there for the end */
      return 0;
    }
    if (capacity > SIZE_MAX / 2 || !grow(source, capacity *= 2))
      return ENOMEM;
  }
}

bool ts_source_read(const char *path, ts_bytes *source) {
  struct stat status;
  bool is_file = strcmp(path, "-") != 0;
  FILE *file = is_file ? fopen(path, "rb") : stdin;
  if (!file)
    return ts_driver_error(path, "cannot be opened: %s", strerror(errno));
  bool is_known = fstat(fileno(file), &status) == 0;
  bool is_folder = is_known && S_ISDIR(status.st_mode);
  size_t expected = is_known && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  int error = is_folder ? 0 : read_all(file, expected, source);
  if (is_file)
    fclose(file);
  if (is_folder)
    return ts_driver_error(path, "is a directory: expected a file of MLIR");
  return !error || ts_driver_error(path, "cannot be read: %s", strerror(error));
}

/* Upstream's verifiers of the `shard` ops are asked only after what would crash them is known not
 * to be there; so the parser must not ask them. */
MlirModule ts_source_parse(MlirContext context, const char *path, const ts_bytes *source) {
  MlirModule module = ts_parse_unverified(context, mlirStringRefCreate(source->data, source->size),
                                          strcmp(path, "-") == 0 ? "<stdin>" : path);
  if (mlirModuleIsNull(module))
    return module;
  MlirOperation op = mlirModuleGetOperation(module);
  if (ts_shard_ops_check(op) && mlirOperationVerify(op))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool is_entry(MlirOperation op) {
  if (!ts_op_is(op, "func.func") || !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
    return false;
  MlirAttribute visibility = ts_attribute(op, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

bool ts_source_has_entry(MlirOperation module, const char *path) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (is_entry(op))
      return true;
  return ts_driver_error(path, "no public func.func with a body: a program needs one to call");
}

/* ---- the unpartitioned program --------------------------------------------------------------- */

/* What only annotations use. */
static bool is_declaration(MlirOperation op) {
  return ts_op_is(op, "shard.grid") || ts_op_is(op, "shard.sharding") ||
         ts_op_is(op, "shard.get_sharding");
}

static MlirWalkResult refuse_op(MlirOperation op, void *user) {
  bool *failed = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length > 6 && memcmp(name.data, "shard.", 6) == 0 && !is_declaration(op)) {
    char message[256];
    snprintf(message, sizeof(message), "%.*s has no meaning in an unpartitioned program",
             (int)name.length, name.data);
    ts_diagnose(mlirOperationGetLocation(op), TS_ERROR, message, mlirOperationGetLocation(op),
                NULL);
    *failed = true;
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult erase_grid(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "shard.grid"))
    mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

bool ts_source_strip(MlirOperation module) {
  bool failed = false;
  ts_strip_annotations(module);
  mlirOperationWalk(module, refuse_op, &failed, MlirWalkPostOrder);
  if (failed)
    return false;
  mlirOperationWalk(module, erase_grid, NULL, MlirWalkPostOrder);
  return true;
}
