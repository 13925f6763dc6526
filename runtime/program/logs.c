/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Brings the logs of processes together in rank 0.
 * It must not know what is written of them. */
#include "program/logs.h"

#include <stdlib.h>

#include "context/context.h"
#include "program/transfer.h"
#include "support/error.h"
#include "trace/report.h"

static tessera_status receive_all(tessera_context *context, const int64_t *sizes, void **packed) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 1; !status && i < context->world.size; i++) {
    packed[i] = malloc((size_t)sizes[i]);
    status = packed[i] ? tr_receive_to_host(context, i, packed[i], (size_t)sizes[i])
                       : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a trace");
  }
  return status;
}

/* Of 0 bytes where one rank has no log, or no memory for it: then nothing is written. */
static tessera_status exchange(tessera_context *context, void **packed, int64_t *sizes,
                               int64_t bytes) {
  int32_t size = context->world.size;
  tessera_status status = tr_collect_sizes(context, 1, &bytes, sizes);
  for (int32_t i = 0; !status && i < size; i++)
    if (sizes[i] == 0)
      return TESSERA_OK;
  if (!status && context->world.rank == 0)
    status = receive_all(context, sizes, packed);
  else if (!status)
    status = tr_send_from_host(context, 0, packed[0], (size_t)bytes);
  if (!status) /* nobody ends before all is received */
    status = tr_collect_sizes(context, 1, &bytes, sizes);
  if (!status && context->world.rank == 0)
    tr_report_write(size, packed);
  return status;
}

tessera_status tr_logs_report(tessera_context *context) {
  tr_log *log = context->log;
  if (!log)
    return TESSERA_OK;
  size_t bytes = 0, ranks = (size_t)context->world.size;
  void **packed = calloc(ranks, sizeof(*packed));
  int64_t *sizes = calloc(ranks, sizeof(*sizes));
  context->log = NULL; /* of this nothing is remembered */
  if (packed && sizes)
    packed[0] = tr_report_pack(log, &bytes);
  tessera_status status = packed && sizes
                              ? exchange(context, packed, sizes, packed[0] ? (int64_t)bytes : 0)
                              : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a trace");
  context->log = log;
  tr_report_free(context->world.size, packed);
  free(sizes);
  return status;
}
