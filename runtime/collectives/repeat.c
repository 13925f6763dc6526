/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A table of calls that can be done again without looking at everything again. A call is known by
 * its content: two programs may have lived at one address. It must not know any collective. */
#include "collectives/repeat.h"

#include <stdlib.h>
#include <string.h>

/* Calls with more dimensions, or numbers, are done from the beginning each time. Sites whose places
 * in their programs' tables are so many apart take each other's place. */
enum { MOST_DIMS = 8, MOST_NUMBERS = 512, NUM_SLOTS = 1024 };

/* A dimension has two numbers in a descriptor. */
enum { DIM_BYTES = 2 * sizeof(int64_t) };

/* What a descriptor has to say for a call to be the same. */
typedef struct kept_side {
  bool is_used; /* else the descriptor is not looked at */
  int32_t rank; /* 0 if not used */
  size_t element;
  int64_t dims[2 * MOST_DIMS]; /* sizes and strides */
} kept_side;

struct tr_repeat {
  tr_body *body;
  tessera_site site;
  int32_t grid_rank;
  int64_t grid_shape[MOST_DIMS];
  int32_t axes[MOST_DIMS];
  int64_t *lists; /* its numbers, then the words of its `from` and `to`; NULL: there are none */
  int64_t *from, *to;
  int64_t num_numbers, num_from, num_to;
  kept_side in, out;
  tr_steps steps;
  uint64_t received;
};

struct tr_repeats {
  tr_repeat *slots[NUM_SLOTS];
};

static tr_repeat **slot_of(tr_repeats *repeats, const tessera_site *site) {
  return &repeats->slots[(uint32_t)site->index % NUM_SLOTS];
}

static void free_repeat(tr_repeat *repeat) {
  if (!repeat)
    return;
  tr_steps_free(&repeat->steps);
  free(repeat->lists);
  free(repeat);
}

void tr_repeats_free(tessera_context *context) {
  for (int32_t i = 0; context->repeats && i < NUM_SLOTS; i++)
    free_repeat(context->repeats->slots[i]);
  free(context->repeats);
  context->repeats = NULL;
}

/* ---- the same call? ----------------------------------------------------------------------------
 */

/* Whatever a record's members are. */
typedef uint64_t __attribute__((may_alias)) word;
typedef uint32_t __attribute__((may_alias)) half_word;

/* A record of half a word, or of whole words, in one go: one that differs is rare. */
static inline bool same_record(const void *a, const void *b, size_t size) {
  if (size == sizeof(half_word))
    return *(const half_word *)a == *(const half_word *)b;
  const word *ours = a, *theirs = b;
  word difference = 0;
  for (size_t i = 0; i < size / sizeof(word); i++)
    difference |= ours[i] ^ theirs[i];
  return difference == 0;
}

/* `count` records of `size` bytes, which is a constant: a few are compared before a call of memcmp
 * has begun. */
static inline bool same_records(const void *a, const void *b, int64_t count, size_t size) {
  const char *ours = a, *theirs = b;
  for (int64_t i = 0; i < count; i++)
    if (!same_record(ours + (size_t)i * size, theirs + (size_t)i * size, size))
      return false;
  return true;
}

/* All that a site consists of, for nothing lies between its members, and what it points to. */
static inline bool same_site(const tr_repeat *repeat, const tessera_site *site) {
  return same_record(&repeat->site, site, sizeof(*site)) && repeat->grid_rank == site->grid->rank &&
         same_records(repeat->grid_shape, site->grid->shape, repeat->grid_rank, sizeof(int64_t)) &&
         same_records(repeat->axes, site->axes, site->num_axes, sizeof(int32_t));
}

/* Lists of words say themselves where they end: one that differs does so before its end. */
static inline bool same_words(const int64_t *kept, const int64_t *words, int64_t count) {
  return count == 0 || (words && same_records(kept, words, count, sizeof(int64_t)));
}

/* What few calls have: lists of words, and as many numbers as those say. */
static inline bool same_lists(const tr_repeat *repeat, const tessera_site *site,
                              const int64_t *numbers) {
  return !repeat->lists || (same_words(repeat->from, site->from, repeat->num_from) &&
                            same_words(repeat->to, site->to, repeat->num_to) &&
                            same_words(repeat->lists, numbers, repeat->num_numbers));
}

