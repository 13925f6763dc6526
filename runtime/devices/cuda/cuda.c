/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* GPUs of the process, and devices on them.
 * It must not know groups or ranks, nor what is done on a device. */
#include "devices/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 64 };

/* What stays as long as the process, under one lock: devices are handed out again, because memory
 * of a closed one may still be released. */
typedef struct process {
  pthread_mutex_t lock;
  tr_cuda_gpu gpus[MOST_GPUS]; /* by ordinal; without a context: not used yet */
  tr_cuda *closed, *failed;
} process;

static process the_process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- GPUs ------------------------------------------------------------------------------------ */

/* The ordinals that TESSERA_DEVICES lists, or all; a message if the list is none. */
static tessera_status list_gpus(const tr_device_host *host, const tr_cuda_driver *driver,
                                int *ordinals, int *count) {
  const char *wish = getenv("TESSERA_DEVICES");
  int present = driver->num_devices < MOST_GPUS ? driver->num_devices : MOST_GPUS;
  *count = 0;
  if (!wish || !wish[0]) {
    for (*count = 0; *count < present; (*count)++)
      ordinals[*count] = *count;
    return TESSERA_OK;
  }
  for (const char *at = wish; *count < MOST_GPUS; at++) {
    char *end;
    long ordinal = strtol(at, &end, 10);
    if (end == at || ordinal < 0 || ordinal >= present || (*end && *end != ','))
      break;
    ordinals[(*count)++] = (int)ordinal;
    if (!*end)
      return TESSERA_OK;
    at = end;
  }
  return host->fail(TESSERA_ERROR_INVALID_ARGUMENT,
                    "TESSERA_DEVICES is '%s'; expected numbers of GPUs, 0 to %d, separated by "
                    "commas",
                    wish, present - 1);
}

/* Ranks of one process read each other's memory. */
static tessera_status share(const tr_device_host *host, const tr_cuda_driver *driver,
                            const tr_cuda_gpu *gpu, const tr_cuda_gpu *peer) {
  cuda_access access = {CUDA_LOCATION_DEVICE, peer->ordinal, CUDA_ACCESS_READ_WRITE};
  int can = 0;
  cuda_result result = driver->can_access(&can, peer->device, gpu->device);
  if (!result && can)
    result = driver->set_pool_access(gpu->pool, &access, 1);
  if (!result && can)
    return TESSERA_OK;
  return host->fail(TESSERA_ERROR_UNSUPPORTED,
                    "GPU %d cannot use the memory of GPU %d, as ranks of one process have to; "
                    "TESSERA_DEVICES chooses GPUs that can",
                    peer->ordinal, gpu->ordinal);
}

static tessera_status start_gpu(const tr_device_host *host, const tr_cuda_driver *driver,
                                tr_cuda_gpu *gpu) {
  uint64_t keep_all = UINT64_MAX;
  int has_pools = 0;
  char text[256];
  cuda_result result = driver->get_device(&gpu->device, gpu->ordinal);
  if (!result)
    result = driver->device_attribute(&has_pools, CUDA_DEVICE_HAS_POOLS, gpu->device);
  if (!result && !has_pools)
    return host->fail(TESSERA_ERROR_UNSUPPORTED,
                      "GPU %d has no memory pools (cuMemAllocAsync), which are needed",
                      gpu->ordinal);
  if (!result)
    result = driver->default_pool(&gpu->pool, gpu->device);
  if (!result)
    result = driver->set_pool_attribute(gpu->pool, CUDA_POOL_RELEASE_THRESHOLD, &keep_all);
  if (!result)
    result = driver->retain_context(&gpu->context, gpu->device);
  if (!result)
    return TESSERA_OK;
  gpu->context = NULL;
  return host->fail(TESSERA_ERROR_BACKEND, "GPU %d does not start: %s", gpu->ordinal,
                    tr_cuda_error(driver, result, text, sizeof(text)));
}

