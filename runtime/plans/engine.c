/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans are made once for a site and shape, and done as often as they are asked for.
 * It must not know any particular collective. */
#include "plans/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/compare.h"
#include "plans/draft.h"
#include "support/error.h"
#include "watch/note.h"

static void free_engine(tessera_context *context) {
  tr_operations_free(&context->engine->operations, context->world.device);
  tr_caches_free(&context->engine->caches);
  free(context->engine);
  context->engine = NULL;
}

static void shrink_engine(tessera_context *context) {
  tr_operations_shrink(&context->engine->operations, context->world.device);
}

static void drop_scratch(tessera_context *context) {
  tr_operations_drop(&context->engine->operations, context->world.device);
}

__attribute__((noinline)) static tr_engine *create_engine(tessera_context *context) {
  static const tr_keeping keeping = {shrink_engine, drop_scratch, free_engine};
  context->keeping = &keeping;
  context->engine = calloc(1, sizeof(*context->engine));
  if (!context->engine)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plans of collectives");
  return context->engine;
}

tr_engine *tr_engine_of(tessera_context *context) {
  return context->engine ? context->engine : create_engine(context);
}

tessera_status tr_engine_attach(tessera_context *context, const tessera_program_record *record,
                                tr_life *life) {
  tr_engine *engine = tr_engine_of(context);
  if (!engine)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  return tr_caches_add(&engine->caches, record, life)
             ? TESSERA_OK
             : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plans of collectives");
}

bool tr_engine_forget(tessera_context *context) {
  const tr_engine *engine = context->engine;
  if (engine && (engine->caches.first || tr_operations_find_open(&engine->operations)))
    return false;
  if (engine)
    free_engine(context);
  return true;
}

/* ---- making plans ---------------------------------------------------------------------------- */

static int64_t *append(int64_t *to, const int64_t *numbers, int64_t count) {
  if (count > 0)
    memcpy(to, numbers, sizeof(int64_t) * (size_t)count);
  return to + count;
}

static char *label_of(const tessera_site *site) {
  const char *colon = site->location[0] ? ": " : "";
  size_t bytes = strlen(site->location) + strlen(colon) + strlen(site->name) + sizeof("error: ''");
  char *label = malloc(bytes);
  if (label)
    snprintf(label, bytes, "%s%serror: '%s'", site->location, colon, site->name);
  return label;
}

/* What else the call depends on, now that it has been described. */
static tessera_status complete_key(tr_draft *draft) {
  tr_plan *plan = draft->plan;
  tr_key *key = &plan->key;
  const tessera_site *site = draft->call.site;
  int64_t in_words = 2 * (int64_t)key->in.rank, out_words = 2 * (int64_t)key->out.rank;
  int64_t count = in_words + out_words + site->grid->rank + draft->num_numbers + draft->num_from +
                  draft->num_to + draft->num_agreed;
  size_t axes = sizeof(int32_t) * (size_t)site->num_axes;
  key->words = malloc(sizeof(int64_t) * (size_t)count + 1);
  key->axes = malloc(axes + 1);
  plan->label = label_of(site);
  if (!key->words || !key->axes || !plan->label)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of a collective");
  key->row = draft->row;
  key->manner = draft->manner;
  key->site = *site;
  key->grid_rank = site->grid->rank;
  if (site->num_axes > 0)
    memcpy(key->axes, site->axes, axes);
  key->num_numbers = draft->num_numbers;
  key->num_from = draft->num_from;
  key->num_to = draft->num_to;
  key->num_agreed = draft->num_agreed;
  int64_t *words = append(key->words, ((const tr_memref *)draft->in)->dims, in_words);
  words = append(words, ((const tr_memref *)draft->out)->dims, out_words);
  words = append(words, site->grid->shape, site->grid->rank);
  words = append(words, draft->numbers, draft->num_numbers);
  words = append(words, site->from, draft->num_from);
  words = append(words, site->to, draft->num_to);
  append(words, draft->agreed, draft->num_agreed);
  plan->bytes += sizeof(int64_t) * (size_t)count + axes + strlen(plan->label);
  for (int32_t i = 0; i < plan->num_comparisons; i++) /* they lie where they stay */
    if (plan->comparisons[i].common.view)
      plan->comparisons[i].common.view = &plan->comparisons[i].view;
  return TESSERA_OK;
}