static inline bool is_same_call(const tr_repeat *repeat, const tessera_site *site,
                                const tr_memref *in, const tr_memref *out, const int64_t *numbers,
                                tr_body *body) {
  return repeat->body == body && same_site(repeat, site) && same_lists(repeat, site, numbers) &&
         same_records(repeat->in.dims, in->dims, repeat->in.rank, DIM_BYTES) &&
         same_records(repeat->out.dims, out->dims, repeat->out.rank, DIM_BYTES);
}

static inline const tr_repeat *find(const tessera_context *context, const tessera_site *site,
                                    const void *in, const void *out, const int64_t *numbers,
                                    tr_body *body) {
  if (!context->repeats)
    return NULL;
  const tr_repeat *repeat = *slot_of(context->repeats, site);
  return repeat && is_same_call(repeat, site, in, out, numbers, body) ? repeat : NULL;
}

/* ---- calls -------------------------------------------------------------------------------------
 */

static inline char *data_of(const kept_side *side, const void *memref) {
  return side->is_used ? tr_memref_data(memref, side->element) : NULL;
}

__attribute__((noinline)) static void fail(tr_held held, const tessera_site *site,
                                           const tr_step *failed, tessera_status status) {
  tr_call call = {.context = held.context, .site = site, .group = failed->group};
  tr_call_end(&call, status);
}

/* In both functions below: small calls take hardly longer than the way to them. */
__attribute__((always_inline)) static inline bool do_again(tr_held held, const tessera_site *site,
                                                           const void *in, const void *out,
                                                           const int64_t *numbers, tr_body *body) {
  tessera_context *context = held.context;
  const tr_repeat *known = find(context, site, in, out, numbers, body);
  if (!known)
    return false;
  char *from = data_of(&known->in, in), *to = data_of(&known->out, out);
  if (!tr_steps_fit(&known->steps, from, to))
    return false;
  tessera_status status;
  const tr_step *failed = tr_steps_run(&known->steps, context, site, from, to, &status);
  if (failed)
    fail(held, site, failed, status);
  if (context->traffic)
    tr_traffic_add(context, site, known->received);
  if (held.must_leave)
    tr_context_leave(context);
  return true;
}

typedef tessera_status begin(tr_held held, const tessera_site *site, tr_call *call);

__attribute__((noinline)) static void do_anew(begin *begin, tr_held held, const tessera_site *site,
                                              const void *in, const void *out,
                                              const int64_t *numbers, tr_body *body) {
  tr_call call;
  tessera_status status = begin(held, site, &call);
  call.in = in;
  call.out = out;
  call.numbers = numbers;
  call.body = body;
  tr_call_end(&call, status ? status : body(&call));
}

void tr_call_run(const tessera_site *site, const void *in, const void *out, const int64_t *numbers,
                 tr_body *body) {
  tr_held held = tr_context_hold(site);
  if (!do_again(held, site, in, out, numbers, body))
    do_anew(tr_call_begin_in, held, site, in, out, numbers, body);
}

void tr_call_run_alone(const tessera_site *site, const void *in, const void *out,
                       const int64_t *numbers, tr_body *body) {
  tr_held held = tr_context_hold(site);
  if (!do_again(held, site, in, out, numbers, body))
    do_anew(tr_call_begin_alone_in, held, site, in, out, numbers, body);
}

/* ---- noting ------------------------------------------------------------------------------------
 */

/* A site that no program's table lists may live for one call. */
static bool may_repeat(const tr_call *call) {
  const tessera_site *site = call->site;
  return site->index >= 0 && call->context->world.backend->keep && site->grid &&
         site->grid->rank <= MOST_DIMS && site->input_rank <= MOST_DIMS &&
         site->output_rank <= MOST_DIMS && site->num_axes <= MOST_DIMS;
}

