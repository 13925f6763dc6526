/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One rank's view of the job: its backend, groups, grids, scratch memory, and whether it failed.
 * It must not know collectives, layouts or how bytes travel. */
#ifndef TESSERA_RUNTIME_CONTEXT_CONTEXT_H
#define TESSERA_RUNTIME_CONTEXT_CONTEXT_H

#include "tessera/runtime.h"

#include "memory/scratch.h"
#include "planes/backend.h"

typedef struct tr_named_group tr_named_group;
typedef struct tr_traffic tr_traffic;
typedef struct tr_engine tr_engine;
typedef struct tr_guard tr_guard;
typedef struct tr_lodger tr_lodger;
typedef struct tr_notes tr_notes;
typedef struct tr_watch tr_watch;
typedef struct tr_log tr_log;
typedef struct tr_pool tr_pool;

/* How memory is given back that the engine keeps between collectives. */
typedef struct tr_keeping {
  void (*shrink)(tessera_context *context); /* to twice of what was taken since the last time */
  void (*drop)(tessera_context *context);
  void (*end)(tessera_context *context); /* all of it, when nothing else uses it */
} tr_keeping;

struct tessera_context {
  tr_world world;
  _Atomic(const void *) user; /* the thread that uses it (guard.h); NULL: none */
  tessera_status failure;     /* TESSERA_OK: it has not failed */
  char failure_message[4096]; /* of the first failure */
  tr_guard *guard;            /* the attempt under way; NULL: none */
  tr_lodger *lodgers;         /* a list of what is used through it (lodgers.h) */
  tr_notes *notes;            /* of where this rank is (watch/note.h); NULL: nobody watches */
  tr_watch *watch;            /* that reads them; NULL likewise */
  tr_log *log;                /* for traces and statistics; NULL: nobody wants any */
  tr_named_group *groups;     /* a list, in order of creation */
  tr_named_group *last_group;
  tr_scratch scratch;        /* of calls from compiled code */
  int32_t calls;             /* of programs, since it was shrunk */
  tr_traffic *traffic;       /* NULL: not counting */
  tr_engine *engine;         /* plans and operations (plans/engine.h); NULL: none yet */
  const tr_keeping *keeping; /* of the engine, if there is one */
  tr_workspace *workspace;   /* for products and convolutions; NULL: none yet */
  int32_t threads;           /* that compute for this rank, its own included */
  tr_pool *pool;             /* the others, for compiled code; NULL: none yet */
  tr_group everyone;         /* all ranks in rank order */
  uint32_t lanes;            /* of everyone, and of groups that have the same members */
  tr_book book;              /* likewise */
  tr_page *page;             /* of the book, where the ledger has no more; NULL: it has */
  tr_ledger *ledger;         /* of this rank's own memory; NULL: none, or it lies on the board */
  bool same_bits;            /* TESSERA_DETERMINISTIC: sums do not depend on timing */
  bool checks;               /* TESSERA_CHECK: messages say what they are */
};

/* ---- life ------------------------------------------------------------------------------------ */

/* Of a context whose world is filled; and the end of a context, its world included. */
tessera_status tr_context_start(tessera_context *context);
void tr_context_stop(tessera_context *context);

/* This thread is the context's from now on: when it ends, ranks that wait for this one learn it. */
static inline void tr_context_attend(tessera_context *context) {
  if (context->world.backend->attend)
    context->world.backend->attend(&context->world);
}

/* Gives a context, which has used none yet but the host, a device of this name. Where ranks are
 * processes it is collective over them, and after a failure the context has to fail: others may
 * wait for this rank inside the device's backend. */
tessera_status tr_context_use_device(tessera_context *context, const char *name);

/* Collective: what a step has come to on this rank, or TESSERA_ERROR_PEER if it has failed on
 * another one, in the words `what`. After TESSERA_ERROR_OUT_OF_MEMORY the context has to fail:
 * others may wait. */
tessera_status tr_context_agree(tessera_context *context, tessera_status mine, const char *what);

/* Says whether the default context may end, and what came of the last that it did. */
typedef tessera_status tr_ending(tessera_context *context, bool *may_end);
/* Ends it, if there is one and it may. */
tessera_status tr_context_end_default(tr_ending *ending);

/* Makes `context` current and returns what tessera_context_set_current was last given (NULL for the
 * default). */
tessera_context *tr_context_swap_current(tessera_context *context);

/* ---- grids and groups ------------------------------------------------------------------------ */

/* Writes grid->rank extents: the grid's own, and in place of -1 what the number of ranks leaves.
 * Fails if they do not multiply to the number of ranks. */
tessera_status tr_context_resolve_grid(const tessera_context *context, const tessera_grid *grid,
                                       int64_t *extents);

/* A group and what it came from. Owned by the context. */
struct tr_named_group {
  tr_group group;
  uint32_t lanes; /* if it is the first group of its members */
  tr_book book;   /* likewise */
  tr_page *page;  /* of the book, where the ledger has no more; NULL: it has */
  tr_named_group *next;
  int32_t grid_rank;
  int32_t num_axes;
  int64_t extents[TR_VIEW_RANK]; /* resolved */
  int32_t axes[TR_VIEW_RANK];
};

/* Finds or creates the group of this rank along `axes` (outermost first, which gives the order of
 * its members). The first call for a group is collective over its members. */
tessera_status tr_context_group(tessera_context *context, const tessera_grid *grid,
                                int32_t num_axes, const int32_t *axes, tr_named_group **group);

/* Creates every group of a program in table order. Collective over all ranks. */
tessera_status tr_context_attach_groups(tessera_context *context,
                                        const tessera_program_record *record);

/* ---- giving memory back ---------------------------------------------------------------------- */

/* When a call of a program has ended on this rank. */
void tr_trim_after_call(tessera_context *context);

/* ---- traffic, and what is kept --------------------------------------------------------------- */

/* Counts one call at `site` that received `bytes`. */
void tr_traffic_add(tessera_context *context, const tessera_site *site, uint64_t bytes);
void tr_traffic_free(tessera_context *context);

#endif /* TESSERA_RUNTIME_CONTEXT_CONTEXT_H */
