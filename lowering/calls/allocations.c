/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of extents that are checked before memory is allocated. It knows sizes of elements. */
#include "lowering/calls/allocations.h"

#include "ir/element_types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"

typedef struct allocation_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
  bool good;
} allocation_walk;

/* The bytes that the static extents come to; false if they cannot be counted. A static 0 makes the
 * product 0, in whatever order it is formed. */
static bool static_bytes(MlirType type, int64_t *bytes) {
  bool fits = true, none = false;
  *bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    if (mlirShapedTypeIsDynamicDim(type, d))
      continue;
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    none |= size == 0;
    fits = fits && !__builtin_mul_overflow(*bytes, size, bytes);
  }
  if (none)
    *bytes = 0;
  return fits || none;
}

static void check_sizes(allocation_walk *walk, MlirOperation op, int64_t bytes) {
  ts_maker build = ts_make_before(op);
  MlirType word = ts_i64_type(build.context);
  MlirType arguments[] = {ts_pointer_type(build.context), word, word};
  ts_wrappers_declare(walk->wrappers, "tessera_rt_bytes", word, 3, arguments);
  MlirValue operands[] = {ts_make_address_of(&build, ts_sites_add_check(walk->sites, op)),
                          ts_make_llvm_int(&build, 64, bytes),
                          {NULL}};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue size = mlirOperationGetOperand(op, i);
    operands[2] = ts_make_value(&build, "arith.index_cast", 1, &size, word, 0, NULL);
    operands[1] = ts_make_llvm_call_value(&build, "tessera_rt_bytes", 3, operands, word);
  }
}

static void check(MlirOperation op, void *user) {
  allocation_walk *walk = user;
  if (!ts_op_is(op, "memref.alloc"))
    return;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t bytes;
  if (!mlirTypeIsAFloat(element) && !mlirTypeIsAInteger(element) && !mlirTypeIsAIndex(element) &&
      !mlirTypeIsAComplex(element))
    return;
  if (!static_bytes(type, &bytes)) {
    char text[128];
    ts_type_text(type, text, sizeof(text));
    walk->good =
        ts_error_at(mlirOperationGetLocation(op),
                    "%s has more bytes than can be counted: expected smaller extents", text);
  } else if (mlirOperationGetNumOperands(op) > 0) {
    check_sizes(walk, op, bytes);
  }
}

bool ts_allocations_check(ts_sites *sites, ts_wrappers *wrappers) {
  allocation_walk walk = {sites, wrappers, true};
  ts_each_op(sites->records->module, check, &walk);
  return walk.good;
}
