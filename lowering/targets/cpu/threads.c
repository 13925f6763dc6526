/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Large kernels go over the cores of a rank. It knows functions and calls; it must not know what a
 * kernel computes.
 *
 *   @kernel(arguments)               puts them into memory, and has the runtime call
 *   @kernel.block(memory, from, to)  for each block, which takes them from there, and calls
 *   @kernel.steps(arguments, from, to)  the loops, of pointers that are known to be apart */
#include "lowering/targets/cpu/threads.h"

#include "ir/build.h"
#include "lowering/targets/cpu/split.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

typedef struct kernel_function {
  ts_arena *arena;
  MlirContext context;
  MlirOperation op, from, to; /* the function, and the marked ops in it */
  const char *name;
  intptr_t num; /* of arguments */
  MlirType *types;
  MlirLocation *locations;
  MlirType memory; /* a struct of them */
} kernel_function;

/* ---- reading --------------------------------------------------------------------------------- */

static void note_marks(MlirOperation op, void *user) {
  kernel_function *k = user;
  if (!mlirAttributeIsNull(ts_attribute(op, TS_SPLIT_FROM)))
    k->from = op;
  if (!mlirAttributeIsNull(ts_attribute(op, TS_SPLIT_TO)))
    k->to = op;
}

/* False if nothing is marked. */
static bool read_kernel(ts_arena *arena, MlirOperation op, kernel_function *k) {
  *k = (kernel_function){.arena = arena, .context = mlirOperationGetContext(op), .op = op};
  MlirBlock entry = ts_function_entry(op);
  ts_each_op(op, note_marks, k);
  if (!entry.ptr || !k->from.ptr || !k->to.ptr)
    return false;
  MlirStringRef name = ts_op_symbol(op, "sym_name");
  k->name = ts_arena_format(arena, "%.*s", (int)name.length, name.data);
  k->num = mlirBlockGetNumArguments(entry);
  k->types = TS_NEW(arena, MlirType, k->num + 2);
  k->locations = TS_NEW(arena, MlirLocation, k->num + 2);
  MlirType *members = TS_NEW(arena, MlirType, k->num + 1);
  for (intptr_t i = 0; i < k->num + 2; i++) {
    k->types[i] = i < k->num ? mlirValueGetType(mlirBlockGetArgument(entry, i))
                             : mlirIndexTypeGet(k->context);
    k->locations[i] = mlirOperationGetLocation(op);
    if (i < k->num)
      members[i] = ts_llvm_type(k->types[i]);
  }
  k->memory = mlirLLVMStructTypeLiteralGet(k->context, k->num, members, false);
  return true;
}

/* ---- the functions --------------------------------------------------------------------------- */

/* Takes the body: it is the kernel's own then, for steps `from` to `to` of the loop. */
static void make_steps(const kernel_function *k) {
  MlirContext context = k->context;
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(k->op, 0));
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  MlirOperation marks[] = {k->from, k->to};
  for (int i = 0; i < 2; i++)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(marks[i], 0),
        mlirBlockAddArgument(entry, k->types[k->num + i], k->locations[k->num + i]));
  MlirAttribute *attributes = TS_NEW(k->arena, MlirAttribute, k->num + 2);
  MlirAttribute known = ts_attribute(k->op, "arg_attrs");
  for (intptr_t i = 0; i < k->num + 2; i++)
    attributes[i] =
        i < k->num ? mlirArrayAttrGetElement(known, i) : mlirDictionaryAttrGet(context, 0, NULL);
  MlirAttribute noinline = ts_text_attribute(context, "noinline");
  MlirNamedAttribute named[] = {
      ts_named(context, "sym_name",
               ts_text_attribute(context, ts_arena_format(k->arena, "%s.steps", k->name))),
      ts_named(context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(context, k->num + 2, k->types, 0, NULL))),
      ts_named(context, "sym_visibility", ts_text_attribute(context, "private")),
      ts_named(context, "llvm.linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal)),
      ts_named(context, "arg_attrs", mlirArrayAttrGet(context, k->num + 2, attributes)),
      ts_named(context, "passthrough", mlirArrayAttrGet(context, 1, &noinline)),
  };
  ts_maker build = ts_make_before(k->op);
  ts_make_op(&build, &(ts_new_op){.name = "func.func",
                                  .num_attributes = sizeof(named) / sizeof(*named),
                                  .attributes = named,
                                  .region = region});
}

/* The place of member `i` of the struct at `memory`. */
static MlirValue member(const kernel_function *k, const ts_maker *build, MlirValue memory,
                        intptr_t i) {
  int32_t indices[] = {0, (int32_t)i};
  MlirNamedAttribute attributes[] = {
      ts_named(k->context, "elem_type", mlirTypeAttrGet(k->memory)),
      ts_named(k->context, "rawConstantIndices", mlirDenseI32ArrayGet(k->context, 2, indices)),
  };
  return ts_make_value(build, "llvm.getelementptr", 1, &memory, ts_pointer_type(k->context), 2,
                       attributes);
}

