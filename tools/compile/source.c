/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The source module: reading it, other grid shapes, annotations dropped. Knows the notation of the
 * `shard` dialect, not what passes make of it. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "sharding/strip.h"
#include "sharding/unverified.h"

static const char *driver_tool = "tesserac";

void ts_driver_set_tool(const char *tool) {
  driver_tool = tool ? tool : "tesserac";
}

bool ts_driver_error(const char *file, const char *format, ...) {
  fprintf(stderr, "%s: error: ", file ? file : driver_tool);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

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

/* ---- ops of the module ------------------------------------------------------------------------
 */

static bool op_is(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

static MlirAttribute attribute_of(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static MlirOperation first_op(MlirOperation module) {
  return mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
}

/* ---- grids ------------------------------------------------------------------------------------
 */

enum { MAX_EXTENTS = 64 };

/* "2x?x4" up to `end`; -1 if it is no shape. */
static int parse_shape(const char *text, const char *end, int64_t *shape) {
  int num = 0;
  while (text < end) {
    if (num == MAX_EXTENTS)
      return -1;
    char *after;
    if (*text == '?') {
      shape[num] = mlirShapedTypeGetDynamicSize();
      after = (char *)text + 1;
    } else {
      errno = 0;
      shape[num] = *text >= '0' && *text <= '9' ? strtoll(text, &after, 10) : 0;
      if (shape[num] < 1 || errno)
        return -1;
    }
    num++;
    if (after == end)
      return num;
    if (*after != 'x' || after + 1 == end)
      return -1;
    text = after + 1;
  }
  return -1;
}

/* The grid called `name`, or the only one if the name is empty; null after a message. */
static MlirOperation find_grid(MlirOperation module, const char *path, MlirStringRef name) {
  MlirOperation found = {NULL};
  int num = 0;
  for (MlirOperation op = first_op(module); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!op_is(op, "shard.grid") ||
        (name.length > 0 &&
         !mlirStringRefEqual(mlirStringAttrGetValue(attribute_of(op, "sym_name")), name)))
      continue;
    found = op;
    num++;
  }
  if (num == 0 && name.length > 0)
    ts_driver_error(path, "--grid names @%.*s, but no shard.grid is called so", (int)name.length,
                    name.data);
  else if (num == 0)
    ts_driver_error(path, "--grid given, but the module has no shard.grid");
  else if (num > 1)
    ts_driver_error(path, "the module has %d grids: say which, --grid @name=2x4", num);
  return num == 1 ? found : (MlirOperation){NULL};
}

/* One "2x4" or "@g=2x4" in [text, end). */
static bool set_grid(MlirOperation module, const char *path, const char *text, const char *end) {
  MlirStringRef name = mlirStringRefCreate("", 0);
  const char *shape_text = text;
  if (*text == '@') {
    const char *equals = memchr(text, '=', (size_t)(end - text));
    if (!equals)
      return ts_driver_error(path, "--grid %.*s: expected @name=2x4", (int)(end - text), text);
    name = mlirStringRefCreate(text + 1, (size_t)(equals - text - 1));
    shape_text = equals + 1;
  }
  int64_t shape[MAX_EXTENTS];
  int num = parse_shape(shape_text, end, shape);
  if (num < 0)
    return ts_driver_error(path, "--grid %.*s: expected a shape such as 2x4", (int)(end - text),
                           text);
  MlirOperation grid = find_grid(module, path, name);
  if (!grid.ptr)
    return false;
  int rank = (int)mlirDenseArrayGetNumElements(attribute_of(grid, "shape"));
  if (num > rank)
    return ts_driver_error(path, "--grid %.*s has %d axes, the grid in the source has %d",
                           (int)(end - text), text, num, rank);
  while (num < rank && num < MAX_EXTENTS)
    shape[num++] = 1;
  mlirOperationSetInherentAttributeByName(
      grid, mlirStringRefCreateFromCString("shape"),
      mlirDenseI64ArrayGet(mlirOperationGetContext(grid), num, shape));
  return true;
}

/* The devices of a grid, or -1 if its shape comes from the launch. */
static int64_t devices_of(MlirOperation grid) {
  MlirAttribute shape = attribute_of(grid, "shape");
  int64_t devices = 1;
  for (intptr_t a = 0; a < mlirDenseArrayGetNumElements(shape); a++) {
    int64_t extent = mlirDenseI64ArrayGetElement(shape, a);
    if (extent < 0)
      return -1;
    devices *= extent;
  }
  return devices;
}

static bool different_devices(MlirOperation grid, MlirOperation other) {
  MlirStringRef name = mlirStringAttrGetValue(attribute_of(grid, "sym_name"));
  MlirStringRef other_name = mlirStringAttrGetValue(attribute_of(other, "sym_name"));
  char text[512];
  snprintf(text, sizeof(text),
           "grid @%.*s has %lld devices and grid @%.*s %lld: expected all grids of a program to "
           "have equally many; make two programs, or add an axis",
           (int)name.length, name.data, (long long)devices_of(grid), (int)other_name.length,
           other_name.data, (long long)devices_of(other));
  mlirEmitError(mlirOperationGetLocation(other), text);
  return false;
}

static bool check_devices(MlirOperation module) {
  MlirOperation first = {NULL};
  for (MlirOperation op = first_op(module); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!op_is(op, "shard.grid") || devices_of(op) < 0)
      continue;
    if (first.ptr && devices_of(op) != devices_of(first))
      return different_devices(first, op);
    first = op;
  }
  return true;
}

bool ts_source_set_grids(MlirOperation module, const char *path, const char *grids) {
  while (grids && *grids) {
    const char *end = strchr(grids, ',');
    if (!end)
      end = grids + strlen(grids);
    if (!set_grid(module, path, grids, end))
      return false;
    grids = *end ? end + 1 : end;
  }
  return check_devices(module);
}

/* ---- entries ----------------------------------------------------------------------------------
 */

static bool is_entry(MlirOperation op) {
  if (!op_is(op, "func.func") || !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
    return false;
  MlirAttribute visibility = attribute_of(op, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

bool ts_source_has_entry(MlirOperation module, const char *path) {
  for (MlirOperation op = first_op(module); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (is_entry(op))
      return true;
  return ts_driver_error(path, "no public func.func with a body: a program needs one to call");
}

/* ---- the unpartitioned program ----------------------------------------------------------------
 */

/* What only annotations use. */
static bool is_declaration(MlirOperation op) {
  return op_is(op, "shard.grid") || op_is(op, "shard.sharding") || op_is(op, "shard.get_sharding");
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
  if (op_is(op, "shard.grid"))
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
