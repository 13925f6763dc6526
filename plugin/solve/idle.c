/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that need whole what is split, and what follows from them, in one walk in program order. It
 * knows who uses what; it must not know loops, nor what ops compute. */
#include "solve/idle.h"

#include "capi/capi.h"
#include "solve/needs.h"
#include "support/blocks.h"

/* What costs no more a step than this, which is what a message costs, is not told without a note.
 * Of what repeats as only the run knows, so many turns count for it. */
static const double least_bytes = 256, turns_not_known = 1024;

typedef struct walk {
  ts_needs needs;
  ts_is_noted is_noted;
  const void *user;
  ts_map roots; /* ts_value -> ts_idle: why axes of it idle */
  ts_map lost;  /* ts_value -> the first ts_idle that it is whole for */
  ts_idle *first, *last;
} walk;

/* ---- what was found -------------------------------------------------------------------------- */

static bool has_place(MlirLocation location) {
  char text[8];
  return ts_location_text(location, text, sizeof(text)) > 0;
}

/* What was found at another op that the same op of the source has become, or at it in a copy of its
 * function. */
static ts_idle *at_same_place(const walk *w, const ts_idle *found) {
  MlirLocation location = mlirOperationGetLocation(found->op->handle);
  for (ts_idle *at = has_place(location) ? w->first : NULL; at; at = at->next)
    if (at->kind == found->kind && at->grid == found->grid &&
        mlirLocationEqual(mlirOperationGetLocation(at->op->handle), location))
      return at;
  return NULL;
}

static void add_cost(ts_idle *to, const ts_idle *of) {
  to->bytes += of->bytes;
  to->repeats |= of->repeats;
  to->guesses |= of->guesses;
}

/* Keeps what was found, by itself or as part of what is the same for its reader. */
static ts_idle *keep(walk *w, const ts_idle *found) {
  ts_idle *same = at_same_place(w, found);
  if (same) {
    same->axes |= found->axes;
    same->is_in_op |= found->is_in_op;
    add_cost(same, found);
    return same;
  }
  ts_idle *kept = TS_NEW(w->needs.model->arena, ts_idle, 1);
  *kept = *found;
  if (w->last)
    w->last->next = kept;
  else
    w->first = kept;
  w->last = kept;
  return kept;
}

/* ---- what follows ---------------------------------------------------------------------------- */

static void set_root(walk *w, const ts_value *value, ts_idle *root) {
  if (value)
    ts_map_set(&w->roots, w->needs.model->arena, value, root);
}

static ts_idle *root_of(const walk *w, const ts_value *value) {
  return value ? ts_map_get(&w->roots, value) : NULL;
}

/* Why axes idle in the op: the first of its operands that says. Where the op uses them, sharing is
 * taken up again. */
static ts_idle *root_of_operands(const walk *w, const ts_op *op) {
  ts_idle *first = NULL;
  for (int i = 0; i < op->num_operands; i++) {
    ts_idle *root = root_of(w, op->operands[i]);
    bool idles = root && root->axes & ~ts_loop_axes(op);
    if (root && !idles && ts_has_work(op))
      root->resumes = true;
    if (idles && !first)
      first = root;
  }
  return first;
}

/* What a loop carries, or a branch or a function gives, is whole because of what it is inside.
 * Functions come behind those that they call. */
static void pass_roots(walk *w, const ts_op *op) {
  for (int i = 0; !op->callee && i < op->num_operands; i++) {
    const ts_value *target = op->targets[i];
    ts_idle *root = root_of(w, op->operands[i]);
    if (root && target && root->axes & ~ts_busy_axes(target->layout) && !root_of(w, target))
      set_root(w, target, root);
  }
  for (int r = 0; op->callee && r < op->num_results; r++) {
    ts_idle *root = op->results[r] ? root_of(w, op->callee->results[r]) : NULL;
    if (root)
      set_root(w, op->results[r], root);
  }
}

/* ---- ops ------------------------------------------------------------------------------------- */

static bool has_note(const walk *w, const ts_op *op) {
  return w->is_noted(w->user, op->handle);
}

static void look_at_link(walk *w, const ts_op *op) {
  ts_idle *root = root_of(w, op->operands[0]);
  if (root && root->axes & ~ts_busy_axes(op->results[0]->layout))
    set_root(w, op->results[0], root);
}

static void look_at_fixed(walk *w, const ts_op *op) {
  pass_roots(w, op);
  ts_idle found = ts_passed_whole(&w->needs, op);
  if (found.axes)
    keep(w, &found);
}

