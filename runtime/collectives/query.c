/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Queries of the grid, the sum of run-time sizes, and assertions.
 * It must not know memory or element types. */
#include "compiled/site_call.h"
#include "support/error.h"

/* What to make of the sizes that the members have. */
typedef int64_t combine(const tr_group *group, const int64_t *sizes, int64_t member);

static int64_t agree(const tessera_site *site, int64_t value, int64_t member, combine *combine) {
  tr_call call;
  int64_t *all = NULL;
  tessera_status status = tr_call_begin(site, &call);
  if (!status)
    status = tr_call_compare(&call);
  if (!status)
    status = tr_call_collect(&call, value, &all);
  int64_t result = status ? 0 : combine(call.group, all, member);
  tr_call_end(&call, status, 0);
  return result;
}

static int64_t sum(const tr_group *group, const int64_t *sizes, int64_t member) {
  (void)member;
  int64_t sum = 0;
  for (int32_t i = 0; i < group->size; i++)
    sum += sizes[i];
  return sum;
}

int64_t tessera_rt_sum_size(const tessera_site *site, int64_t value) {
  return agree(site, value, 0, sum);
}

/* Of n rows, member i gets (n + i) / p: the last n mod p of them have one more. */
static int64_t sum_of_pieces(const tr_group *group, const int64_t *sizes, int64_t member) {
  (void)member;
  int64_t sum = 0;
  for (int32_t i = 0; i < group->size; i++)
    sum += (sizes[i] + group->self) / group->size;
  return sum;
}

int64_t tessera_rt_dealt_size(const tessera_site *site, int64_t value) {
  return agree(site, value, 0, sum_of_pieces);
}

/* The collective that follows says what is wrong with a member that is none. */
static int64_t pick(const tr_group *group, const int64_t *sizes, int64_t member) {
  return sizes[member >= 0 && member < group->size ? member : group->self];
}

int64_t tessera_rt_size_on(const tessera_site *site, int64_t value, int64_t member) {
  return agree(site, value, member, pick);
}

/* The grid's extents, and with `axis` >= 0 a check of it. */
static tessera_status find_extents(tr_call *call, const tessera_site *site, int64_t axis,
                                   int64_t *extents) {
  tr_call_begin_alone(site, call);
  if (!site->grid || site->grid->rank > TR_VIEW_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the call names no grid");
  if (axis < 0 || (axis >= site->grid->rank && axis > 0))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "grid @%s has no axis %lld", site->grid->name,
                   (long long)axis);
  return tr_context_resolve_grid(call->context, site->grid, extents);
}

/* A failed query does not return. Queries are no traffic. */
static void end_query(tr_call *call, tessera_status status) {
  if (status)
    tr_call_end(call, status, 0);
  if (call->must_leave)
    tr_context_leave(call->context);
}

int64_t tessera_rt_process_linear_index(const tessera_site *site) {
  tr_call call;
  int64_t extents[TR_VIEW_RANK];
  tessera_status status = find_extents(&call, site, 0, extents);
  end_query(&call, status);
  return call.context->world.rank;
}

int64_t tessera_rt_process_index(const tessera_site *site, int64_t axis) {
  tr_call call;
  int64_t extents[TR_VIEW_RANK];
  tessera_status status = find_extents(&call, site, axis, extents);
  end_query(&call, status);
  int64_t rest = call.context->world.rank;
  for (int64_t i = site->grid->rank - 1; i > axis; i--)
    rest /= extents[i];
  return rest % extents[axis];
}

int64_t tessera_rt_grid_extent(const tessera_site *site, int64_t axis) {
  tr_call call;
  int64_t extents[TR_VIEW_RANK];
  tessera_status status = find_extents(&call, site, axis, extents);
  end_query(&call, status);
  return extents[axis];
}

static _Noreturn void end_of_allocation(const tessera_site *site, tessera_status status) {
  tr_call call;
  tr_call_begin_alone(site, &call);
  tr_call_end(&call, status, 0);
  __builtin_unreachable();
}

int64_t tessera_rt_bytes(const tessera_site *site, int64_t bytes, int64_t size) {
  int64_t all;
  if (size < 0)
    end_of_allocation(site,
                      tr_fail(TESSERA_ERROR_CHECK, "a tensor of extent %lld: expected at least 0",
                              (long long)size));
  if (__builtin_mul_overflow(bytes, size, &all))
    end_of_allocation(site, tr_fail(TESSERA_ERROR_CHECK,
                                    "a tensor of %lld times %lld bytes, more than can be counted: "
                                    "expected smaller extents",
                                    (long long)size, (long long)bytes));
  return all;
}

void tessera_rt_fail(const tessera_site *site, const char *message) {
  tr_call call;
  tr_call_begin_alone(site, &call);
  tr_call_end(&call, tr_fail(TESSERA_ERROR_CHECK, "%s", message), 0);
}
