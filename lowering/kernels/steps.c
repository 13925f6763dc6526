/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one step of a nest's outer loops touches of memory. It knows nests; it must not know
 * kernels. */
#include "lowering/kernels/steps.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* The value that begins where `memref` begins: it without views of all of it. */
static MlirValue base_of(MlirValue memref) {
  for (;;) {
    MlirOperation op = ts_defining_op(memref);
    if (!op.ptr || (!ts_op_is(op, "memref.cast") && !ts_op_is(op, "memref.expand_shape") &&
                    !ts_op_is(op, "memref.collapse_shape")))
      return memref;
    MlirValue source = mlirOperationGetOperand(op, 0);
    if (!mlirTypeIsAMemRef(mlirValueGetType(source)))
      return memref;
    memref = source;
  }
}

bool ts_steps_same_base(const ts_buffer *a, const ts_buffer *b) {
  return mlirValueEqual(base_of(a->memref), base_of(b->memref));
}

int64_t ts_steps_element_bytes(const ts_buffer *memory) {
  return ts_element_bytes(mlirShapedTypeGetElementType(mlirValueGetType(memory->memref)));
}

int64_t ts_steps_span(const ts_nest *nest, const ts_access *access, int first) {
  int64_t elements = 1;
  for (int l = first; l < nest->num_loops; l++) {
    if (ts_product_is(&access->strides[l], 0))
      continue;
    int64_t extent = ts_product_number(&nest->loops[l].extent, -1);
    int64_t stride = ts_product_number(&access->strides[l], -1), more;
    if (extent < 0 || stride < 0 || __builtin_mul_overflow(stride, extent - 1, &more) ||
        __builtin_add_overflow(elements, more, &elements))
      return -1;
  }
  return elements;
}

int64_t ts_steps_elements(const ts_nest *nest, const ts_access *access, int first) {
  int64_t elements = 1;
  for (int l = first; l < nest->num_loops; l++) {
    if (ts_product_is(&access->strides[l], 0))
      continue;
    int64_t extent = ts_product_number(&nest->loops[l].extent, -1);
    if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements))
      return -1;
  }
  return elements;
}

bool ts_steps_are_apart(const ts_nest *nest, const ts_access *access, int shared) {
  int behind = -1;
  for (int l = nest->num_loops - 1; l >= 0; l--) {
    const ts_product *stride = &access->strides[l];
    if (ts_product_is(stride, 0)) {
      if (l < shared)
        return false;
      continue;
    }
    if (behind >= 0) {
      ts_product row;
      if (!ts_product_multiply(&access->strides[behind], &nest->loops[behind].extent, &row))
        return false;
      bool far = row.num == 0 && stride->num == 0 && stride->factor >= row.factor;
      if (!far && !ts_product_equal(&row, stride))
        return false;
    } else if (stride->factor < 0) {
      return false;
    }
    behind = l;
  }
  return true;
}

bool ts_steps_are_same(const ts_access *a, const ts_access *b, int shared) {
  for (int l = 0; l < shared; l++)
    if (!ts_product_equal(&a->strides[l], &b->strides[l]))
      return false;
  return true;
}
