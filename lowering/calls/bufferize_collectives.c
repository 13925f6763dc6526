/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives on tensors to calls on memrefs: how each bufferizes and which wrapper it calls. It
 * knows shapes of results and dead inputs; it must not know what a collective does. */
#include "lowering/calls/bufferize_collectives.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"

/* Set by the bufferization model where an input lives on (see capi.h). */
#define FRESH "tessera.fresh"

/* ---- which call ------------------------------------------------------------------------------ */

/* The numbers in attribute `words_in` of `op`. */
static intptr_t num_index_words(MlirOperation op, const ts_collective *row) {
  MlirAttribute words = ts_attribute(op, row->words_in);
  return mlirAttributeIsNull(words) ? 0 : mlirDenseArrayGetNumElements(words);
}

/* The operands of group `group` of an op with operandSegmentSizes. */
static intptr_t segment(MlirOperation op, int group, intptr_t *first) {
  MlirAttribute sizes = ts_attribute(op, "operandSegmentSizes");
  *first = 0;
  for (int g = 0; g < group; g++)
    *first += mlirDenseI32ArrayGetElement(sizes, g);
  return mlirDenseI32ArrayGetElement(sizes, group);
}

/* Of an exchange: the global sizes, then the numbers of its layouts. */
static intptr_t layout_words(MlirOperation op, intptr_t *first) {
  intptr_t first_number;
  return segment(op, 2, first) + segment(op, 3, &first_number);
}

static intptr_t count_words(MlirOperation op, const ts_collective *row) {
  intptr_t first;
  if (row->words == TS_NO_WORDS)
    return TS_CALL_NO_WORDS;
  return row->words == TS_LAYOUT_WORDS ? layout_words(op, &first) : num_index_words(op, row);
}

/* The runtime call that `op`, a collective of `row`, becomes. */
static ts_call call_of(MlirOperation op, const ts_collective *row) {
  MlirType input = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType output = mlirValueGetType(mlirOperationGetResult(op, 0));
  return (ts_call){.name = row->function,
                   .num_memrefs = row->passes == TS_PASSES_BOTH ? 2 : 1,
                   .memrefs = {row->passes == TS_PASSES_RESULT ? output : input, output},
                   .num_words = count_words(op, row)};
}

/* ---- preparation ----------------------------------------------------------------------------- */

typedef struct prepare_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} prepare_walk;

static void prepare_op(MlirOperation op, void *user) {
  const prepare_walk *walk = user;
  const ts_collective *row = ts_collective_of(op);
  if (!row)
    return;
  ts_call call = call_of(op, row);
  ts_wrappers_add(walk->wrappers, &call);
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirShapedTypeHasStaticShape(result) || row->extents == TS_EXTENTS_GIVEN)
    return;
  MlirType word = ts_i64_type(walk->wrappers->context);
  MlirType arguments[] = {ts_pointer_type(walk->wrappers->context), word, word};
  ts_wrappers_declare(walk->wrappers, "tessera_rt_sum_size", word, 2, arguments);
  ts_wrappers_declare(walk->wrappers, "tessera_rt_dealt_size", word, 2, arguments);
  ts_wrappers_declare(walk->wrappers, "tessera_rt_size_on", word, 3, arguments);
  ts_wrappers_declare(walk->wrappers, "tessera_rt_process_index", word, 2, arguments);
  ts_wrappers_declare(walk->wrappers, "tessera_rt_grid_extent", word, 2, arguments);
}

void ts_collectives_prepare(ts_sites *sites, ts_wrappers *wrappers) {
  prepare_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, prepare_op, &walk);
}

/* A collective on memory instead of tensors: update_halo, in place, and all_reduce, which upstream
 * gives a result of its own. */
static void call_on_memref(MlirOperation op, const ts_collective *row, const ts_call *call);

