/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Lists of steps, whose addresses are kept as places in the memory of a call.
 * It must not know what any step does. */
#include "collectives/steps.h"

#include <stdlib.h>

#include "error.h"

/* ---- noting ------------------------------------------------------------------------------------
 */

static void start_side(tr_side *side, const tr_view *view) {
  *side = (tr_side){.is_used = view, .data = view ? view->data : NULL};
  if (view && tr_view_elements(view) > 0)
    tr_view_bounds(view, &side->low, &side->high);
}

bool tr_steps_start(tr_steps *steps, const tr_view *in, const tr_view *out) {
  *steps = (tr_steps){.end = &steps->first};
  start_side(&steps->sides[TR_INPUT], in);
  start_side(&steps->sides[TR_OUTPUT], out);
  return !in || !out || in->data == out->data || !tr_view_may_overlap(in, out);
}

void tr_steps_free(tr_steps *steps) {
  for (tr_step *step = steps->first, *next; step; step = next) {
    next = step->next;
    free(step->kept);
    free(step);
  }
}

static size_t round_up(size_t bytes) {
  return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

void *tr_steps_add(tr_steps *steps, size_t size, tr_step_run *run, const tr_group *group,
                   int64_t num_places) {
  if (steps->count == TR_MOST_STEPS || num_places > TR_MOST_PLACES)
    return NULL;
  size_t places = round_up(size);
  tr_step *step = calloc(1, places + (size_t)num_places * (sizeof(tr_place) + sizeof(char *)));
  if (!step)
    return NULL;
  step->run = run;
  step->group = group;
  step->places = (tr_place *)((char *)step + places);
  step->data = (char **)(step->places + num_places);
  step->num_places = num_places;
  *steps->end = step;
  steps->end = &step->next;
  steps->count++;
  return step;
}

static bool find_in_scratch(tr_steps *steps, const tessera_context *context, const char *data,
                            tr_place *place) {
  size_t capacity;
  char *scratch = tr_scratch_whole(context, &capacity);
  if (!scratch || (steps->scratch && steps->scratch != scratch) || data < scratch ||
      data >= scratch + capacity)
    return false;
  steps->scratch = scratch;
  *place = (tr_place){TR_SCRATCH, data - scratch};
  return true;
}

bool tr_steps_place(tr_steps *steps, const tessera_context *context, tr_step *step, int64_t index,
                    const char *data, size_t bytes) {
  tr_place *place = &step->places[index];
  if (bytes == 0)
    return true;
  for (tr_memory memory = TR_INPUT; memory <= TR_OUTPUT; memory++) {
    const tr_side *side = &steps->sides[memory];
    if (data < side->low || data >= side->high)
      continue;
    *place = (tr_place){memory, data - side->data};
    return true;
  }
  return find_in_scratch(steps, context, data, place);
}

void tr_steps_finish(tr_steps *steps, const tessera_context *context) {
  if (steps->scratch)
    steps->scratch_bytes = tr_scratch_used(context);
}

/* ---- again -------------------------------------------------------------------------------------
 */

/* Whole numbers, because no memory has no address to add to. */
static inline void find_data(tr_step *step, const uintptr_t *bases) {
  for (int64_t i = 0; i < step->num_places; i++)
    step->data[i] = (char *)(bases[step->places[i].memory] + (uintptr_t)step->places[i].offset);
}

tessera_status tr_steps_run(const tr_steps *steps, tessera_context *context,
                            const tessera_site *site, char *in, char *out, const tr_step **failed) {
  uintptr_t bases[TR_NUM_MEMORIES] = {
      [TR_NO_MEMORY] = 0, [TR_INPUT] = (uintptr_t)in, [TR_OUTPUT] = (uintptr_t)out};
  tessera_status status = TESSERA_OK;
  *failed = steps->first;
  if (steps->scratch) {
    char *scratch = tr_scratch_take(context, steps->scratch_bytes);
    if (!scratch)
      return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages",
                     steps->scratch_bytes);
    bases[TR_SCRATCH] = (uintptr_t)scratch;
  }
  for (tr_step *step = steps->first; !status && step; step = step->next) {
    find_data(step, bases);
    *failed = step;
    status = step->run(context, site, step);
  }
  if (steps->scratch)
    tr_scratch_reset(context);
  return status;
}