static MlirValue convert(const ts_maker *build, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type) ? value : ts_make_cast(build, value, type);
}

static void make_block(const kernel_function *k) {
  MlirContext context = k->context;
  MlirType word = ts_i64_type(context);
  MlirType types[] = {ts_pointer_type(context), word, word};
  MlirBlock block = mlirBlockCreate(
      3, types, (MlirLocation[]){k->locations[0], k->locations[0], k->locations[0]});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  ts_maker build = ts_make_at_end(block, k->locations[0]);
  MlirValue *operands = TS_NEW(k->arena, MlirValue, k->num + 2);
  for (intptr_t i = 0; i < k->num; i++) {
    MlirValue place = member(k, &build, mlirBlockGetArgument(block, 0), i);
    MlirValue value =
        ts_make_value(&build, "llvm.load", 1, &place, ts_llvm_type(k->types[i]), 0, NULL);
    operands[i] = convert(&build, value, k->types[i]);
  }
  for (int i = 0; i < 2; i++)
    operands[k->num + i] = convert(&build, mlirBlockGetArgument(block, 1 + i), k->types[k->num]);
  ts_make_call(&build, ts_arena_format(k->arena, "%s.steps", k->name), k->num + 2, operands);
  ts_make_op(&build, &(ts_new_op){.name = "llvm.return"});
  MlirNamedAttribute named[] = {
      ts_named(context, "sym_name",
               ts_text_attribute(context, ts_arena_format(k->arena, "%s.block", k->name))),
      ts_named(
          context, "function_type",
          mlirTypeAttrGet(mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(context), 3, types, false))),
      ts_named(context, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal)),
  };
  build = ts_make_before(k->op);
  ts_make_op(&build,
             &(ts_new_op){
                 .name = "llvm.func", .num_attributes = 3, .attributes = named, .region = region});
}

/* A value of the kernel's beginning, which is made of its arguments, made again at `build`. */
static MlirValue again(const ts_maker *build, MlirBlock arguments, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockGetArgument(arguments, mlirBlockArgumentGetArgNumber(value));
  MlirOperation op = mlirOpResultGetOwner(value), copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, again(build, arguments, mlirOperationGetOperand(op, i)));
  mlirBlockAppendOwnedOperation(build->block, copy);
  return mlirOperationGetResult(copy, 0);
}

/* Fills the function that is called, whose body is gone. */
static void make_start(const kernel_function *k) {
  MlirBlock block = mlirBlockCreate(k->num, k->types, k->locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(k->op, 0), block);
  ts_maker build = ts_make_at_end(block, k->locations[0]);
  MlirType word = ts_i64_type(k->context);
  MlirValue one = ts_make_llvm_int(&build, 64, 1);
  MlirNamedAttribute element = ts_named(k->context, "elem_type", mlirTypeAttrGet(k->memory));
  MlirValue memory =
      ts_make_value(&build, "llvm.alloca", 1, &one, ts_pointer_type(k->context), 1, &element);
  for (intptr_t i = 0; i < k->num; i++) {
    MlirValue value = convert(&build, mlirBlockGetArgument(block, i), ts_llvm_type(k->types[i]));
    MlirValue operands[] = {value, member(k, &build, memory, i)};
    ts_make_op(&build, &(ts_new_op){.name = "llvm.store", .num_operands = 2, .operands = operands});
  }
  MlirValue operands[] = {
      ts_make_address_of(&build, ts_arena_format(k->arena, "%s.block", k->name)),
      memory,
      convert(&build, again(&build, block, mlirOperationGetOperand(k->to, 0)), word),
      ts_make_llvm_int(&build, 64, ts_op_int(k->to, TS_SPLIT_TO, 1)),
      convert(&build, again(&build, block, mlirOperationGetOperand(k->from, 0)), word),
  };
  ts_make_llvm_call(&build, "tessera_rt_parallel", 5, operands);
  ts_make_op(&build, &(ts_new_op){.name = "func.return"});
}

/* ---- all kernels ----------------------------------------------------------------------------- */

static void declare(ts_wrappers *wrappers) {
  MlirType pointer = ts_pointer_type(wrappers->context), word = ts_i64_type(wrappers->context);
  MlirType types[] = {pointer, pointer, word, word, word};
  ts_wrappers_declare(wrappers, "tessera_rt_parallel", (MlirType){NULL}, 5, types);
}

void ts_threads_call(MlirOperation module, ts_wrappers *wrappers) {
  ts_arena arena = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)), next; op.ptr;
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    kernel_function k;
    if (!ts_op_is(op, "func.func") || !read_kernel(&arena, op, &k))
      continue;
    make_steps(&k);
    make_block(&k);
    make_start(&k);
    mlirOperationDestroy(k.to);
    mlirOperationDestroy(k.from);
    declare(wrappers);
  }
  ts_arena_free(&arena);
}
