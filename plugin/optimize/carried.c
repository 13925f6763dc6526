/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What loops carry in pieces and gather in each trip, only to cut the next value again, is carried
 * whole; what they carry whole, cut in each trip and gather for the next, is carried in pieces.
 * Then it is gathered once, before or after the loop. It knows scf.for and scf.while; it must not
 * know what a trip does in between. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/communication.h"
#include "optimize/loop_runs.h"
#include "optimize/optimize.h"
#include "optimize/same.h"

enum { NUM_BOUNDS = 3, MOST_LINKS = TS_MAX_AXES };

/* Gathers, or slices, that follow each other, as the program does them; each is over other axes and
 * of another dimension, so that their order does not matter. */
typedef struct chain {
  int num;
  ts_communication links[MOST_LINKS];
} chain;

/* One value that a loop carries. */
typedef struct carried {
  MlirOperation loop;
  intptr_t operand; /* of the loop, that it begins with */
  intptr_t region;  /* where the trips are */
  MlirBlock body;
  MlirOperation end; /* of the body, whose operand `given` is what goes to the next trip */
  intptr_t given;
  MlirValue passed; /* an argument of the loop's other region, which `passes` passes on as it is;
                       null if there is no such region */
  MlirOperation passes;
  MlirOperation messages[2];               /* of the body, the first and the last; null if none */
  MlirValue first, argument, next, result; /* before, in, at the end of, and after the trips */
  ts_sameness *same;
} carried;

static bool is_even(const ts_communication *c, tessera_site_kind kind) {
  return c->row->kind == kind && c->row->extents == TS_EXTENTS_OF_INPUT;
}

static int dimension(const ts_communication *c) {
  return c->row->cuts ? c->cut : c->joined;
}

static bool may_join(const chain *chain, const ts_communication *link) {
  if (chain->num == MOST_LINKS)
    return false;
  for (int i = 0; i < chain->num; i++)
    if (!ts_is_apart(&chain->links[i], link) || dimension(&chain->links[i]) == dimension(link))
      return false;
  return true;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* The one op of `kind` in `block` that takes `value`: null if there are more, or none. */
static bool find_user(MlirValue value, tessera_site_kind kind, MlirBlock block,
                      ts_communication *found) {
  int num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    ts_communication c;
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!ts_communication_read(user, &c) || !is_even(&c, kind) ||
        !mlirBlockEqual(mlirOperationGetBlock(user), block))
      continue;
    *found = c;
    num++;
  }
  return num == 1;
}

/* What takes `value`, first to last: behind the first each takes what nobody else does. */
static void follow_down(MlirValue value, tessera_site_kind kind, MlirBlock block, chain *out) {
  ts_communication link;
  for (out->num = 0; find_user(value, kind, block, &link) && may_join(out, &link) &&
                     (out->num == 0 || ts_has_one_use(value));
       value = ts_communication_result(&link))
    out->links[out->num++] = link;
}

/* What gives `value`, last to first. */
static void follow_up(MlirValue value, tessera_site_kind kind, MlirBlock block, chain *out) {
  ts_communication link;
  for (out->num = 0; ts_communication_of(value, &link) && is_even(&link, kind) &&
                     may_join(out, &link) && mlirBlockEqual(mlirOperationGetBlock(link.op), block);
       value = ts_communication_input(&link))
    out->links[out->num++] = link;
}

static bool has_inverse(const chain *chain, int num, const ts_communication *link) {
  for (int i = 0; i < num; i++)
    if (ts_same_group(&chain->links[i], link) && dimension(&chain->links[i]) == dimension(link))
      return true;
  return false;
}

/* The longest beginnings of both that take each other back. */
static int common_length(const chain *a, const chain *b) {
  for (int num = a->num < b->num ? a->num : b->num; num > 0; num--) {
    int inverses = 0;
    while (inverses < num && has_inverse(b, num, &a->links[inverses]))
      inverses++;
    if (inverses == num)
      return num;
  }
  return 0;
}

static MlirValue result_at(const chain *chain, int num) {
  return ts_communication_result(&chain->links[num - 1]);
}

static MlirValue input_at(const chain *chain, int num) {
  return ts_communication_input(&chain->links[num - 1]);
}

/* Does links `from` to `to` again, on `value`, before `before`. */
static MlirValue again(const carried *c, const chain *chain, int from, int to, MlirOperation before,
                       MlirValue value) {
  int step = from < to ? 1 : -1;
  for (int i = from; i != to; i += step) {
    const ts_communication *link = &chain->links[i];
    MlirType done = mlirValueGetType(ts_communication_result(link));
    int64_t extent = mlirShapedTypeGetDimSize(done, dimension(link));
    MlirType type = ts_with_extent(mlirValueGetType(value), dimension(link), extent);
    value = ts_communication_again(link, before, value, type);
    ts_sameness_add(c->same, mlirOpResultGetOwner(value));
  }
  return value;
}

