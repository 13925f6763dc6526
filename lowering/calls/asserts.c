/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Assertions of the program to runtime calls. It knows branches; it must not know what is asserted.
 */
#include "lowering/calls/asserts.h"

#include "ir/control_flow.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct assert_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} assert_walk;

void ts_asserts_fail_if(ts_sites *sites, ts_wrappers *wrappers, const ts_maker *build,
                        MlirOperation op, MlirValue fails, MlirStringRef message) {
  ts_maker inside = ts_make_if(build, fails);
  MlirValue operands[] = {ts_make_address_of(&inside, ts_sites_add_check(sites, op)),
                          ts_make_address_of(&inside, ts_record_text(sites->records, message))};
  MlirType pointer = ts_pointer_type(build->context);
  ts_wrappers_declare(wrappers, "tessera_rt_fail", (MlirType){NULL}, 2,
                      (MlirType[]){pointer, pointer});
  ts_make_llvm_call(&inside, "tessera_rt_fail", 2, operands);
}

static void lower_assert(MlirOperation op, void *user) {
  const assert_walk *walk = user;
  if (!ts_op_is(op, "cf.assert"))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue fails = ts_make_not(&build, mlirOperationGetOperand(op, 0));
  ts_asserts_fail_if(walk->sites, walk->wrappers, &build, op, fails,
                     mlirStringAttrGetValue(ts_attribute(op, "msg")));
  mlirOperationDestroy(op);
}

void ts_asserts_lower(ts_sites *sites, ts_wrappers *wrappers) {
  assert_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, lower_assert, &walk);
}
