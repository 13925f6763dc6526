/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Other shapes for the grids of the source. It knows the notation of --grid and shard.grid. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "support/ir.h"

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
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!ts_op_is(op, "shard.grid") ||
        (name.length > 0 &&
         !mlirStringRefEqual(mlirStringAttrGetValue(ts_attribute(op, "sym_name")), name)))
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
  int rank = (int)mlirDenseArrayGetNumElements(ts_attribute(grid, "shape"));
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
  MlirAttribute shape = ts_attribute(grid, "shape");
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
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(grid, "sym_name"));
  MlirStringRef other_name = mlirStringAttrGetValue(ts_attribute(other, "sym_name"));
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
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!ts_op_is(op, "shard.grid") || devices_of(op) < 0)
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
