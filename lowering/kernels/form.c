/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Forming kernels: walks over functions, groups the linalg ops of a block, and puts a call of a
 * function in their place. Knows functions and calls, not what is in a kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "lowering/kernels/group.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

/* The functions that there are, by their texts. */
typedef struct known_kernel {
  const char *text;
  uint64_t hash;
  MlirStringRef name;
} known_kernel;

typedef struct former {
  ts_arena *arena;
  MlirContext context;
  MlirOperation module;
  const ts_kernel_target *target;
  known_kernel *known;
  int num_known, max_known;
  ts_buffers memories; /* of the function */
  ts_kernel *kernel;    /* that grows; NULL if none */
  MlirOperation *freed; /* deallocations of its memory that came by, ... */
  int num_freed, max_freed;
  int num_between; /* ... as many of them before its last nest */
} former;

/* ---- what bodies use --------------------------------------------------------------------------
 */

typedef struct capture {
  ts_kernel *kernel;
  MlirOperation nest;
} capture;

static bool is_inside(MlirValue value, MlirOperation op) {
  MlirOperation at = mlirValueIsAOpResult(value)
                         ? mlirOpResultGetOwner(value)
                         : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  for (; at.ptr; at = mlirOperationGetParentOperation(at))
    if (mlirOperationEqual(at, op))
      return true;
  return false;
}

static void add_captured(ts_kernel *kernel, MlirValue value) {
  for (int i = 0; i < kernel->num_captured; i++)
    if (mlirValueEqual(kernel->captured[i], value))
      return;
  kernel->captured = ts_arena_grow(kernel->memories->arena, kernel->captured, kernel->num_captured,
                                   &kernel->max_captured, sizeof(MlirValue));
  kernel->captured[kernel->num_captured++] = value;
}

static bool is_constant(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is_constant_like(op);
}

static MlirWalkResult note_captured(MlirOperation op, void *user) {
  const capture *c = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && op.ptr != c->nest.ptr; i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_inside(value, c->nest) && !is_constant(value))
      add_captured(c->kernel, value);
  }
  return MlirWalkResultAdvance;
}

static void find_captured(ts_kernel *kernel) {
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    capture c = {kernel, nest->op};
    mlirOperationWalk(nest->op, note_captured, &c, MlirWalkPreOrder);
    for (int i = 0; i < nest->num_inputs; i++) {
      MlirValue value = mlirOperationGetOperand(nest->op, i);
      if (!nest->accesses[i].memory && !is_constant(value))
        add_captured(kernel, value);
    }
  }
}

/* ---- symbols ----------------------------------------------------------------------------------
 */

typedef struct symbol_list {
  int num;
  int *symbols;
} symbol_list;

static void note_symbols(symbol_list *list, const ts_product *product) {
  for (int i = 0; i < product->num; i++) {
    int j = 0;
    while (j < list->num && list->symbols[j] != product->symbols[i])
      j++;
    if (j == list->num)
      list->symbols[list->num++] = product->symbols[i];
  }
}

static symbol_list find_symbols(const ts_kernel *kernel) {
  symbol_list list = {0, TS_NEW(kernel->memories->arena, int, kernel->memories->num_symbols)};
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    for (int l = 0; l < nest->num_loops; l++)
      note_symbols(&list, &nest->loops[l].extent);
    for (int a = 0; a < nest->num_accesses; a++) {
      note_symbols(&list, &nest->accesses[a].offset);
      for (int l = 0; l < nest->num_loops; l++)
        note_symbols(&list, &nest->accesses[a].strides[l]);
    }
  }
  return list;
}

/* ---- the function -----------------------------------------------------------------------------
 */

typedef struct text_sink {
  char *data;
  size_t used, size;
} text_sink;

static void append(MlirStringRef part, void *user) {
  text_sink *sink = user;
  if (sink->used + part.length + 1 > sink->size) {
    sink->size = 2 * (sink->used + part.length + 1);
    sink->data = realloc(sink->data, sink->size);
    if (!sink->data)
      abort();
  }
  memcpy(sink->data + sink->used, part.data, part.length);
  sink->used += part.length;
  sink->data[sink->used] = '\0';
}

static uint64_t hash_text(const char *text) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