static bool start(tr_call *call) {
  tr_view in, out;
  if (!may_repeat(call))
    return false;
  call->repeat = calloc(1, sizeof(*call->repeat));
  if (!call->repeat || (!call->ignores_in && tr_call_input(call, call->in, &in)) ||
      (!call->ignores_out && tr_call_output(call, call->out, &out)))
    return false;
  return tr_steps_start(&call->repeat->steps, call->ignores_in ? NULL : &in,
                        call->ignores_out ? NULL : &out);
}

/* The steps to add to; NULL if the call will not be kept. */
static tr_steps *steps_of(tr_call *call) {
  return call->body && (call->repeat || start(call)) ? &call->repeat->steps : NULL;
}

void *tr_repeat_step(tr_call *call, size_t size, tr_step_run *run, int64_t num_places) {
  tr_steps *steps = steps_of(call);
  void *step = steps ? tr_steps_add(steps, size, run, call->group, num_places) : NULL;
  if (!step)
    tr_repeat_forget(call);
  return step;
}

void tr_repeat_check(tr_call *call, const tr_common *common) {
  tr_steps *steps = steps_of(call);
  if (!steps || !tr_steps_check(steps, call->group, common))
    tr_repeat_forget(call);
}

void tr_repeat_place(tr_call *call, void *step, int64_t index, const char *data, size_t bytes) {
  if (!tr_steps_place(&call->repeat->steps, call->context, step, index, data, bytes))
    tr_repeat_forget(call);
}

void tr_repeat_forget(tr_call *call) {
  call->body = NULL;
}

/* ---- keeping -----------------------------------------------------------------------------------
 */

static void keep_side(kept_side *side, const tr_memref *memref, int32_t rank, int32_t type) {
  side->is_used = true;
  side->element = tessera_dtype_size((tessera_dtype)type);
  side->rank = rank;
  memcpy(side->dims, memref->dims, sizeof(int64_t) * 2 * (size_t)rank);
}

static int64_t *append(int64_t *to, const int64_t *numbers, int64_t count) {
  if (count > 0)
    memcpy(to, numbers, sizeof(int64_t) * (size_t)count);
  return to + count;
}

static bool keep_lists(const tr_call *call, tr_repeat *repeat) {
  const tessera_site *site = call->site;
  int64_t count = call->num_numbers + call->num_from + call->num_to;
  if (count == 0)
    return true;
  repeat->lists = count <= MOST_NUMBERS ? malloc(sizeof(int64_t) * (size_t)count) : NULL;
  if (!repeat->lists)
    return false;
  repeat->from = append(repeat->lists, call->numbers, call->num_numbers);
  repeat->to = append(repeat->from, site->from, call->num_from);
  append(repeat->to, site->to, call->num_to);
  repeat->num_numbers = call->num_numbers;
  repeat->num_from = call->num_from;
  repeat->num_to = call->num_to;
  return true;
}

/* What the call has to be for the steps to be right again. */
static bool describe(const tr_call *call, tr_repeat *repeat) {
  const tessera_site *site = call->site;
  if (!keep_lists(call, repeat))
    return false;
  repeat->body = call->body;
  repeat->site = *site;
  repeat->grid_rank = site->grid->rank;
  memcpy(repeat->grid_shape, site->grid->shape, sizeof(int64_t) * (size_t)site->grid->rank);
  memcpy(repeat->axes, site->axes, sizeof(int32_t) * (size_t)site->num_axes);
  if (!call->ignores_in)
    keep_side(&repeat->in, call->in, site->input_rank, site->input_type);
  if (!call->ignores_out)
    keep_side(&repeat->out, call->out, site->output_rank, site->output_type);
  repeat->received = call->received;
  return tr_steps_finish(&repeat->steps, call->context);
}

void tr_repeat_end(tr_call *call, tessera_status status) {
  tessera_context *context = call->context;
  tr_repeat *repeat = call->repeat;
  if (!repeat)
    return;
  call->repeat = NULL;
  if (!context->repeats)
    context->repeats = calloc(1, sizeof(*context->repeats));
  if (status || !call->body || !context->repeats || !describe(call, repeat)) {
    free_repeat(repeat);
    return;
  }
  tr_repeat **slot = slot_of(context->repeats, call->site);
  free_repeat(*slot);
  *slot = repeat;
}
