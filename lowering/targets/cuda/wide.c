/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neighbouring elements that are loaded and stored at once. It knows accesses; it must not know who
 * shares what. */
#include "lowering/targets/cuda/wide.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { EQUAL = 0 }; /* arith's predicate */

static MlirValue wide_place(ts_cuda_code *code, const ts_maker *build, const ts_thread *t,
                            int access, MlirValue index) {
  int pointer = code->e.kernel->pointer_of[t->number][access];
  const ts_access *a = &t->nest->accesses[access];
  MlirType element = code->e.kernel->pointers[pointer].element;
  MlirValue at = mlirValueIsNull(index) ? ts_make_index(build, 0) : index;
  if (!ts_product_is(&a->offset, 0))
    at = ts_body_arithmetic(&code->e, build, "arith.addi", at,
                            ts_body_number(&code->e, build, &a->offset));
  MlirValue operands[] = {
      code->pointers[pointer],
      ts_make_value(build, "arith.index_cast", 1, &at, ts_i64_type(build->context), 0, NULL)};
  int32_t dynamic = INT32_MIN; /* LLVM::GEPOp's mark of an operand */
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type", mlirTypeAttrGet(element)),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &dynamic)),
  };
  return ts_make_value(build, "llvm.getelementptr", 2, operands, ts_pointer_type(build->context), 2,
                       attributes);
}

static MlirType wide_type(ts_cuda_code *code, const ts_thread *t, int access, int64_t width) {
  int pointer = code->e.kernel->pointer_of[t->number][access];
  return mlirVectorTypeGet(1, &width, code->e.kernel->pointers[pointer].element);
}

static int64_t wide_bytes(MlirType type, int64_t width) {
  MlirType element = mlirShapedTypeGetElementType(type);
  unsigned bits =
      mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element) : mlirIntegerTypeGetWidth(element);
  return width * bits / 8;
}

static MlirNamedAttribute alignment(MlirContext context, MlirType type, int64_t width) {
  return ts_named(context, "alignment",
                  ts_int_attribute(ts_i64_type(context), wide_bytes(type, width)));
}

static MlirValue lane_number(const ts_maker *build, int64_t lane) {
  return ts_make_llvm_int(build, 32, lane);
}

void ts_wide_load(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                  MlirValue index, int64_t width, MlirValue *values) {
  MlirType type = wide_type(code, t, access, width);
  MlirNamedAttribute aligned = alignment(build->context, type, width);
  MlirValue place = wide_place(code, build, t, access, index);
  MlirValue vector = ts_make_value(build, "llvm.load", 1, &place, type, 1, &aligned);
  for (int64_t j = 0; j < width; j++) {
    MlirValue operands[] = {vector, lane_number(build, j)};
    values[j] = ts_make_value(build, "llvm.extractelement", 2, operands,
                              mlirShapedTypeGetElementType(type), 0, NULL);
  }
}

void ts_wide_store(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                   MlirValue index, int64_t width, const MlirValue *values) {
  MlirType type = wide_type(code, t, access, width);
  MlirNamedAttribute aligned = alignment(build->context, type, width);
  MlirValue vector = ts_make_value(build, "llvm.mlir.poison", 0, NULL, type, 0, NULL);
  for (int64_t j = 0; j < width; j++) {
    MlirValue operands[] = {vector, values[j], lane_number(build, j)};
    vector = ts_make_value(build, "llvm.insertelement", 3, operands, type, 0, NULL);
  }
  MlirValue operands[] = {vector, wide_place(code, build, t, access, index)};
  ts_make_op(build, &(ts_new_op){.name = "llvm.store",
                                 .num_operands = 2,
                                 .operands = operands,
                                 .num_attributes = 1,
                                 .attributes = &aligned});
}

MlirValue ts_wide_is_aligned(ts_cuda_code *code, const ts_maker *build, const int *inner,
                             int64_t width) {
  const ts_kernel *kernel = code->e.kernel;
  MlirType i64 = ts_i64_type(build->context);
  MlirValue bits = {NULL};
  bool *seen = TS_NEW(code->e.arena, bool, kernel->num_pointers);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    for (int a = 0; a < nest->num_accesses; a++) {
      int p = kernel->pointer_of[n][a];
      if (inner[n] < 0 || p < 0 || seen[p] || mlirValueIsNull(code->pointers[p]) ||
          !ts_grid_is_wide(nest, &nest->accesses[a], inner[n], width))
        continue;
      seen[p] = true;
      MlirValue address =
          ts_make_value(build, "llvm.ptrtoint", 1, &code->pointers[p], i64, 0, NULL);
      bits = mlirValueIsNull(bits) ? address : ts_make_binary(build, "arith.ori", bits, address);
    }
  }
  if (mlirValueIsNull(bits))
    return ts_make_constant(build, ts_int_attribute(mlirIntegerTypeGet(build->context, 1), 1));
  MlirValue low =
      ts_make_binary(build, "arith.andi", bits, ts_make_constant(build, ts_int_attribute(i64, 15)));
  return ts_make_compare(build, "arith.cmpi", EQUAL, low,
                         ts_make_constant(build, ts_int_attribute(i64, 0)));
}