static MlirOperation make_function(former *f, const ts_kernel *kernel, const symbol_list *symbols) {
  MlirType types[256];
  MlirAttribute attributes[256];
  intptr_t num = 0;
  MlirNamedAttribute marks[2] = {
      ts_named(f->context, "llvm.noalias", mlirUnitAttrGet(f->context)),
      ts_named(f->context, "llvm.nonnull", mlirUnitAttrGet(f->context)),
  };
  for (int p = 0; p < kernel->num_pointers; p++)
    if (!kernel->pointers[p].elements) {
      attributes[num] = mlirDictionaryAttrGet(f->context, kernel->pointers[p].is_apart, marks);
      types[num++] = ts_pointer_type(f->context);
    }
  for (int s = 0; s < symbols->num + kernel->num_captured; s++) {
    attributes[num] = mlirDictionaryAttrGet(f->context, 0, NULL);
    types[num++] = s < symbols->num ? mlirIndexTypeGet(f->context)
                                    : mlirValueGetType(kernel->captured[s - symbols->num]);
  }
  MlirLocation location = mlirLocationUnknownGet(f->context), locations[256];
  for (intptr_t i = 0; i < num; i++)
    locations[i] = location;
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(num, types, locations));
  MlirNamedAttribute named[] = {
      ts_named(f->context, "sym_name", ts_text_attribute(f->context, "tessera.kernel")),
      ts_named(f->context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(f->context, num, types, 0, NULL))),
      ts_named(f->context, "sym_visibility", ts_text_attribute(f->context, "private")),
      ts_named(f->context, "arg_attrs", mlirArrayAttrGet(f->context, num, attributes)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(f->module), location);
  MlirOperation function = ts_make_op(
      &build,
      &(ts_new_op){.name = "func.func", .num_attributes = 4, .attributes = named, .region = region});
  f->target->emit(kernel, symbols->num, symbols->symbols, function);
  return function;
}

/* The name of the function, or of one that is equal and was there, in place of it. */
static const char *keep_function(former *f, MlirOperation function) {
  text_sink text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags); /* else all of the module is looked at each time */
  mlirOperationPrintWithFlags(function, flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  uint64_t hash = hash_text(text.data);
  for (int k = 0; k < f->num_known; k++)
    if (f->known[k].hash == hash && strcmp(f->known[k].text, text.data) == 0) {
      free(text.data);
      mlirOperationDestroy(function);
      return f->known[k].name.data;
    }
  f->known = ts_arena_grow(f->arena, f->known, f->num_known, &f->max_known, sizeof(known_kernel));
  const char *name = ts_arena_format(f->arena, "tessera.kernel.%d", f->num_known);
  f->known[f->num_known++] =
      (known_kernel){ts_arena_format(f->arena, "%s", text.data), hash,
                     mlirStringRefCreateFromCString(name)};
  free(text.data);
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("sym_name"),
                                  ts_text_attribute(f->context, name));
  return name;
}

/* ---- the call ---------------------------------------------------------------------------------
 */

/* What an element is in LLVM; the number of bytes that a step of a pointer goes. */
static MlirType step_type(MlirType element) {
  MlirContext context = mlirTypeGetContext(element);
  if (mlirTypeIsAIndex(element))
    return ts_i64_type(context);
  if (mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) == 8)
    return mlirIntegerTypeGet(context, 8);
  if (mlirTypeIsAComplex(element)) {
    MlirType parts[2] = {mlirComplexTypeGetElementType(element),
                         mlirComplexTypeGetElementType(element)};
    return mlirLLVMStructTypeLiteralGet(context, 2, parts, false);
  }
  return element;
}

static MlirValue extract(const ts_maker *build, MlirValue descriptor, int64_t position,
                         MlirType type) {
  MlirNamedAttribute at =
      ts_named(build->context, "position", mlirDenseI64ArrayGet(build->context, 1, &position));
  return ts_make_value(build, "llvm.extractvalue", 1, &descriptor, type, 1, &at);
}

/* A pointer to the memref's first element. */
static MlirValue make_pointer(const ts_maker *build, MlirValue memref) {
  MlirType type = mlirValueGetType(memref), pointer = ts_pointer_type(build->context);
  MlirValue descriptor = ts_make_cast(
      build, memref, ts_descriptor_type(build->context, mlirShapedTypeGetRank(type)));
  MlirValue operands[2] = {extract(build, descriptor, 1, pointer)};
  int64_t strides[TS_MAX_RANK], offset, dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  if (offset == 0)
    return operands[0];
  operands[1] = offset == dynamic
                    ? extract(build, descriptor, 2, ts_i64_type(build->context))
                    : ts_make_llvm_int(build, 64, offset);
  int32_t index = INT32_MIN; /* LLVM::GEPOp's mark of an operand */
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type",
               mlirTypeAttrGet(step_type(mlirShapedTypeGetElementType(type)))),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &index)),
  };
  return ts_make_value(build, "llvm.getelementptr", 2, operands, pointer, 2, attributes);
}

