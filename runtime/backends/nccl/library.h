/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is used of NCCL, which is opened at run time: declared here, so that building needs none.
 * It must not know tensors. */
#ifndef TESSERA_RUNTIME_BACKENDS_NCCL_LIBRARY_H
#define TESSERA_RUNTIME_BACKENDS_NCCL_LIBRARY_H

#include <stddef.h>

#include "planes/backend.h"

/* 2.18 has ncclCommSplit. */
enum { NCCL_VERSION_NEEDED = 21801 };

typedef struct ncclComm *nccl_comm;
typedef int nccl_result;

enum { NCCL_OK = 0, NCCL_IN_PROGRESS = 7 };

/* Types and operations, under the library's numbers. */
typedef enum nccl_type {
  NCCL_I8,
  NCCL_U8,
  NCCL_I32,
  NCCL_U32,
  NCCL_I64,
  NCCL_U64,
  NCCL_F16,
  NCCL_F32,
  NCCL_F64,
  NCCL_BF16
} nccl_type;
typedef enum nccl_operation { NCCL_SUM, NCCL_PRODUCT, NCCL_MAX, NCCL_MIN } nccl_operation;

enum { NCCL_ID_BYTES = 128, NCCL_NO_COLOR = -1 };
typedef struct nccl_id {
  char bytes[NCCL_ID_BYTES];
} nccl_id;

/* The beginning of a communicator's configuration, which later versions make longer. */
typedef struct nccl_config {
  size_t size;
  unsigned magic, version;
  int blocking, cluster, least_blocks, most_blocks;
  const char *net;
  int split_shares;
  int traffic; /* of later versions; where earlier ones have nothing */
} nccl_config;

enum { NCCL_MAGIC = (int)0xcafebeef };

/* clang-format off */
#define TR_NCCL_FUNCTIONS(ROW)                                                                     \
  ROW(version, ncclGetVersion, (int *version))                                                     \
  ROW(get_id, ncclGetUniqueId, (nccl_id *id))                                                      \
  ROW(open, ncclCommInitRankConfig,                                                                \
      (nccl_comm *comm, int ranks, nccl_id id, int rank, nccl_config *config))                     \
  ROW(split, ncclCommSplit,                                                                        \
      (nccl_comm comm, int color, int key, nccl_comm *part, nccl_config *config))                  \
  ROW(finalize, ncclCommFinalize, (nccl_comm comm))                                                \
  ROW(destroy, ncclCommDestroy, (nccl_comm comm))                                                  \
  ROW(abort, ncclCommAbort, (nccl_comm comm))                                                      \
  ROW(state, ncclCommGetAsyncError, (nccl_comm comm, nccl_result *state))                          \
  ROW(start_group, ncclGroupStart, (void))                                                         \
  ROW(end_group, ncclGroupEnd, (void))                                                             \
  ROW(send, ncclSend,                                                                              \
      (const void *data, size_t count, int type, int peer, nccl_comm comm, void *stream))          \
  ROW(receive, ncclRecv,                                                                           \
      (void *data, size_t count, int type, int peer, nccl_comm comm, void *stream))                \
  ROW(all_gather, ncclAllGather,                                                                   \
      (const void *in, void *out, size_t count, int type, nccl_comm comm, void *stream))           \
  ROW(all_reduce, ncclAllReduce,                                                                   \
      (const void *in, void *out, size_t count, int type, int operation, nccl_comm comm,           \
       void *stream))                                                                              \
  ROW(broadcast, ncclBroadcast,                                                                    \
      (const void *in, void *out, size_t count, int type, int root, nccl_comm comm, void *stream)) \
  ROW(reduce, ncclReduce,                                                                          \
      (const void *in, void *out, size_t count, int type, int operation, int root, nccl_comm comm, \
       void *stream))                                                                              \
  ROW(reduce_scatter, ncclReduceScatter,                                                           \
      (const void *in, void *out, size_t count, int type, int operation, nccl_comm comm,           \
       void *stream))
/* clang-format on */

#define TR_NCCL_MEMBER(name, symbol, parameters) nccl_result(*name) parameters;
typedef struct nccl_library {
  TR_NCCL_FUNCTIONS(TR_NCCL_MEMBER)
  const char *(*error_text)(nccl_result result);
  const char *(*last_error)(nccl_comm comm);
} nccl_library;
#undef TR_NCCL_MEMBER

/* Of a communicator that nobody has to wait for in a call, and whose parts share what it has. */
nccl_config nccl_usual_config(void);

/* Opened once for the process: what TESSERA_NCCL names, else libnccl.so.2 where the loader finds
 * it, or Python's wheels have it. Fails with one sentence that says what is missing. Any thread. */
tessera_status nccl_open_library(const tr_backend_host *host, const nccl_library **library);

#endif /* TESSERA_RUNTIME_BACKENDS_NCCL_LIBRARY_H */
