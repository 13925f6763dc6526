/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Notes and what idles, in words. It must not know how either was found. */
#include "solve/told.h"

#include <stdio.h>
#include <string.h>

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

/* "grid axis 0 idles in it and in 2 ops after it", "" if it does not. */
static const char *idle_text(ts_model *model, const ts_idle *idle) {
  ts_arena *arena = model->arena;
  int num = idle->resumes && !idle->is_in_op ? 0 : idle->followers;
  if (!idle->is_in_op && !num)
    return "";
  bool is_one = !(idle->axes & (idle->axes - 1));
  const char *after =
      num ? ts_arena_format(arena, "in %d op%s after it", num, num > 1 ? "s" : "") : "";
  return ts_arena_format(arena, "%s idle%s %s%s%s", axes_text(model, idle), is_one ? "s" : "",
                         idle->is_in_op ? "in it" : "", idle->is_in_op && num ? " and " : "",
                         after);
}

static const char *cost_text(ts_arena *arena, const ts_idle *idle) {
  if (idle->bytes <= 0)
    return "";
  return ts_arena_format(arena, "%sa device receives %.0f bytes %sfor it%s",
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
  case TS_IDLE_UNFIT:
    return ts_arena_format(
        arena, "'%s' cannot be split as dimension %d of %s is: what it reads of that is gathered",
        name, idle->dim, what);
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
    return ts_arena_format(arena,
                           "'%s' passes argument %d of @%s whole, although %s is split: annotate "
                           "the argument there as it is to lie",
                           name, idle->operand, op->callee->name, what);
  case TS_IDLE_RETURNED:
    return ts_arena_format(arena,
                           "result %d is returned whole, although %s is split: annotate what is "
                           "returned as it is to lie",
                           idle->operand, what);
  }
  return "";
}

/* Whether the line is about the dimension that the op needs whole, or a loop that this follows. */
static bool is_about(const char *line, const ts_idle *idle) {
  const ts_op *op = idle->op;
  int number = -1;
  if (op->kind != TS_OP_RULE || idle->dim < 0)
    return false;
  if (sscanf(line, "dimension %d of", &number) == 1)
    return number == idle->dim;
  if (sscanf(line, "loop %d of", &number) != 1)
    return false;
  const ts_dim_loops *dim = &op->loops->operands[idle->operand].dims[idle->dim];
  for (int l = 0; l < dim->num_loops; l++)
    if (dim->loops[l] == number)
      return true;
  return dim->window && dim->window->leader == number + 1;
}

/* The line of a note for what is lost: the first if none is about that. */
static const char *line_for(ts_arena *arena, const char *note, const ts_idle *idle) {
  const char *line = note;
  for (const char *at = note; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
    if (is_about(at, idle)) {
      line = at;
      break;
    }
  return ts_arena_format(arena, "%.*s", (int)strcspn(line, "\n"), line);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell_idle(ts_model *model, const ts_idle *idle, const char *reason) {
  ts_arena *arena = model->arena;
  MlirLocation location = mlirOperationGetLocation(idle->op->handle);
  const char *idles = idle_text(model, idle), *cost = cost_text(arena, idle);
  const char *text = ts_arena_format(arena, "%s%s%s%s%s", reason, *idles ? "; " : "", idles,
                                     !*cost   ? ""
                                     : *idles ? ", and "
                                              : "; ",
                                     cost);
  ts_diagnose(location, TS_WARNING, text, location, NULL);
}

static bool is_noted(const void *user, MlirOperation op) {
  const ts_map *noted = user;
  return ts_map_get(noted, op.ptr) != NULL;
}

/* What a note is about: not the places that the op reads besides. */
static const ts_idle *idle_of(const ts_map *idle, const ts_note *note) {
  const ts_idle *found = note->kind == TS_NOTE_MISTAKE ? NULL : ts_map_get(idle, note->op.ptr);
  bool is_it = found && (found->kind == TS_IDLE_WHOLE || found->kind == TS_IDLE_PASSED);
  return is_it ? found : NULL;
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
    const ts_idle *found = idle_of(&idle, note);
    MlirLocation location = mlirOperationGetLocation(note->op);
    if (found) {
      tell_idle(model, found, line_for(model->arena, note->text, found));
      ts_map_set(&told, model->arena, found, (void *)note);
    } else if (note->kind != TS_NOTE_IF_IDLE) {
      ts_diagnose(location, note->kind == TS_NOTE_MISTAKE ? TS_WARNING : TS_REMARK, note->text,
                  location, NULL);
    }
  }
  for (ts_idle *at = all; at; at = at->next)
    if (!ts_map_get(&told, at))
      tell_idle(model, at, reason_text(model, at));
}
