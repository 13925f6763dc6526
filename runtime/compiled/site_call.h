/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One call from compiled code at a site: its context, group and views, and how it ends.
 * It must not know what is called. */
#ifndef TESSERA_RUNTIME_COMPILED_SITE_CALL_H
#define TESSERA_RUNTIME_COMPILED_SITE_CALL_H

#include "tessera/runtime.h"

#include "context/guard.h"

typedef struct tr_call {
  tessera_context *context;
  const tessera_site *site;
  tr_group *group;
  bool must_leave; /* the context, when the call ends */
} tr_call;

/* Finds the site's group in the thread's context. Even after a failure, tr_call_end follows. */
tessera_status tr_call_begin(const tessera_site *site, tr_call *call);
/* The same in the group of all ranks, for calls that need no grid. */
void tr_call_begin_alone(const tessera_site *site, tr_call *call);

/* The group along the site's axes. */
tessera_status tr_call_find_group(tr_call *call);

/* For libtessera's own calls, in a context that is in use but need not be the current one: a
 * failure is returned, after the context has failed with it. */
tessera_status tr_call_end_within(tr_call *call, tessera_status status);

/* Tells the watch of the `received` bytes and gives scratch memory back, or fails and does not
 * return. */
void tr_call_end(tr_call *call, tessera_status status, uint64_t received);

/* Views of the site's input and output. */
tessera_status tr_call_input(const tr_call *call, const void *descriptor, tr_view *view);
tessera_status tr_call_output(const tr_call *call, const void *descriptor, tr_view *view);
/* Of another rank or type. */
tessera_status tr_call_view(const tr_call *call, const void *descriptor, int32_t rank, int32_t type,
                            tr_view *view);

/* Scratch memory on the host until the call ends; NULL with a message if there is none. */
void *tr_call_memory(const tr_call *call, size_t bytes);

/* Each member's number, in group order, in scratch memory; NULL with a message after a failure. */
tessera_status tr_call_collect(const tr_call *call, int64_t mine, int64_t **all);
/* Compares a call that has nothing in common but its site with the other members'. */
tessera_status tr_call_compare(const tr_call *call);

/* Position in the group of in-group coordinates (num_axes of them). */
tessera_status tr_call_position(const tr_call *call, const int64_t *coordinates, int32_t *position);

#endif /* TESSERA_RUNTIME_COMPILED_SITE_CALL_H */