static void call_if_on_memory(MlirOperation op, void *user) {
  const prepare_walk *walk = user;
  if (!ts_is_on_memory(op))
    return;
  const ts_collective *row = ts_collective_of(op);
  ts_call call = call_of(op, row);
  ts_wrappers_add(walk->wrappers, &call);
  call_on_memref(op, row, &call);
}

void ts_collectives_call_on_memory(ts_sites *sites, ts_wrappers *wrappers) {
  prepare_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, call_if_on_memory, &walk);
}

/* Static numbers as constants, `?` as the op's operands after the tensor. */
static void index_words(const ts_maker *build, MlirOperation op, const ts_collective *row,
                        MlirValue *words) {
  MlirAttribute numbers = ts_attribute(op, row->words_in);
  intptr_t dynamic = 1;
  for (intptr_t i = 0; i < num_index_words(op, row); i++) {
    int64_t number = mlirDenseI64ArrayGetElement(numbers, i);
    words[i] = number == mlirShapedTypeGetDynamicSize() ? mlirOperationGetOperand(op, dynamic++)
                                                        : ts_make_llvm_int(build, 64, number);
  }
}

/* ---- sizes of results ------------------------------------------------------------------------ */

/* Calls a runtime function of (site, i64) that gives an i64. */
static MlirValue ask(const ts_maker *build, const char *callee, MlirValue site, MlirValue word) {
  MlirValue operands[] = {site, word};
  return ts_make_llvm_call_value(build, callee, 2, operands, ts_i64_type(build->context));
}

static MlirValue as_type(const ts_maker *build, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return ts_make_value(build, "arith.index_cast", 1, &value, type, 0, NULL);
}

/* The number of devices in the group of `op`, and this device's position among them. */
typedef struct share {
  MlirValue devices, position;
} share;

static share find_share(const ts_maker *build, MlirOperation op, MlirValue site) {
  MlirAttribute axes = ts_attribute(op, "grid_axes");
  share at = {ts_make_llvm_int(build, 64, 1), ts_make_llvm_int(build, 64, 0)};
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); i++) {
    MlirValue axis = ts_make_llvm_int(build, 64, mlirDenseI16ArrayGetElement(axes, i));
    MlirValue extent = ask(build, "tessera_rt_grid_extent", site, axis);
    MlirValue index = ask(build, "tessera_rt_process_index", site, axis);
    at.position = ts_make_binary(build, "arith.addi",
                                 ts_make_binary(build, "arith.muli", at.position, extent), index);
    at.devices = ts_make_binary(build, "arith.muli", at.devices, extent);
  }
  return at;
}

/* What this device gets of `size` indices over the group of `op`: size / p, and one more on the
 * last size mod p devices. */
static MlirValue balanced_piece(const ts_maker *build, MlirOperation op, MlirValue site,
                                MlirValue size) {
  share at = find_share(build, op, site);
  /* floor((size + position) / p): the last (size mod p) positions cross to the next multiple. */
  MlirType word = ts_i64_type(build->context);
  MlirValue sum = ts_make_binary(build, "arith.addi", as_type(build, size, word), at.position);
  MlirValue piece = ts_make_binary(build, "arith.divui", sum, at.devices);
  return as_type(build, piece, mlirIndexTypeGet(build->context));
}

/* What `callee` makes of the `size` indices that each device of the group has. */
static MlirValue size_of_group(const ts_maker *build, const char *callee, MlirValue site,
                               MlirValue size) {
  MlirValue local = as_type(build, size, ts_i64_type(build->context));
  return as_type(build, ask(build, callee, site, local), mlirIndexTypeGet(build->context));
}

