/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The least that any sequence of collectives moves between two layouts, by trying all: what plans
 * are held against. Of layouts whose pieces are all equal. It must not know plans. */
#ifndef TESSERA_TEST_RESHARD_SEARCH_H
#define TESSERA_TEST_RESHARD_SEARCH_H

#include "reshard/reshard.h"

typedef struct search search;

/* Of `num` plain layouts of one tensor on one grid, which are all that there are: sequences go
 * through them. Partial axes are sums. The search is `arena`'s, the layouts the caller's. */
search *search_start(ts_arena *arena, int num, const ts_sharding *const *layouts);

/* The elements that the busiest device receives on the way from layout `from` to each of all, step
 * by step added up; valid till the next call. */
const double *search_from(search *s, int from);

#endif /* TESSERA_TEST_RESHARD_SEARCH_H */
