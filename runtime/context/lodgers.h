/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is used through a context, belongs to the caller, and may be there when the context has
 * ended. It must not know what that is. */
#ifndef TESSERA_RUNTIME_CONTEXT_LODGERS_H
#define TESSERA_RUNTIME_CONTEXT_LODGERS_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* A part of what lodges. */
typedef struct tr_lodger {
  tessera_context *context; /* NULL: it lodges nowhere, or its context has ended */
  bool has_ended;
  struct tr_lodger *next, **link; /* of the context's list */
} tr_lodger;

/* From a lodger that is cleared, or a copy of another one; NULL: nowhere. */
void tr_lodger_come(tr_lodger *lodger, tessera_context *context);
/* Before its memory is given back. */
void tr_lodger_go(tr_lodger *lodger);
/* The context ends: all that lodge in it lose it. */
void tr_lodgers_end(tessera_context *context);

#endif /* TESSERA_RUNTIME_CONTEXT_LODGERS_H */