/* The `size` of the root of `op`, whose tensor alone counts. */
static MlirValue size_on_root(const ts_maker *build, MlirOperation op, const ts_collective *row,
                              MlirValue site, MlirValue size) {
  MlirType word = ts_i64_type(build->context);
  MlirValue root[TS_MAX_RANK], position = ts_make_llvm_int(build, 64, 0);
  MlirAttribute axes = ts_attribute(op, "grid_axes");
  index_words(build, op, row, root);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); i++) {
    MlirValue axis = ts_make_llvm_int(build, 64, mlirDenseI16ArrayGetElement(axes, i));
    MlirValue extent = ask(build, "tessera_rt_grid_extent", site, axis);
    position =
        ts_make_binary(build, "arith.addi", ts_make_binary(build, "arith.muli", position, extent),
                       as_type(build, root[i], word));
  }
  MlirValue operands[] = {site, as_type(build, size, word), position};
  MlirValue got = ts_make_llvm_call_value(build, "tessera_rt_size_on", 3, operands, word);
  return as_type(build, got, mlirIndexTypeGet(build->context));
}

/* Dimension `d` of the result of a collective whose input is `buffer`. */
static MlirValue result_size(const ts_maker *build, MlirOperation op, const ts_collective *row,
                             MlirValue site, MlirValue buffer, int64_t d) {
  MlirValue size = ts_make_size(build, buffer, d);
  if (row->extents == TS_EXTENTS_OF_ROOT)
    size = size_on_root(build, op, row, site, size);
  bool joined = row->joins && ts_op_int(op, row->joins, -1) == d;
  bool cut = row->cuts && ts_op_int(op, row->cuts, -1) == d;
  if (joined && cut)
    return size_of_group(build, "tessera_rt_dealt_size", site, size);
  if (joined)
    return size_of_group(build, "tessera_rt_sum_size", site, size);
  return cut ? balanced_piece(build, op, site, size) : size;
}

/* One index value for each `?` of the result type. */
static intptr_t result_sizes(const ts_maker *build, MlirOperation op, const ts_collective *row,
                             MlirValue site, MlirValue buffer, MlirValue *sizes) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t num = 0;
  bool given = row->extents == TS_EXTENTS_GIVEN;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    sizes[num] =
        given ? mlirOperationGetOperand(op, 1 + num) : result_size(build, op, row, site, buffer, d);
    num++;
  }
  return num;
}

/* ---- bufferization --------------------------------------------------------------------------- */

static void call_words(const ts_maker *build, MlirOperation op, const ts_collective *row,
                       MlirValue *words) {
  if (row->words == TS_MEMBER_WORDS || row->words == TS_HALO_WORDS)
    index_words(build, op, row, words);
  if (row->words != TS_LAYOUT_WORDS)
    return;
  intptr_t first, num = layout_words(op, &first);
  for (intptr_t i = 0; i < num; i++)
    words[i] = mlirOperationGetOperand(op, first + i);
}

typedef MlirValue (*allocate)(void *user, MlirType memref, intptr_t num_sizes,
                              const MlirValue *sizes);

/* Where the root says the extents, those of the input on other devices may differ. */
static bool may_alias(MlirOperation op, intptr_t operand) {
  const ts_collective *row = ts_collective_of(op);
  if (operand != 0 || row->memory == TS_RESULT_NEW || !mlirAttributeIsNull(ts_attribute(op, FRESH)))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (row->extents == TS_EXTENTS_OF_ROOT && !mlirShapedTypeHasStaticShape(from))
    return false;
  return mlirTypeEqual(from, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool is_fresh_where_live(MlirOperation op) {
  return ts_collective_of(op)->memory == TS_RESULT_OVER_DEAD_INPUT;
}

/* The buffer that the collective writes. */
static MlirValue destination(const ts_maker *build, MlirOperation op, const ts_collective *row,
                             MlirValue site, MlirValue buffer, allocate alloc, void *user) {
  if (may_alias(op, 0))
    return buffer;
  MlirValue sizes[TS_MAX_RANK];
  intptr_t num = result_sizes(build, op, row, site, buffer, sizes);
  MlirType type = ts_identity_memref_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return alloc(user, type, num, sizes);
}

static MlirValue site_address(const ts_maker *build, ts_arena *arena, MlirStringRef symbol) {
  return ts_make_address_of(build, ts_arena_format(arena, "%.*s", (int)symbol.length, symbol.data));
}

static MlirValue allocate_memory(const ts_maker *build, MlirType memref, intptr_t num_sizes,
                                 const MlirValue *sizes) {
  int32_t segments[] = {(int32_t)num_sizes, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  return ts_make_value(build, "memref.alloc", num_sizes, sizes, memref, 1, &attribute);
}

/* Elements `offset`, `offset + stride`, ... of a block of memory that reaches to the last one. All
 * numbers of `type` are static. */
static MlirValue allocate_with_gaps(const ts_maker *build, MlirType type, const ts_steps *steps) {
  MlirContext context = build->context;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t sizes[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    sizes[d] = mlirShapedTypeGetDimSize(type, d);
  MlirType flat = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 1, &steps->reach,
                                              mlirAttributeGetNull());
  MlirValue block = allocate_memory(build, flat, 0, NULL);
  int32_t segments[] = {1, 0, 0, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &steps->offset)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, rank, sizes)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, rank, steps->strides)),
  };
  return ts_make_value(build, "memref.reinterpret_cast", 1, &block, type, 4, attributes);
}

