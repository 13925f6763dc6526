/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What was last heard of each rank on another host: it lies on the board, where any process of this
 * host may write it, and is read whole or not at all. It must not know how words travel. */
#ifndef TESSERA_RUNTIME_WATCH_REMOTES_H
#define TESSERA_RUNTIME_WATCH_REMOTES_H

#include <stdbool.h>

#include "watch/board.h"

void tr_remote_write(tr_board *board, int32_t rank, const tr_remote *told);
/* False: nothing is known of the rank. */
bool tr_remote_read(tr_board *board, int32_t rank, tr_remote *copy);
/* A number that changes whenever something is heard of the rank; 0: nothing was heard yet. */
uint32_t tr_remote_version(tr_board *board, int32_t rank);

#endif /* TESSERA_RUNTIME_WATCH_REMOTES_H */