static tessera_status use_gpu(const tr_device_host *host, const tr_cuda_driver *driver, int ordinal,
                              tr_cuda_gpu **used) {
  tr_cuda_gpu *gpu = &the_process.gpus[ordinal];
  *used = gpu;
  if (gpu->context)
    return TESSERA_OK;
  gpu->ordinal = ordinal;
  tessera_status status = start_gpu(host, driver, gpu);
  if (status)
    return status;
  pthread_mutex_init(&gpu->lock, NULL);
  for (int i = 0; !status && i < MOST_GPUS; i++) {
    tr_cuda_gpu *other = &the_process.gpus[i];
    if (other == gpu || !other->context)
      continue;
    status = share(host, driver, gpu, other);
    if (!status)
      status = share(host, driver, other, gpu);
  }
  return status;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Of a device that has failed nothing is used again, nor freed: its work may go on. */
static void close_device(const tr_device *device) {
  tr_cuda *cuda = tr_cuda_of(device);
  tr_cuda **list = atomic_load(&cuda->has_failed) ? &the_process.failed : &the_process.closed;
  tr_cuda_forget_programs(cuda);
  pthread_mutex_lock(&the_process.lock);
  cuda->last.name[0] = '\0';
  cuda->next = *list;
  *list = cuda;
  pthread_mutex_unlock(&the_process.lock);
}

static const tr_device cuda_table = {
    .version = TR_DEVICE_VERSION,
    .name = "cuda",
    .target = "cuda",
    .allocate = tr_cuda_allocate,
    .release = tr_cuda_release,
    .release_all = tr_cuda_release_all,
    .end_call = tr_cuda_end_call,
    .drop = tr_cuda_drop,
    .copy = tr_cuda_copy,
    .fill = tr_cuda_fill,
    .convert = tr_cuda_convert,
    .combine = tr_cuda_combine,
    .upload = tr_cuda_upload,
    .download = tr_cuda_download,
    .gemm = tr_cuda_gemm,
    .adds_to_products = true,
    .conv = tr_cuda_conv,
    .open_workspace = tr_cuda_open_workspace,
    .trim_workspace = tr_cuda_trim_workspace,
    .close_workspace = tr_cuda_close_workspace,
    .stream = tr_cuda_find_stream,
    .record = tr_cuda_record,
    .await = tr_cuda_await,
    .follow = tr_cuda_follow,
    .forget = tr_cuda_forget,
    .has_come = tr_cuda_has_come,
    .record_time = tr_cuda_record_time,
    .time_between = tr_cuda_time_between,
    .check = tr_cuda_check,
    .fail = tr_cuda_fail,
    .attach = tr_cuda_attach,
    .launch = tr_cuda_launch,
    .constant = tr_cuda_constant,
    .close = close_device,
};

/* A closed one of this GPU; NULL if there is none. */
static tr_cuda *reopen(const tr_cuda_gpu *gpu) {
  for (tr_cuda **link = &the_process.closed; *link; link = &(*link)->next)
    if ((*link)->gpu == gpu) {
      tr_cuda *cuda = *link;
      *link = cuda->next;
      return cuda;
    }
  return NULL;
}

static tessera_status create(const tr_device_host *host, const tr_cuda_driver *driver,
                             tr_cuda_gpu *gpu, tr_cuda **created) {
  tr_cuda *cuda = calloc(1, sizeof(*cuda));
  if (!cuda)
    return host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a device");
  cuda->table = cuda_table;
  cuda->table.ordinal = gpu->ordinal;
  cuda->host = host;
  cuda->driver = driver;
  cuda->gpu = gpu;
  pthread_mutex_init(&cuda->lock, NULL);
  if (tr_cuda_enter(cuda) &&
      tr_cuda_ok(cuda, driver->create_stream(&cuda->stream, CUDA_STREAM_NON_BLOCKING),
                 "cuStreamCreate")) {
    *created = cuda;
    return TESSERA_OK;
  }
  tessera_status status = tr_cuda_check(&cuda->table);
  pthread_mutex_destroy(&cuda->lock);
  free(cuda);
  return status;
}

/* Consecutive ranks share a GPU where they are more than GPUs. */
static tessera_status open_seat(const tr_device_host *host, const tr_cuda_driver *driver,
                                const tr_device_seat *seat, tr_cuda **cuda) {
  int ordinals[MOST_GPUS], count;
  tr_cuda_gpu *gpu = NULL;
  tessera_status status = list_gpus(host, driver, ordinals, &count);
  if (status)
    return status;
  int shares = seat->ranks > count ? seat->ranks : count;
  int ordinal = ordinals[(int64_t)seat->rank * count / shares];
  status = use_gpu(host, driver, ordinal, &gpu);
  if (status)
    return status;
  *cuda = reopen(gpu);
  if (!*cuda)
    status = create(host, driver, gpu, cuda);
  if (!status)
    (*cuda)->table.count = count;
  return status;
}

__attribute__((visibility("default"))) tessera_status tessera_device_open(
    const tr_device_host *host, const tr_device_seat *seat, const tr_device **device) {
  const tr_cuda_driver *driver;
  tr_cuda *cuda = NULL;
  if (host->version != TR_DEVICE_VERSION)
    return host->fail(TESSERA_ERROR_MISMATCH,
                      "the device 'cuda' was built for another version of libtessera");
  tessera_status status = tr_cuda_driver_open(host, &driver);
  if (status)
    return status;
  pthread_mutex_lock(&the_process.lock);
  status = open_seat(host, driver, seat, &cuda);
  pthread_mutex_unlock(&the_process.lock);
  if (!status)
    *device = &cuda->table;
  return status;
}