static void make_call(former *f, const ts_kernel *kernel, const symbol_list *symbols,
                      const char *name) {
  MlirValue operands[256];
  intptr_t num = 0;
  ts_maker build = ts_make_before(kernel->nests[kernel->num_nests - 1]->op);
  for (int p = 0; p < kernel->num_pointers; p++)
    if (!kernel->pointers[p].elements)
      operands[num++] = make_pointer(&build, kernel->pointers[p].memory->memref);
  for (int s = 0; s < symbols->num; s++)
    operands[num++] = f->memories.values[symbols->symbols[s]];
  for (int c = 0; c < kernel->num_captured; c++)
    operands[num++] = kernel->captured[c];
  ts_make_call(&build, name, num, operands);
}

/* Erases `value`'s deallocations, and it if nothing uses it then, with the views of it. */
static void erase_unused(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value), next; !mlirOpOperandIsNull(use);
       use = next) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (ts_op_is(op, "memref.dealloc"))
      mlirOperationDestroy(op);
  }
}

static void end_kernel(former *f) {
  ts_kernel *kernel = f->kernel;
  if (!kernel)
    return;
  f->kernel = NULL;
  ts_group_end(kernel);
  find_captured(kernel);
  symbol_list symbols = find_symbols(kernel);
  MlirOperation last = kernel->nests[kernel->num_nests - 1]->op;
  if (kernel->num_pointers + symbols.num + kernel->num_captured <= 250) {
    const char *name = keep_function(f, make_function(f, kernel, &symbols));
    make_call(f, kernel, &symbols, name);
    for (int i = f->num_between - 1; i >= 0; i--)
      mlirOperationMoveAfter(f->freed[i], last);
    for (int n = 0; n < kernel->num_nests; n++)
      mlirOperationDestroy(kernel->nests[n]->op);
    for (int p = 0; p < kernel->num_pointers; p++)
      if (kernel->pointers[p].elements)
        erase_unused(kernel->pointers[p].memory->root);
  }
  f->num_freed = f->num_between = 0;
}

/* ---- walking ----------------------------------------------------------------------------------
 */

static void form_in_block(former *f, MlirBlock block);

static void add_nest(former *f, MlirOperation op) {
  ts_nest *nest = ts_nest_read(&f->memories, op);
  if (!nest) {
    end_kernel(f);
    return;
  }
  ts_nest_normalize(nest);
  if (f->kernel && ts_group_add(f->kernel, nest)) {
    f->num_between = f->num_freed;
    return;
  }
  end_kernel(f);
  f->kernel = ts_group_start(&f->memories, nest);
}

/* What comes between the nests of a kernel may stay before it: it neither reads nor writes memory.
 */
static bool is_passed(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 &&
         (ts_op_is_memory_effect_free(op) || ts_op_is(op, "memref.alloc"));
}

static void form_op(former *f, MlirOperation op) {
  if (ts_op_is_linalg(op)) {
    add_nest(f, op);
    return;
  }
  if (f->kernel && ts_op_is(op, "memref.dealloc")) {
    const ts_buffer *memory = ts_buffer_of(&f->memories, mlirOperationGetOperand(op, 0));
    if (memory && !ts_group_touches(f->kernel, memory))
      return;
    if (memory) {
      f->freed =
          ts_arena_grow(f->arena, f->freed, f->num_freed, &f->max_freed, sizeof(MlirOperation));
      f->freed[f->num_freed++] = op;
      return;
    }
  }
  if (!is_passed(op))
    end_kernel(f);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      form_in_block(f, block);
}

static void form_in_block(former *f, MlirBlock block) {
  /* What comes behind `op` is known once a kernel that ends there has taken its part of it. */
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    form_op(f, op);
  end_kernel(f);
}

void ts_kernels_form(MlirOperation module, const ts_kernel_target *target) {
  ts_arena arena = {0};
  former f = {.arena = &arena,
              .context = mlirOperationGetContext(module),
              .module = module,
              .target = target};
  MlirBlock body = ts_module_body(module);
  MlirOperation last = mlirBlockGetFirstOperation(body);
  for (MlirOperation op = last; op.ptr; op = mlirOperationGetNextInBlock(op))
    last = op;
  /* Kernels come behind the last. */
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    f.memories = (ts_buffers){.arena = &arena};
    if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr)
      for (MlirBlock block = ts_function_entry(op); block.ptr;
           block = mlirBlockGetNextInRegion(block))
        form_in_block(&f, block);
    if (mlirOperationEqual(op, last))
      break;
  }
  ts_arena_free(&arena);
}
