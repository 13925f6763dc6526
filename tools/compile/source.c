/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The source module: reading it, annotations dropped. Knows the notation of the `shard` dialect,
 * not what passes make of it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sharding/strip.h"
#include "sharding/unverified.h"
#include "support/ir.h"

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Upstream's verifiers of the `shard` ops are asked only after what would crash them is known not
 * to be there; so the parser must not ask them. */
static MlirModule parse_and_verify(MlirContext context, const char *path) {
  MlirModule module = ts_parse_unverified(context, path);
  if (mlirModuleIsNull(module))
    return module;
  MlirOperation op = mlirModuleGetOperation(module);
  if (ts_shard_ops_check(op) && mlirOperationVerify(op))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

MlirModule ts_source_parse(MlirContext context, const char *path) {
  /* Asked here, because the parser's message is about bytes and not about the file. */
  struct stat status;
  bool is_file = strcmp(path, "-") != 0;
  FILE *file = is_file ? fopen(path, "rb") : stdin;
  bool is_folder = file && is_file && fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
  if (!file)
    ts_driver_error(path, "cannot be opened: %s", strerror(errno));
  else if (is_folder)
    ts_driver_error(path, "is a directory: expected a file of MLIR");
  if (file && is_file)
    fclose(file);
  return file && !is_folder ? parse_and_verify(context, path) : (MlirModule){NULL};
}

/* ---- entries ----------------------------------------------------------------------------------
 */

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

/* ---- the unpartitioned program ----------------------------------------------------------------
 */

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
    snprintf(message, sizeof message, "%.*s has no meaning in an unpartitioned program",
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
