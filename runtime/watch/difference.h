/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* In which call the members of a group first differ, as far as one rank sees what they have noted.
 * It must not know how that is seen, nor why it is asked for. */
#ifndef TESSERA_RUNTIME_WATCH_DIFFERENCE_H
#define TESSERA_RUNTIME_WATCH_DIFFERENCE_H

#include <stdbool.h>

#include "planes/ledger.h"

/* What is known of a rank's calls: all that it noted, or what has travelled. Both NULL: nothing. */
typedef struct tr_witness {
  int32_t rank;
  const tr_ledger *ledger;
  const tr_recent *recent;
} tr_witness;

typedef struct tr_difference {
  int32_t rank;     /* whose call the fewest others have made */
  char words[160];  /* what a message has that says so already */
  char text[1024];  /* how they differ, and: */
  char verdict[48]; /* "rank 2 differs from most"; "": of two there is none */
} tr_difference;

/* Looks at the groups of witness `self`. False if no calls differ. */
bool tr_difference_find(const tr_witness *all, int32_t count, int32_t self,
                        tr_difference *difference);

#endif /* TESSERA_RUNTIME_WATCH_DIFFERENCE_H */
