/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One call from compiled code: its context, group and arguments, and how it ends.
 * It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_CALL_H
#define TESSERA_RUNTIME_COLLECTIVES_CALL_H

#include "tessera/runtime.h"

#include "guard.h"

typedef struct tr_call tr_call;
typedef struct tr_repeat tr_repeat;

/* One collective, whose arguments are the call's. */
typedef tessera_status tr_body(tr_call *call);

struct tr_call {
  tessera_context *context;
  const tessera_site *site;
  const tr_group *group;
  bool must_leave;   /* the context, when the call ends */
  uint64_t received; /* bytes, for the traffic counters */

  /* Of calls by tr_call_run (collectives/repeat.h): */
  const void *in, *out;   /* descriptors */
  const int64_t *numbers; /* in-group coordinates, sizes */
  tr_body *body;          /* NULL: the call will not be kept */
  tr_repeat *repeat;      /* what is known of it so far; NULL: nothing yet */
  /* What the call depends on, as its body finds it: whether it looks at its descriptors, how many
   * of `numbers`, and of the words of the site's `from` and `to`, it reads. */
  bool ignores_in, ignores_out;
  int32_t num_numbers;
  int64_t num_from, num_to;
};

/* Finds the site's group in the thread's context. Even after a failure, tr_call_end follows. */
tessera_status tr_call_begin(const tessera_site *site, tr_call *call);
/* The same in the group of all ranks, for calls that need no grid. */
void tr_call_begin_alone(const tessera_site *site, tr_call *call);

/* The same two in a context that is held already. */
tessera_status tr_call_begin_in(tr_held held, const tessera_site *site, tr_call *call);
tessera_status tr_call_begin_alone_in(tr_held held, const tessera_site *site, tr_call *call);

/* For libtessera's own calls, in a context that is in use but need not be the current one: a
 * failure is returned, after the context has failed with it, and traffic is not counted. */
tessera_status tr_call_begin_within(tessera_context *context, const tessera_site *site,
                                    tr_call *call);
tessera_status tr_call_end_within(tr_call *call, tessera_status status);

/* Counts traffic and gives scratch memory back, or fails and does not return. */
void tr_call_end(tr_call *call, tessera_status status);

/* Views of the site's input and output. */
tessera_status tr_call_input(const tr_call *call, const void *descriptor, tr_view *view);
tessera_status tr_call_output(const tr_call *call, const void *descriptor, tr_view *view);

/* Both views of a collective that changes no more than the extents of dimensions `axis` and `other`
 * (-1: none): ranks, types and all other extents agree. */
tessera_status tr_call_views(const tr_call *call, const void *in, const void *out, int32_t axis,
                             int32_t other, tr_view *from, tr_view *to);

/* Compares the call with the other members', before anything is sent: what tr_common names. */
tessera_status tr_call_check(tr_call *call, const tr_view *common, int32_t except, int64_t root);

/* The call by the backend's own means. TESSERA_ERROR_UNSUPPORTED, alike on all members, if it has
 * none or they are slower: then nothing has happened. */
tessera_status tr_call_natively(tr_call *call, tr_collective *collective);
/* Fills in how large parts are, from what all members know: those of a side are cut at `starts`
 * (size + 1 of them) into rows of so many bytes. */
void tr_call_describe(const tr_call *call, size_t row, const int64_t *starts,
                      tr_collective *collective);

/* The same for a collective that cuts nothing: all members have the view's extents. */
void tr_call_describe_whole(const tr_view *view, tr_collective *collective);
/* True if all parts have one size. */
bool tr_call_is_even(const tr_call *call, const int64_t *starts);

/* Scratch memory until the call ends; NULL with a message if there is none. */
void *tr_call_memory(const tr_call *call, size_t bytes);
/* Likewise, for the starts of members' parts: size + 1 of them. */
int64_t *tr_call_starts(const tr_call *call);

/* Where `full` rows are cut for the group: size + 1 starts. Balanced, unless the site says that
 * sizes are agreed on at run time. `mine` is what this rank holds, checked. */
tessera_status tr_call_shards(tr_call *call, int64_t full, int64_t mine, const int64_t **starts);
/* The balanced cut alone. */
void tr_call_balanced(const tr_call *call, int64_t full, int64_t *starts);

/* The cut that follows from what each member holds: size + 1 starts. */
tessera_status tr_call_agreed(tr_call *call, int64_t mine, int64_t *starts);

/* Each member's number, in group order. */
tessera_status tr_call_agree(tr_call *call, int64_t mine, int64_t *all);
/* `count` numbers of each, one member's behind the other's. */
tessera_status tr_call_collect(tr_call *call, int64_t count, const int64_t *mine, int64_t *all);

/* Copies all elements between two views of one shape that do not overlap. */
void tr_call_copy(tr_call *call, const tr_view *from, const tr_view *to);

/* Position in the group of in-group coordinates (num_axes of them). */
tessera_status tr_call_position(const tr_call *call, const int64_t *coordinates, int32_t *position);

/* The same of the call's own numbers: the root of a collective. */
tessera_status tr_call_root(tr_call *call, int32_t *root);

/* ---- messages ---- */

/* A list of messages in scratch memory. */
typedef struct tr_batch {
  tr_message *messages;
  int64_t count;
} tr_batch;

/* Room for so many messages. */
tessera_status tr_batch_start(const tr_call *call, int64_t most, tr_batch *batch);
/* Room for a message to and one from every member. */
tessera_status tr_batch_start_all(const tr_call *call, tr_batch *batch);
void tr_batch_add(tr_batch *batch, tr_direction direction, int32_t peer, const tr_view *view);
/* What stays on this rank: copied while messages are under way. */
void tr_batch_copy(tr_call *call, tr_batch *batch, const tr_view *from, const tr_view *to);
/* Does them all, and counts what arrives from others. */
tessera_status tr_batch_run(tr_call *call, const tr_batch *batch);

/* A view of the same elements that is dense: the view itself, or a copy in scratch memory. */
tessera_status tr_call_dense(tr_call *call, const tr_view *view, tr_view *dense);

/* Dense memory for a view to be written: the view itself, or scratch memory that tr_view_copy
 * brings to the view afterwards (a copy of a dense view onto itself does nothing). */
tessera_status tr_call_dense_target(const tr_call *call, const tr_view *view, tr_view *dense);

#endif /* TESSERA_RUNTIME_COLLECTIVES_CALL_H */