/* Either another plan that does the same, or the draft's. */
static tessera_status finish_draft(tr_caches *caches, tr_draft *draft, tr_plan **plan) {
  const tessera_site *site = draft->call.site;
  tessera_status status = complete_key(draft);
  if (status)
    return status;
  *plan = draft->num_agreed > 0 ? tr_cache_find_same(caches, site, draft->plan) : NULL;
  if (*plan)
    return TESSERA_OK;
  status = draft->row->plan(draft);
  if (status)
    return status;
  *plan = draft->plan;
  draft->plan = NULL;
  tr_cache_keep(caches, site, *plan);
  return TESSERA_OK;
}

/* Members compare the call on the way. */
__attribute__((noinline)) static tessera_status make_plan(tr_engine *engine, tr_call *call,
                                                          const tr_asked *asked, tr_plan **plan) {
  tr_draft draft = {.call = *call,
                    .row = asked->row,
                    .manner = asked->manner,
                    .in = asked->in,
                    .out = asked->out,
                    .numbers = asked->numbers,
                    .plan = tr_plan_create()};
  tessera_status status = TESSERA_OK;
  if (!draft.plan)
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of a collective");
  else if (asked->row->membership == TR_MEMBERS_OF_SITE || !asked->site->grid)
    status = tr_call_find_group(&draft.call);
  else
    draft.call.group = &call->context->everyone;
  if (!status)
    status = tr_draft_describe(&draft);
  if (!status)
    status = finish_draft(&engine->caches, &draft, plan);
  call->group = draft.call.group;
  tr_plan_free(draft.plan);
  tr_scratch_reset(&call->context->scratch);
  return status;
}

/* ---- doing ----------------------------------------------------------------------------------- */

static inline tessera_status compare_again(tessera_context *context, const tessera_site *site,
                                           const tr_plan *plan) {
  for (int32_t i = 0; i < plan->num_comparisons; i++) {
    tr_comparison *comparison = &plan->comparisons[i];
    comparison->common.site = site;
    tessera_status status = tr_compare(context, comparison->group, &comparison->common);
    if (status)
      return status;
  }
  return TESSERA_OK;
}

static inline char *data_of(const tr_device *device, const tr_side_key *side,
                            const tr_memref *memref) {
  if (!side->is_used)
    return NULL;
  return tr_device_regain(device, tr_memref_data(memref, (size_t)side->element));
}

tessera_status tr_engine_start(tr_call *call, const tr_asked *asked, tessera_stream *stream,
                               tessera_operation **operation) {
  tr_engine *engine = tr_engine_of(call->context);
  if (!engine)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_plan *plan = tr_cache_find(&engine->caches, asked);
  tessera_status status = plan ? compare_again(call->context, asked->site, plan)
                               : make_plan(engine, call, asked, &plan);
  if (status) {
    if (plan && plan->num_groups > 0)
      call->group = plan->groups[0];
    return status;
  }
  const tr_device *device = call->context->world.device;
  *operation = tr_operation_begin(call->context, &engine->operations, plan, asked->site, stream,
                                  data_of(device, &plan->key.in, asked->in),
                                  data_of(device, &plan->key.out, asked->out));
  status = *operation ? tr_operation_start(*operation) : TESSERA_ERROR_OUT_OF_MEMORY;
  if (status && *operation)
    call->group = tr_operation_group(*operation);
  return status;
}

tessera_status tr_engine_expect_idle(const tessera_context *context) {
  const tr_engine *engine = context->engine;
  const tessera_operation *open = engine ? tr_operations_find_open(&engine->operations) : NULL;
  if (!open)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 "%s on rank %d: what was started here was never waited for; every start needs a "
                 "wait before the context is settled",
                 open->plan->label, context->world.rank);
}

tessera_status tr_engine_do_within(tessera_context *context, const tr_asked *asked) {
  tr_call call = {.context = context, .site = asked->site};
  tessera_operation *operation;
  tr_note_begin(context, asked->site, asked->row->membership);
  tessera_status status = tr_engine_start(&call, asked, NULL, &operation);
  if (!status)
    tr_operation_end(&context->engine->operations, operation);
  tr_note_end(context, 0);
  return tr_call_end_within(&call, status);
}