/* What is behind the op's own need: an op before it, if that has made the same whole. */
static ts_idle *root_of_need(walk *w, const ts_idle *own) {
  ts_idle *shared = own->value ? ts_map_get(&w->lost, own->value) : NULL;
  bool is_noted = own->kind == TS_IDLE_WHOLE && has_note(w, own->op);
  if (shared && !is_noted && !(own->axes & ~shared->axes)) {
    add_cost(shared, own);
    return shared;
  }
  ts_idle *root = keep(w, own);
  if (own->value && !shared)
    ts_map_set(&w->lost, w->needs.model->arena, own->value, root);
  return root;
}

/* The annotation says what a copy of a function returns, and stands where it does: nobody wrote it.
 */
static bool is_of_a_copy(const ts_op *link) {
  const ts_value *result = link->results[0];
  const ts_op *user = result->num_users == 1 ? result->users[0] : NULL;
  return user && ts_op_is(user->handle, "func.return") &&
         mlirLocationEqual(mlirOperationGetLocation(user->handle),
                           mlirOperationGetLocation(link->handle));
}

/* All that uses the op's results are annotations that want no axes of `axes`: what it reads is to
 * be whole. */
static bool is_asked_for(const ts_op *op, ts_axes axes) {
  int num = 0;
  for (int r = 0; r < op->num_results; r++)
    for (int u = 0; op->results[r] && u < op->results[r]->num_users; u++) {
      const ts_op *user = op->results[r]->users[u];
      if (user->kind != TS_OP_LINK || is_of_a_copy(user) ||
          ts_busy_axes(user->results[0]->layout) & axes)
        return false;
      num++;
    }
  return num > 0;
}

static void look_at_work(walk *w, const ts_op *op) {
  ts_idle *root = root_of_operands(w, op);
  ts_idle own = ts_needed_whole(&w->needs, op, has_note(w, op));
  if (!own.axes)
    own = ts_sent_to_all(&w->needs, op);
  if (!own.is_in_op && is_asked_for(op, own.axes))
    own.axes = 0;
  if (own.axes)
    root = root_of_need(w, &own);
  else if (root)
    ts_pay_for_parts(&w->needs, root, op);
  if (root && root->op != op && ts_has_work(op))
    root->followers++;
  for (int r = 0; root && r < op->num_results; r++)
    set_root(w, op->results[r], root);
}

static void look_at(walk *w, const ts_op *op) {
  ts_arena_reset(&w->needs.model->scratch);
  if (op->kind == TS_OP_LINK)
    look_at_link(w, op);
  else if (op->kind == TS_OP_FIXED)
    look_at_fixed(w, op);
  else if (op->kind == TS_OP_WHOLE || op->kind == TS_OP_RULE)
    look_at_work(w, op);
}

/* ---- what counts ----------------------------------------------------------------------------- */

/* An element that every device gets is no loss, unless it is another one in each trip of a loop. */
static bool is_in_each_trip(const ts_op *op) {
  MlirBlock block = mlirOperationGetBlock(op->handle);
  MlirOperation around = mlirBlockGetParentOperation(block);
  if (ts_op_is(around, "func.func"))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->handle); i++)
    if (!ts_known_before(mlirOperationGetOperand(op->handle, i), around))
      return true;
  return false;
}

static bool counts(const walk *w, const ts_idle *found) {
  const ts_op *op = found->op;
  if (found->kind == TS_IDLE_WHOLE && has_note(w, op))
    return true;
  if ((found->repeats ? turns_not_known : 1) * found->bytes <= least_bytes)
    return false;
  bool reads = found->kind == TS_IDLE_GATHERED || found->kind == TS_IDLE_SENT;
  if (reads && !op->results[0])
    return is_in_each_trip(op);
  bool moves = reads || (found->kind == TS_IDLE_WHOLE && !found->is_in_op);
  return !moves || (found->followers && !found->resumes);
}

ts_idle *ts_find_idle(ts_model *model, ts_is_noted is_noted, const void *user) {
  walk w = {.needs = {.model = model}, .is_noted = is_noted, .user = user};
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    for (int i = 0; function->is_active && i < function->num_ops; i++)
      look_at(&w, function->ops[i]);
  }
  ts_idle *counted = NULL, **end = &counted;
  for (ts_idle *at = w.first; at; at = at->next)
    if (counts(&w, at)) {
      *end = at;
      end = &at->next;
    }
  *end = NULL;
  return counted;
}