/* ---- carrying -------------------------------------------------------------------------------- */

/* Lets the loop carry `first` and `next` instead; what it carries is then what `inside` was. */
static void carry(const carried *c, MlirValue first, MlirValue next, MlirValue inside) {
  MlirType type = mlirValueGetType(first);
  ts_sameness_move(c->same, c->argument, inside);
  ts_sameness_move(c->same, c->result, inside);
  mlirOperationSetOperand(c->loop, c->operand, first);
  mlirOperationSetOperand(c->end, c->given, next);
  mlirValueSetType(c->argument, type);
  mlirValueSetType(c->result, type);
  if (!c->passed.ptr)
    return;
  ts_sameness_move(c->same, c->passed, inside);
  mlirValueSetType(c->passed, type);
}

/* The users of `value`, which has another type now, take it as the `num` links of `chain` leave it,
 * the last of them done first. `gone` is one that need not. */
static void restore_for_users(const carried *c, const chain *chain, int num, MlirOperation before,
                              MlirValue value, MlirOperation gone) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) ||
      (ts_has_one_use(value) && mlirOperationEqual(mlirOpOperandGetOwner(use), gone)))
    return;
  MlirValue restored = again(c, chain, num - 1, -1, before, value);
  MlirOperation first = mlirOpResultGetOwner(restored);
  for (int i = 1; i < num; i++)
    first = ts_defining_op(mlirOperationGetOperand(first, 0));
  MlirOperation kept[] = {first, gone};
  mlirValueReplaceAllUsesExcept(value, restored, gone.ptr ? 2 : 1, kept);
}

static void restore_after(const chain *chain, int num, const carried *c) {
  restore_for_users(c, chain, num, mlirOperationGetNextInBlock(c->loop), c->result,
                    (MlirOperation){NULL});
}

static bool is_whole_on_members(const chain *gathers, int num, MlirValue value,
                                const ts_sameness *same) {
  ts_axes axes = 0;
  for (int i = 0; i < num; i++)
    axes |= gathers->links[i].set;
  return ts_is_same_along(same, value, mlirFlatSymbolRefAttrGetValue(gathers->links[0].grid), axes);
}

static bool carry_whole(const carried *c) {
  chain gathers, slices;
  follow_down(c->argument, TESSERA_SITE_ALL_GATHER, c->body, &gathers);
  follow_up(c->next, TESSERA_SITE_ALL_SLICE, c->body, &slices);
  int num = common_length(&gathers, &slices);
  if (num == 0)
    return false;
  MlirValue whole = input_at(&slices, num), gathered = result_at(&gathers, num);
  if (!mlirTypeEqual(mlirValueGetType(whole), mlirValueGetType(gathered)) ||
      !is_whole_on_members(&gathers, num, whole, c->same) ||
      (c->messages[0].ptr &&
       !mlirOperationIsBeforeInBlock(gathers.links[num - 1].op, c->messages[0])))
    return false;
  carry(c, again(c, &gathers, 0, num, c->loop, c->first), whole, gathered);
  restore_for_users(c, &slices, num, mlirBlockGetFirstOperation(c->body), c->argument,
                    gathers.links[0].op);
  if (c->passed.ptr)
    restore_for_users(c, &slices, num,
                      mlirBlockGetFirstOperation(mlirBlockArgumentGetOwner(c->passed)), c->passed,
                      c->passes);
  mlirValueReplaceAllUsesOfWith(gathered, c->argument);
  for (int i = num; i-- > 0;)
    mlirOperationDestroy(gathers.links[i].op);
  restore_after(&slices, num, c);
  return true;
}

static bool has_other_users(const chain *gathers, int num) {
  for (int i = 0; i < num; i++)
    if (!ts_has_one_use(ts_communication_result(&gathers->links[i])))
      return true;
  return false;
}

/* A loop that does not run leaves what it was given, which is gathered pieces only where all
 * members have the same. */
static void carry_pieces(const carried *c) {
  chain gathers, slices;
  follow_down(c->argument, TESSERA_SITE_ALL_SLICE, c->body, &slices);
  follow_up(c->next, TESSERA_SITE_ALL_GATHER, c->body, &gathers);
  int num = common_length(&slices, &gathers);
  if (num == 0 || !ts_has_one_use(c->argument) || has_other_users(&gathers, num) ||
      (c->passed.ptr && !ts_has_one_use(c->passed)))
    return;
  MlirValue piece = input_at(&gathers, num), sliced = result_at(&slices, num);
  if (!mlirTypeEqual(mlirValueGetType(piece), mlirValueGetType(sliced)) ||
      !(ts_surely_runs(c->loop, c->region) ||
        is_whole_on_members(&gathers, num, c->first, c->same)) ||
      (c->messages[1].ptr &&
       !mlirOperationIsBeforeInBlock(c->messages[1], gathers.links[num - 1].op)))
    return;
  carry(c, again(c, &slices, 0, num, c->loop, c->first), piece, sliced);
  mlirValueReplaceAllUsesOfWith(sliced, c->argument);
  restore_after(&gathers, num, c);
  for (int i = num; i-- > 0;)
    mlirOperationDestroy(slices.links[i].op);
  for (int i = 0; i < num; i++)
    mlirOperationDestroy(gathers.links[i].op);
}

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct loops {
  ts_optimizer *optimizer;
  MlirOperation function;
  ts_sameness same;
  bool is_known; /* `same` */
} loops;

