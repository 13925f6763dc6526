/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Notes and what idles, in words. It must not know how either was found. */
#include "solve/told.h"

#include "capi/capi.h"
#include "model/causes.h"
#include "solve/idle.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* "grid axes 0, 2 of @g" */
static const char *axes_text(ts_model *model, const ts_idle *idle) {
  ts_arena *arena = model->arena;
  const char *list = "";
  int num = 0;
  for (int a = 0; idle->axes >> a; a++)
    if (idle->axes >> a & 1)
      list = ts_arena_format(arena, "%s%s%d", list, num++ ? ", " : "", a);
  bool several = model->grids.num > 1;
  return ts_arena_format(arena, "grid ax%s %s%s%s", num > 1 ? "es" : "is", list,
                         several ? " of @" : "", several ? idle->grid->name : "");
}

static bool is_one(ts_axes axes) {
  return !(axes & (axes - 1));
}

/* "grid axis 0 idles in it and in 2 ops after it"; what only reads has no work of its own that
 * could be shared. */
static const char *idle_text(ts_model *model, const ts_idle *idle) {
  ts_arena *arena = model->arena;
  const char *axes = axes_text(model, idle);
  const char *verb = is_one(idle->axes) ? "idles" : "idle";
  const char *ops = idle->followers == 1 ? "op" : "ops";
  if (idle->kind == TS_IDLE_WHOLE && !idle->followers)
    return ts_arena_format(arena, "%s %s in it", axes, verb);
  if (idle->kind == TS_IDLE_WHOLE)
    return ts_arena_format(arena, "%s %s in it and in %d %s after it", axes, verb, idle->followers,
                           ops);
  if (!idle->followers)
    return ts_arena_format(arena, "%s %s there", axes, verb);
  return ts_arena_format(arena, "%s %s in %d %s after it", axes, verb, idle->followers, ops);
}

static const char *cost_text(ts_arena *arena, const ts_idle *idle) {
  if (idle->bytes <= 0)
    return "";
  return ts_arena_format(arena, ", and %sa device receives %.0f bytes %sfor it%s",
                         idle->repeats ? "each time it runs " : "", idle->bytes,
                         idle->repeats ? "" : "a step ",
                         idle->guesses ? " (where extents are not known, for 1024)" : "");
}

static const char *what_text(ts_arena *arena, const ts_idle *idle) {
  return idle->value ? ts_value_text(arena, idle->value->handle) : "";
}

/* What happens at an op that no note is about. */
static const char *reason_text(ts_model *model, const ts_idle *idle) {
  ts_arena *arena = model->arena;
  const ts_op *op = idle->op;
  const char *name = ts_op_name(op->handle), *what = what_text(arena, idle);
  switch (idle->kind) {
  case TS_IDLE_WHOLE:
    if (op->kind == TS_OP_WHOLE && op->callee)
      return ts_arena_format(arena, "'%s' of @%s runs whole on every device", name,
                             op->callee->name);
    if (op->kind == TS_OP_WHOLE)
      return ts_arena_format(arena, "'%s' runs whole on every device", name);
    return ts_arena_format(arena, "'%s' needs dimension %d of %s whole", name, idle->dim, what);
  case TS_IDLE_GATHERED:
    return ts_arena_format(
        arena, "'%s' reads the split dimension %d of %s where only the run says: it is gathered",
        name, idle->dim, what);
  case TS_IDLE_SENT:
    return ts_arena_format(arena,
                           "'%s' reads the split dimension %d of %s where only the run says: what "
                           "it reads is sent to every device",
                           name, idle->dim, what);
  case TS_IDLE_PASSED:
    return ts_arena_format(arena, "'%s' of @%s passes tensors whole", name, op->callee->name);
  case TS_IDLE_RETURNED:
    return ts_arena_format(arena,
                           "result %d is returned whole, and %s makes it split: annotate what is "
                           "returned as it is to lie",
                           idle->operand, what);
  }
  return "";
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell_idle(ts_model *model, const ts_idle *idle, const char *reason) {
  ts_arena *arena = model->arena;
  MlirLocation location = mlirOperationGetLocation(idle->op->handle);
  const char *cost = cost_text(arena, idle);
  bool works = idle->kind != TS_IDLE_PASSED && idle->kind != TS_IDLE_RETURNED;
  const char *text = ts_arena_format(arena, "%s%s%s%s", reason, works || *cost ? "; " : "",
                                     works ? idle_text(model, idle) : "",
                                     works || !*cost ? cost : cost + sizeof(", and ") - 1);
  ts_diagnose(location, TS_WARNING, text, location, NULL);
}

static bool is_noted(const void *user, MlirOperation op) {
  const ts_map *noted = user;
  return ts_map_get(noted, op.ptr) != NULL;
}

void ts_tell_notes(ts_model *model) {
  ts_map noted = {0}, idle = {0}, told = {0};
  for (int i = 0; i < model->num_notes; i++)
    if (model->notes[i].kind != TS_NOTE_MISTAKE)
      ts_map_set(&noted, model->arena, model->notes[i].op.ptr, &model->notes[i]);
  ts_idle *all = ts_find_idle(model, is_noted, &noted);
  for (ts_idle *at = all; at; at = at->next)
    ts_map_set(&idle, model->arena, at->op->handle.ptr, at);
  for (int i = 0; i < model->num_notes; i++) {
    const ts_note *note = &model->notes[i];
    ts_idle *found = note->kind == TS_NOTE_MISTAKE ? NULL : ts_map_get(&idle, note->op.ptr);
    MlirLocation location = mlirOperationGetLocation(note->op);
    if (found && !ts_map_get(&told, found))
      tell_idle(model, found, note->text);
    else if (!found && note->kind != TS_NOTE_IF_IDLE)
      ts_diagnose(location, note->kind == TS_NOTE_MISTAKE ? TS_WARNING : TS_REMARK, note->text,
                  location, NULL);
    if (found)
      ts_map_set(&told, model->arena, found, found);
  }
  for (ts_idle *at = all; at; at = at->next)
    if (!ts_map_get(&told, at))
      tell_idle(model, at, reason_text(model, at));
}
