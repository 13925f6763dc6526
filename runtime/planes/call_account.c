/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How two calls differ, in words.
 * It must not know how ranks compare calls, nor how accounts travel. */
#include "planes/call_account.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "planes/site_hash.h"
#include "tensors/dtype.h"
#include "tessera/reductions.h"

void tr_account_place(const tessera_site *site, char *text, size_t capacity) {
  snprintf(text, capacity, "'%s'%s%s", site->name, site->location[0] ? " at " : "", site->location);
}

void tr_account_group(const int32_t *members, int32_t count, char *text, size_t capacity) {
  enum { MOST = 16 };
  size_t used = (size_t)snprintf(text, capacity, "in the group of ranks {");
  for (int32_t i = 0; i < count && i < MOST && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%d", i > 0 ? ", " : "", members[i]);
  if (used < capacity)
    snprintf(text + used, capacity - used, "%s}: ", count > MOST ? ", …" : "");
}

__attribute__((format(printf, 2, 3))) static void add(tr_account *account, const char *format,
                                                      ...) {
  size_t used = strlen(account->details);
  if (used > 0 && used < sizeof(account->details))
    used += (size_t)snprintf(account->details + used, sizeof(account->details) - used, ", ");
  if (used >= sizeof(account->details))
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(account->details + used, sizeof(account->details) - used, format, arguments);
  va_end(arguments);
}

static void add_types(tr_account *account, const tessera_site *site) {
  const char *reduction = tessera_reduction_name(site->reduction);
  const char *input = tr_dtype_name((tessera_dtype)site->input_type);
  const char *output = tr_dtype_name((tessera_dtype)site->output_type);
  bool reduces = site->reduction != TESSERA_REDUCTION_NONE, converts = output != input;
  add(account, "%s%s%s%s%s",
      !reduces    ? ""
      : reduction ? reduction
                  : "an unknown reduction",
      reduces ? " of " : "", input, converts ? " as " : "", converts ? output : "");
}

void tr_account_of_site(const tessera_site *site, int32_t rank, tr_account *account) {
  *account = (tr_account){.rank = rank, .root = -1};
  tr_account_place(site, account->place, sizeof(account->place));
  if (site->input_type) /* what moves no elements has none */
    add_types(account, site);
  if (site->axis)
    add(account, "axis %d", site->axis);
  if (site->concat_axis)
    add(account, "concatenated along axis %d", site->concat_axis);
  if (site->offset)
    add(account, "offset %" PRId64, site->offset);
  if (site->flags & TESSERA_SITE_ROTATE)
    add(account, "around");
  if (site->flags & TESSERA_SITE_LOCAL_SIZES)
    add(account, "of sizes that ranks agree on");
  if (site->flags & TESSERA_SITE_EVEN_SIZES)
    add(account, "of one size");
}

/* Added to the root of calls that do not block. */
enum { MANNER = 1 << 30 };

uint64_t tr_account_hash(const tr_common *common) {
  uint64_t hash =
      tr_hash_mix(tr_hash_site(common->site), (uint64_t)common->root + common->manner * MANNER);
  for (int32_t i = 0; common->view && i < common->view->rank; i++)
    if (i != common->except)
      hash = tr_hash_mix(hash, (uint64_t)common->view->sizes[i]);
  return hash;
}

void tr_account_of_call(const tr_common *common, int32_t rank, uint64_t program_call,
                        tr_account *account) {
  int64_t extents[TR_VIEW_RANK];
  int32_t dims = common->view ? common->view->rank : 0;
  tr_account_of_site(common->site, rank, account);
  account->site = tr_hash_site(common->site);
  account->pieces = tr_account_hash(common);
  account->program_call = program_call;
  for (int32_t i = 0; i < dims; i++)
    extents[i] = i == common->except ? -1 : common->view->sizes[i];
  tr_elements_text(dims, extents, account->shape, sizeof(account->shape));
  account->root = common->root;
}

bool tr_account_same(const tr_account *a, const tr_account *b) {
  return a->site == b->site && a->pieces == b->pieces && a->program_call == b->program_call;
}

enum { DETAILS = sizeof(((tr_account *)0)->details) + sizeof(" ()") };

static const char *in_brackets(const tr_account *account, char text[DETAILS]) {
  const char *details = account->details;
  snprintf(text, DETAILS, "%s%s%s", details[0] ? " (" : "", details, details[0] ? ")" : "");
  return text;
}

void tr_account_difference(const tr_account *a, const tr_account *b, char *text, size_t capacity) {
  char details[2][DETAILS];
  if (a->site != b->site && strcmp(a->details, b->details) != 0)
    snprintf(text, capacity,
             "ranks call different collectives: rank %d is in %s%s, rank %d in %s%s", a->rank,
             a->place, in_brackets(a, details[0]), b->rank, b->place, in_brackets(b, details[1]));
  else if (a->site != b->site)
    snprintf(text, capacity, "ranks call different collectives: rank %d is in %s, rank %d in %s",
             a->rank, a->place, b->rank, b->place);
  else if (a->program_call != b->program_call)
    snprintf(text, capacity,
             "ranks make different numbers of collectives in a call of the program: rank %d is in "
             "%s of its call number %" PRIu64 ", rank %d in %s of its call number %" PRIu64,
             a->rank, a->place, a->program_call, b->rank, b->place, b->program_call);
  else if (a->root != b->root && strcmp(a->shape, b->shape) == 0)
    snprintf(text, capacity,
             "ranks call with different roots: rank %d with root %" PRId64 " in %s, rank %d with "
             "root %" PRId64 " in %s",
             a->rank, a->root, a->place, b->rank, b->root, b->place);
  else
    snprintf(text, capacity,
             "pieces do not fit: rank %d has one of %s in %s, rank %d one of %s in %s", a->rank,
             a->shape, a->place, b->rank, b->shape, b->place);
}

/* ---- of several ------------------------------------------------------------------------------ */

static int32_t count_same(const tr_account *all, int32_t count, int32_t one) {
  int32_t same = 0;
  for (int32_t i = 0; i < count; i++)
    same += tr_account_same(&all[i], &all[one]);
  return same;
}

/* No later one is the same: one of each kind, found soon where there are few. */
static bool is_last_of_kind(const tr_account *all, int32_t count, int32_t one) {
  for (int32_t i = count - 1; i > one; i--)
    if (tr_account_same(&all[i], &all[one]))
      return false;
  return true;
}

tr_odd_account tr_accounts_find_odd(const tr_account *all, int32_t count) {
  tr_odd_account found = {.odd = &all[0]};
  int32_t fewest = count;
  for (int32_t i = 0; i < count; i++) {
    if (!is_last_of_kind(all, count, i))
      continue;
    int32_t same = count_same(all, count, i);
    found.odd = same <= fewest ? &all[i] : found.odd;
    fewest = same < fewest ? same : fewest;
  }
  for (int32_t i = 0; i < count && !found.other; i++)
    found.other = tr_account_same(found.odd, &all[i]) ? NULL : &all[i];
  found.is_alone = 2 * fewest < count;
  return found;
}

void tr_accounts_tell_alone(const tr_odd_account *found, char *text, size_t capacity) {
  text[0] = '\0';
  if (found->is_alone)
    snprintf(text, capacity, "rank %d differs from most", found->odd->rank);
}

void tr_accounts_tell_odd(const tr_odd_account *found, char *text, size_t capacity) {
  bool is_first = found->odd < found->other;
  tr_account_difference(is_first ? found->odd : found->other, is_first ? found->other : found->odd,
                        text, capacity);
  size_t used = strlen(text);
  if (found->is_alone && used + sizeof("; ") < capacity) {
    memcpy(text + used, "; ", sizeof("; "));
    tr_accounts_tell_alone(found, text + used + strlen("; "), capacity - used - strlen("; "));
  }
}
