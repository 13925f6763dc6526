/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Lists of steps, whose addresses are kept as places in the memory of a call.
 * It must not know what any step does. */
#include "collectives/steps.h"

#include <stdlib.h>

#include "error.h"

/* ---- noting ------------------------------------------------------------------------------------
 */

static bool start_side(tr_side *side, const tr_view *view) {
  if (!view || tr_view_elements(view) == 0)
    return false;
  side->data = view->data;
  tr_view_bounds(view, &side->low, &side->high);
  return true;
}

bool tr_steps_start(tr_steps *steps, const tr_view *in, const tr_view *out) {
  *steps = (tr_steps){.end = &steps->first};
  bool reads = start_side(&steps->sides[TR_INPUT], in);
  bool writes = start_side(&steps->sides[TR_OUTPUT], out);
  if (reads && writes)
    steps->relation = in->data == out->data ? TR_SAME_ADDRESS : TR_APART;
  return steps->relation != TR_APART || !tr_view_may_overlap(in, out);
}

void tr_steps_free(tr_steps *steps) {
  for (tr_step *step = steps->first, *next; step; step = next) {
    next = step->next;
    free(step->check);
    free(step->kept);
    free(step);
  }
  free(steps->check);
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
  step->check = steps->check;
  steps->check = NULL;
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

static tessera_status do_nothing(tessera_context *context, const tessera_site *site,
                                 tr_step *step) {
  (void)context;
  (void)site;
  (void)step;
  return TESSERA_OK;
}

/* A comparison that nothing followed has a step to itself. */
static bool flush_check(tr_steps *steps) {
  return !steps->check || tr_steps_add(steps, sizeof(tr_step), do_nothing, steps->check->group, 0);
}

bool tr_steps_check(tr_steps *steps, const tr_group *group, const tr_common *common) {
  tr_check *check = malloc(sizeof(*check));
  if (!check || !flush_check(steps)) {
    free(check);
    return false;
  }
  check->group = group;
  check->common = *common;
  if (common->view) {
    tr_view_assign(&check->view, common->view);
    check->common.view = &check->view;
  }
  steps->check = check;
  return true;
}

bool tr_steps_finish(tr_steps *steps, const tessera_context *context) {
  if (steps->scratch)
    steps->scratch_bytes = tr_scratch_used(context);
  return flush_check(steps);
}

/* ---- again -------------------------------------------------------------------------------------
 */

tessera_status tr_step_report(tr_world *world, const tessera_site *site, const tr_step *step) {
  tr_check *check = step->check;
  check->common.site = site;
  return world->backend->check(world, check->group, &check->common);
}

char *tr_steps_memory(const tr_steps *steps, tessera_context *context) {
  char *scratch = tr_scratch_take(context, steps->scratch_bytes);
  if (!scratch)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages",
            steps->scratch_bytes);
  return scratch;
}