/* The memory that a collective on memory writes. */
static MlirValue memory_of(const ts_maker *build, MlirOperation op, const ts_collective *row,
                           MlirValue site) {
  MlirValue input = mlirOperationGetOperand(op, 0);
  if (row->memory == TS_RESULT_OVER_INPUT)
    return input;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  ts_steps steps;
  if (ts_memory_layout(type, &steps) == TS_MEMORY_GAPS)
    return allocate_with_gaps(build, type, &steps);
  MlirValue sizes[TS_MAX_RANK];
  intptr_t num = result_sizes(build, op, row, site, input, sizes);
  MlirValue memory = allocate_memory(build, ts_identity_memref_type(type), num, sizes);
  return ts_make_memref_cast(build, memory, type);
}

static void call_on_memref(MlirOperation op, const ts_collective *row, const ts_call *call) {
  ts_arena arena = {0};
  ts_maker build = ts_make_before(op);
  MlirValue site = site_address(&build, &arena, ts_op_symbol(op, "tessera.site"));
  MlirValue to = memory_of(&build, op, row, site);
  MlirValue memrefs[] = {mlirOperationGetOperand(op, 0), to};
  MlirValue *words = TS_NEW(&arena, MlirValue, call->num_words);
  call_words(&build, op, row, words);
  ts_make_wrapper_call(&build, call, site, memrefs, words);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), to);
  mlirOperationDestroy(op);
  ts_arena_free(&arena);
}

static bool bufferize(MlirOperation op, MlirValue *buffers, allocate alloc, void *user,
                      MlirValue *results) {
  const ts_collective *row = ts_collective_of(op);
  ts_maker build = ts_make_before(op);
  MlirStringRef symbol = ts_op_symbol(op, "tessera.site");
  if (symbol.length == 0)
    return ts_error_at(build.location,
                       "%s has no site record: run tessera-lower before "
                       "bufferization",
                       row->op);
  ts_arena arena = {0};
  ts_call call = call_of(op, row);
  MlirValue *words = TS_NEW(&arena, MlirValue, call.num_words);
  MlirValue site = site_address(&build, &arena, symbol);
  MlirValue to = destination(&build, op, row, site, buffers[0], alloc, user);
  if (to.ptr) {
    call_words(&build, op, row, words);
    MlirValue memrefs[] = {row->passes == TS_PASSES_RESULT ? to : buffers[0], to};
    ts_make_wrapper_call(&build, &call, site, memrefs, words);
    results[0] = to;
  }
  ts_arena_free(&arena);
  return to.ptr != NULL;
}

void ts_collectives_make_bufferizable(MlirDialectRegistry registry) {
  static const ts_bufferize_model model = {bufferize, may_alias, is_fresh_where_live};
  for (int i = 0; i < ts_num_collectives; i++)
    ts_attach_bufferize_model(registry, ts_collectives[i].op, &model);
}