static void find_sameness(loops *l) {
  if (!l->is_known)
    ts_sameness_find(&l->same, l->optimizer, l->function);
  l->is_known = true;
}

/* The first and the last message in `body`. */
static void find_messages(ts_plain *plain, MlirBlock body, MlirOperation messages[2]) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_may_be_message(plain, op)) {
      messages[0] = messages[0].ptr ? messages[0] : op;
      messages[1] = op;
    }
}

static void visit_carried(loops *l, carried *c) {
  ts_communication next;
  c->next = mlirOperationGetOperand(c->end, c->given);
  if (!ts_communication_of(c->next, &next))
    return;
  find_sameness(l);
  c->same = &l->same;
  if (!carry_whole(c))
    carry_pieces(c);
}

static void visit_for(loops *l, MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation messages[2] = {{NULL}};
  find_messages(l->optimizer->plain, body, messages);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    carried c = {.loop = op,
                 .operand = NUM_BOUNDS + i,
                 .body = body,
                 .messages = {messages[0], messages[1]},
                 .end = mlirBlockGetTerminator(body),
                 .given = i,
                 .first = mlirOperationGetOperand(op, NUM_BOUNDS + i),
                 .argument = mlirBlockGetArgument(body, 1 + i),
                 .result = mlirOperationGetResult(op, i)};
    visit_carried(l, &c);
  }
}

static intptr_t num_uses_by(MlirOperation op, MlirValue value) {
  intptr_t num = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    num += mlirValueEqual(mlirOperationGetOperand(op, i), value);
  return num;
}

/* Result `r` of a scf.while is an argument of one of its regions, that one passes it on as it is,
 * and the trips are in the other one: the second, or the first, behind which the condition is. */
static bool read_while(MlirOperation op, intptr_t r, carried *c) {
  MlirBlock blocks[2];
  for (intptr_t i = 0; i < 2; i++)
    blocks[i] = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
  MlirOperation condition = mlirBlockGetTerminator(blocks[0]);
  MlirOperation yield = mlirBlockGetTerminator(blocks[1]);
  MlirValue inner = mlirBlockGetArgument(blocks[1], r);
  MlirValue outer = mlirOperationGetOperand(condition, 1 + r);
  bool is_second = mlirValueIsABlockArgument(outer) &&
                   mlirBlockEqual(mlirBlockArgumentGetOwner(outer), blocks[0]);
  intptr_t number = 0;
  if (is_second)
    number = mlirBlockArgumentGetArgNumber(outer);
  else
    while (number < mlirOperationGetNumOperands(yield) &&
           !mlirValueEqual(mlirOperationGetOperand(yield, number), inner))
      number++;
  if (number == mlirOperationGetNumOperands(op))
    return false;
  outer = mlirBlockGetArgument(blocks[0], number);
  *c = (carried){.loop = op,
                 .operand = number,
                 .region = is_second,
                 .body = blocks[is_second],
                 .end = is_second ? yield : condition,
                 .given = is_second ? number : 1 + r,
                 .passed = is_second ? outer : inner,
                 .passes = is_second ? condition : yield,
                 .first = mlirOperationGetOperand(op, number),
                 .argument = is_second ? inner : outer,
                 .result = mlirOperationGetResult(op, r)};
  return num_uses_by(c->passes, c->passed) == 1;
}

/* A message in the region that passes things on is passed by what leaves the other one. */
static void visit_while(loops *l, MlirOperation op) {
  MlirOperation messages[2][2] = {{{NULL}}};
  for (intptr_t i = 0; i < 2; i++)
    find_messages(l->optimizer->plain, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)),
                  messages[i]);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
    carried c;
    if (!read_while(op, r, &c) || messages[!c.region][0].ptr)
      continue;
    for (int i = 0; i < 2; i++)
      c.messages[i] = messages[c.region][i];
    visit_carried(l, &c);
  }
}

/* Inner loops come first, and may leave a gather and a slice to the trips of those around them. */
static void visit_loop(MlirOperation op, void *user) {
  if (ts_op_is(op, "scf.for"))
    visit_for(user, op);
  else if (ts_op_is(op, "scf.while"))
    visit_while(user, op);
}

void ts_carry_wanted(ts_optimizer *optimizer, MlirOperation function) {
  loops l = {.optimizer = optimizer, .function = function};
  ts_each_op(function, visit_loop, &l);
}
