/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A module of the LLVM dialect as several, for LLVM to work on at once. It knows functions and
 * references; it must not know what is compiled. */
#include "lowering/targets/cpu/parts.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/map.h"

enum {
  PART_OPS = 1000,   /* of functions that are moved: LLVM takes some 0.3 s for them */
  LONG_OPS = 1 << 14 /* LLVM's register allocation takes some 0.5 s for them, and for twice as many
                        four times as long */
};

/* A symbol of the module, by its op at first. */
typedef struct symbol {
  MlirOperation op;
  int part;      /* where it is defined; 0: in what is left */
  bool is_apart; /* a function that is never part of others */
  bool is_long;  /* a function without loops that has many ops */
  int64_t ops;   /* in it */
} symbol;

typedef struct parts_maker {
  ts_arena *arena;
  MlirContext context;
  MlirOperation module;
  ts_map by_name; /* name attribute -> symbol */
  int num, max;
  symbol **symbols; /* in the module's order */
  ts_parts parts;
} parts_maker;

/* ---- reading --------------------------------------------------------------------------------- */

static MlirOperation first_op(MlirOperation module) {
  return mlirBlockGetFirstOperation(ts_module_body(module));
}

static bool has_body(MlirOperation op) {
  return mlirOperationGetNumRegions(op) > 0 &&
         mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr;
}

static bool has_linkage(MlirOperation op, MlirLLVMLinkage linkage) {
  MlirAttribute has = ts_attribute(op, "linkage");
  return !mlirAttributeIsNull(has) &&
         mlirAttributeEqual(has, mlirLLVMLinkageAttrGet(mlirOperationGetContext(op), linkage));
}

static bool is_internal(MlirOperation op) {
  return has_linkage(op, MlirLLVMLinkageInternal);
}

static bool is_noinline(MlirOperation op) {
  MlirAttribute list = ts_attribute(op, "passthrough");
  if (!mlirAttributeIsNull(ts_attribute(op, "no_inline")))
    return true;
  for (intptr_t i = 0; !mlirAttributeIsNull(list) && i < mlirArrayAttrGetNumElements(list); i++) {
    MlirAttribute item = mlirArrayAttrGetElement(list, i);
    if (mlirAttributeIsAString(item) && ts_string_equal(mlirStringAttrGetValue(item), "noinline"))
      return true;
  }
  return false;
}

static MlirAttribute name_key(MlirContext context, MlirStringRef name) {
  return mlirStringAttrGet(context, name);
}

/* Some branch leads to a block that is not behind its own. */
static bool has_loop(ts_arena *arena, MlirOperation function) {
  ts_map before = {0};
  for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)); block.ptr;
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = mlirBlockGetTerminator(block);
    ts_map_set(&before, arena, block.ptr, block.ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(last); i++)
      if (ts_map_get(&before, mlirOperationGetSuccessor(last, i).ptr))
        return true;
  }
  return false;
}

static void count_op(MlirOperation op, void *user) {
  (void)op;
  (*(int64_t *)user)++;
}

static void read_symbols(parts_maker *m) {
  for (MlirOperation op = first_op(m->module); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = ts_op_symbol(op, "sym_name");
    if (name.length == 0)
      continue;
    symbol *s = TS_NEW(m->arena, symbol, 1);
    *s = (symbol){.op = op};
    s->is_apart = ts_op_is(op, "llvm.func") && has_body(op) && is_internal(op) && is_noinline(op);
    if (ts_op_is(op, "llvm.func") && has_body(op))
      ts_each_op(op, count_op, &s->ops);
    s->is_long = s->ops >= LONG_OPS && is_internal(op) && !has_loop(m->arena, op);
    ts_map_set(&m->by_name, m->arena, name_key(m->context, name).ptr, s);
    m->symbols = ts_arena_grow(m->arena, m->symbols, m->num, &m->max, sizeof(symbol *));
    m->symbols[m->num++] = s;
  }
}

/* ---- dealing --------------------------------------------------------------------------------- */

static bool has_long(const parts_maker *m) {
  for (int i = 0; i < m->num; i++)
    if (m->symbols[i]->is_long)
      return true;
  return false;
}

/* Which part each function that is apart goes to, of `most`: equal shares, in order. Gives how many
 * parts there are then. */
static int deal_shares(parts_maker *m, int most) {
  int64_t total = 0, before = 0;
  for (int i = 0; i < m->num; i++)
    total += m->symbols[i]->is_apart ? m->symbols[i]->ops : 0;
  int64_t shares = total / PART_OPS;
  if (shares > most - 1)
    shares = most - 1;
  if (shares < 2)
    return 1;
  for (int i = 0; i < m->num; i++) {
    symbol *s = m->symbols[i];
    if (!s->is_apart)
      continue;
    s->part = 1 + (int)(before * shares / total);
    before += s->ops;
  }
  return 1 + (int)shares;
}

/* Gives how many parts there are: long functions have one of their own. */
static int deal(parts_maker *m, int most) {
  if (most < 2 || !has_long(m))
    return deal_shares(m, most);
  m->parts.long_part = deal_shares(m, most - 1);
  for (int i = 0; i < m->num; i++)
    if (m->symbols[i]->is_long)
      m->symbols[i]->part = m->parts.long_part;
  return m->parts.long_part + 1;
}

