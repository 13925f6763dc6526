/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of extents that are checked before memory is allocated, and what failing allocations are
 * for. It knows sizes of elements. */
#include "lowering/calls/allocations.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/element_types.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"

static const char owner[] = "tessera.for"; /* the name of the op that memory is for */

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

/* ---- owners ---------------------------------------------------------------------------------- */

/* The end of memory says nothing of what it is for. */
static bool is_owner(MlirOperation op) {
  return !ts_op_is(op, "memref.dealloc") && mlirOperationGetNumResults(op) == 0 &&
         !ts_op_is_terminator(op);
}

static bool comes_before(MlirOperation a, MlirOperation b) {
  MlirBlock block = mlirOperationGetBlock(a);
  return mlirBlockEqual(block, mlirOperationGetBlock(b)) && mlirOperationIsBeforeInBlock(a, b);
}

/* An op at the allocation's place is what it is for; else the first that does more than to fill it.
 */
static bool is_better(MlirOperation op, MlirOperation than, MlirLocation place) {
  if (!than.ptr)
    return true;
  bool is_here = mlirLocationEqual(mlirOperationGetLocation(op), place);
  bool is_there = mlirLocationEqual(mlirOperationGetLocation(than), place);
  if (is_here != is_there)
    return is_here;
  bool fills = ts_op_is(op, "linalg.fill"), filled = ts_op_is(than, "linalg.fill");
  return fills == filled ? comes_before(op, than) : filled;
}

static void look_for_owner(MlirValue memory, MlirLocation place, MlirOperation *owner) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirValueEqual(ts_view_source(op), memory))
      look_for_owner(mlirOperationGetResult(op, 0), place, owner);
    else if (is_owner(op) && is_better(op, *owner, place))
      *owner = op;
  }
}

/* The op that memory is allocated for; itself if there is none. */
static MlirOperation owner_of(MlirOperation alloc) {
  MlirOperation found = {NULL};
  look_for_owner(mlirOperationGetResult(alloc, 0), mlirOperationGetLocation(alloc), &found);
  return found.ptr ? found : alloc;
}

/* Of a call of the runtime, which of its functions. */
static MlirStringRef name_of(MlirOperation op) {
  MlirStringRef function = ts_wrapped_function(op);
  return function.data ? function : mlirIdentifierStr(mlirOperationGetName(op));
}

/* The place and the name of the owner stay with the allocation, whatever becomes of that. */
static void note_owner(MlirOperation alloc) {
  MlirOperation op = owner_of(alloc);
  char text[2];
  if (ts_location_text(mlirOperationGetLocation(op), text, sizeof(text)) > 0)
    mlirOperationSetLocation(alloc, mlirOperationGetLocation(op));
  mlirOperationSetDiscardableAttributeByName(
      alloc, mlirStringRefCreateFromCString(owner),
      mlirStringAttrGet(mlirOperationGetContext(alloc), name_of(op)));
}

void ts_allocation_replaces(MlirOperation block, MlirOperation alloc) {
  MlirAttribute name = ts_attribute(alloc, owner);
  mlirOperationSetLocation(block, mlirOperationGetLocation(alloc));
  if (!mlirAttributeIsNull(name))
    mlirOperationSetDiscardableAttributeByName(block, mlirStringRefCreateFromCString(owner), name);
}

static void place(MlirOperation op, void *user) {
  allocation_walk *walk = user;
  if (!ts_op_is(op, "memref.alloc"))
    return;
  ts_maker build = ts_make_before(op);
  MlirStringRef name = ts_op_symbol(op, owner);
  if (!name.data)
    name = mlirStringRefCreateFromCString("memref.alloc");
  MlirType pointer = ts_pointer_type(build.context);
  MlirValue site = ts_make_address_of(&build, ts_sites_add_allocation(walk->sites, op, name));
  ts_wrappers_declare(walk->wrappers, "tessera_rt_place", (MlirType){NULL}, 1, &pointer);
  ts_make_llvm_call(&build, "tessera_rt_place", 1, &site);
  mlirOperationRemoveDiscardableAttributeByName(op, mlirStringRefCreateFromCString(owner));
}

void ts_allocations_place(ts_sites *sites, ts_wrappers *wrappers) {
  allocation_walk walk = {sites, wrappers, true};
  ts_each_op(sites->records->module, place, &walk);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void check_sizes(allocation_walk *walk, MlirOperation op, int64_t bytes) {
  ts_maker build = ts_make_before(op);
  MlirType word = ts_i64_type(build.context);
  MlirType arguments[] = {ts_pointer_type(build.context), word, word};
  ts_wrappers_declare(walk->wrappers, "tessera_rt_bytes", word, 3, arguments);
  const char *site = ts_sites_add_allocation(walk->sites, op, ts_op_symbol(op, owner));
  MlirValue operands[] = {
      ts_make_address_of(&build, site), ts_make_llvm_int(&build, 64, bytes), {NULL}};
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
  note_owner(op);
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