static MlirOperation empty_module(const parts_maker *m) {
  MlirModule made = mlirModuleCreateEmpty(mlirOperationGetLocation(m->module));
  MlirOperation op = mlirModuleGetOperation(made);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(m->module); i++) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(m->module, i);
    mlirOperationSetDiscardableAttributeByName(op, mlirIdentifierStr(named.name), named.attribute);
  }
  return op;
}

static void append(MlirOperation module, MlirOperation op) {
  mlirBlockAppendOwnedOperation(ts_module_body(module), op);
}

static void move_functions(parts_maker *m) {
  for (int i = 0; i < m->num; i++) {
    symbol *s = m->symbols[i];
    if (s->part == 0)
      continue;
    mlirOperationRemoveFromParent(s->op);
    append(m->parts.modules[s->part], s->op);
  }
}

/* ---- references ------------------------------------------------------------------------------ */

static void set(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name), value);
}

/* What other parts use is a symbol among the objects of the program, and not beyond. */
static void share(const parts_maker *m, MlirOperation op) {
  enum { HIDDEN = 1 };
  if (!is_internal(op) && !has_linkage(op, MlirLLVMLinkagePrivate)) /* the latter are constants */
    return;
  set(op, "linkage", mlirLLVMLinkageAttrGet(m->context, MlirLLVMLinkageExternal));
  set(op, "visibility_", ts_int_attribute(ts_i64_type(m->context), HIDDEN));
}

/* `op` without its body or value, and said to be elsewhere, at the end of `module`. */
static void declare(const parts_maker *m, MlirOperation module, MlirOperation op) {
  intptr_t all = mlirOperationGetNumAttributes(op), num = 0;
  MlirNamedAttribute *attributes = TS_NEW(m->arena, MlirNamedAttribute, all + 1);
  for (intptr_t i = 0; i < all; i++) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    if (!ts_string_equal(name, "value") && !ts_string_equal(name, "linkage"))
      attributes[num++] = named;
  }
  attributes[num++] =
      ts_named(m->context, "linkage", mlirLLVMLinkageAttrGet(m->context, MlirLLVMLinkageExternal));
  ts_maker build = ts_make_at_end(ts_module_body(module), mlirOperationGetLocation(op));
  ts_make_op(&build, &(ts_new_op){.name = ts_op_name(op),
                                  .num_attributes = num,
                                  .attributes = attributes,
                                  .region = mlirRegionCreate()});
}

typedef struct part_walk {
  parts_maker *maker;
  int part;
  ts_map known; /* symbols that the part has, or has declared */
} part_walk;

static void resolve_all(part_walk *w, MlirOperation op);

/* Functions that may become part of others are copied to where they are called. */
static bool may_be_inlined(const symbol *s) {
  return ts_op_is(s->op, "llvm.func") && has_body(s->op) && is_internal(s->op) && !s->is_apart &&
         !s->is_long;
}

static void resolve(part_walk *w, MlirStringRef name, bool is_call) {
  parts_maker *m = w->maker;
  symbol *s = ts_map_get(&m->by_name, name_key(m->context, name).ptr);
  if (!s || s->part == w->part || ts_map_get(&w->known, s))
    return;
  ts_map_set(&w->known, m->arena, s, w);
  MlirOperation module = m->parts.modules[w->part];
  if (is_call && may_be_inlined(s)) {
    MlirOperation copy = mlirOperationClone(s->op);
    append(module, copy);
    resolve_all(w, copy);
    return;
  }
  share(m, s->op);
  declare(m, module, s->op);
}

static void visit_reference(MlirOperation op, void *user) {
  part_walk *w = user;
  bool is_call = ts_op_is(op, "llvm.call");
  MlirStringRef name = ts_op_symbol(op, is_call ? "callee" : "global_name");
  if (name.length > 0 && (is_call || ts_op_is(op, "llvm.mlir.addressof")))
    resolve(w, name, is_call);
}

static void resolve_all(part_walk *w, MlirOperation op) {
  ts_each_op(op, visit_reference, w);
}

static void resolve_part(parts_maker *m, int part) {
  part_walk w = {.maker = m, .part = part};
  MlirOperation last = {NULL}, op = first_op(m->parts.modules[part]);
  for (MlirOperation next = op; next.ptr; next = mlirOperationGetNextInBlock(next))
    last = next;
  /* Declarations and copies come behind the last. */
  for (; op.ptr;
       op = mlirOperationEqual(op, last) ? (MlirOperation){NULL} : mlirOperationGetNextInBlock(op))
    resolve_all(&w, op);
}

/* ---- all parts ------------------------------------------------------------------------------- */

ts_parts ts_parts_make(ts_arena *arena, MlirOperation module, int most) {
  parts_maker m = {.arena = arena, .context = mlirOperationGetContext(module), .module = module};
  read_symbols(&m);
  m.parts.num = deal(&m, most);
  m.parts.modules = TS_NEW(arena, MlirOperation, m.parts.num);
  m.parts.modules[0] = module;
  if (m.parts.num == 1)
    return m.parts;
  for (int i = 1; i < m.parts.num; i++)
    m.parts.modules[i] = empty_module(&m);
  move_functions(&m);
  for (int i = 0; i < m.parts.num; i++)
    resolve_part(&m, i);
  return m.parts;
}

void ts_parts_destroy(const ts_parts *parts) {
  for (int i = 1; i < parts->num; i++)
    mlirOperationDestroy(parts->modules[i]);
}
