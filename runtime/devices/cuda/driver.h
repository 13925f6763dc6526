/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is used of the CUDA driver, which is opened at run time: declared here, so that building
 * needs no CUDA. It must not know what it is used for. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_DRIVER_H
#define TESSERA_RUNTIME_DEVICES_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "planes/device.h"

/* 11.2 has memory that is allocated in the order of a stream. */
enum { CUDA_VERSION_NEEDED = 11020 };

typedef int cuda_result;
typedef int cuda_device;
typedef uint64_t cuda_address;
typedef struct CUctx_st *cuda_context;
typedef struct CUstream_st *cuda_stream;
typedef struct CUevent_st *cuda_event;
typedef struct CUmod_st *cuda_module;
typedef struct CUfunc_st *cuda_function;
typedef struct CUmemPoolHandle_st *cuda_pool;

enum { CUDA_OK = 0, CUDA_NO_MEMORY = 2, CUDA_NO_DEVICE = 100, CUDA_NOT_READY = 600 };

/* Attributes and flags, under the driver's numbers. */
enum {
  CUDA_DEVICE_HAS_POOLS = 115,
  CUDA_POOL_RELEASE_THRESHOLD = 4,
  CUDA_STREAM_NON_BLOCKING = 1,
  CUDA_EVENT_WITHOUT_TIME = 2,
  CUDA_JIT_ERROR_LOG = 5,
  CUDA_JIT_ERROR_LOG_BYTES = 6,
  CUDA_FUNCTION_DYNAMIC_SHARED = 8,
  CUDA_LOCATION_DEVICE = 1,
  CUDA_ACCESS_READ_WRITE = 3
};

typedef struct cuda_access {
  int location, id; /* CUDA_LOCATION_DEVICE, its ordinal */
  int flags;
} cuda_access;

/* clang-format off */
#define TR_CUDA_FUNCTIONS(ROW)                                                                     \
  ROW(init, cuInit, (unsigned flags))                                                              \
  ROW(version, cuDriverGetVersion, (int *version))                                                 \
  ROW(count_devices, cuDeviceGetCount, (int *count))                                               \
  ROW(get_device, cuDeviceGet, (cuda_device *device, int ordinal))                                 \
  ROW(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, cuda_device device))     \
  ROW(can_access, cuDeviceCanAccessPeer, (int *can, cuda_device device, cuda_device peer))         \
  ROW(default_pool, cuDeviceGetDefaultMemPool, (cuda_pool *pool, cuda_device device))              \
  ROW(retain_context, cuDevicePrimaryCtxRetain, (cuda_context *context, cuda_device device))       \
  ROW(set_context, cuCtxSetCurrent, (cuda_context context))                                        \
  ROW(set_pool_attribute, cuMemPoolSetAttribute, (cuda_pool pool, int attribute, void *value))     \
  ROW(set_pool_access, cuMemPoolSetAccess,                                                         \
      (cuda_pool pool, const cuda_access *accesses, size_t count))                                 \
  ROW(trim_pool, cuMemPoolTrimTo, (cuda_pool pool, size_t kept))                                   \
  ROW(allocate, cuMemAllocAsync, (cuda_address *memory, size_t bytes, cuda_stream stream))         \
  ROW(release, cuMemFreeAsync, (cuda_address memory, cuda_stream stream))                          \
  ROW(upload, cuMemcpyHtoDAsync_v2,                                                                \
      (cuda_address to, const void *from, size_t bytes, cuda_stream stream))                       \
  ROW(download, cuMemcpyDtoHAsync_v2,                                                              \
      (void *to, cuda_address from, size_t bytes, cuda_stream stream))                             \
  ROW(copy, cuMemcpyAsync,                                                                         \
      (cuda_address to, cuda_address from, size_t bytes, cuda_stream stream))                      \
  ROW(set_bytes, cuMemsetD8Async,                                                                  \
      (cuda_address to, unsigned char value, size_t bytes, cuda_stream stream))                    \
  ROW(create_stream, cuStreamCreate, (cuda_stream *stream, unsigned flags))                        \
  ROW(synchronize, cuStreamSynchronize, (cuda_stream stream))                                      \
  ROW(follow_event, cuStreamWaitEvent, (cuda_stream stream, cuda_event event, unsigned flags))     \
  ROW(create_event, cuEventCreate, (cuda_event *event, unsigned flags))                            \
  ROW(record_event, cuEventRecord, (cuda_event event, cuda_stream stream))                         \
  ROW(await_event, cuEventSynchronize, (cuda_event event))                                         \
  ROW(query_event, cuEventQuery, (cuda_event event))                                               \
  ROW(elapsed, cuEventElapsedTime, (float *milliseconds, cuda_event from, cuda_event to))          \
  ROW(destroy_event, cuEventDestroy_v2, (cuda_event event))                                        \
  ROW(load_module, cuModuleLoadDataEx,                                                             \
      (cuda_module *module, const void *image, unsigned count, int *options, void **values))       \
  ROW(unload_module, cuModuleUnload, (cuda_module module))                                         \
  ROW(get_function, cuModuleGetFunction,                                                           \
      (cuda_function *function, cuda_module module, const char *name))                             \
  ROW(set_function, cuFuncSetAttribute, (cuda_function function, int attribute, int value))        \
  ROW(launch, cuLaunchKernel,                                                                      \
      (cuda_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,            \
       unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,          \
       cuda_stream stream, void **arguments, void **extra))                                        \
  ROW(error_name, cuGetErrorName, (cuda_result error, const char **name))                          \
  ROW(error_text, cuGetErrorString, (cuda_result error, const char **text))
/* clang-format on */

#define TR_CUDA_MEMBER(name, symbol, parameters) cuda_result(*name) parameters;
typedef struct tr_cuda_driver {
  TR_CUDA_FUNCTIONS(TR_CUDA_MEMBER)
  int num_devices;
} tr_cuda_driver;
#undef TR_CUDA_MEMBER

/* Opens libcuda.so.1 once for the process and finds its devices; fails with one sentence that says
 * what is missing. Any thread. */
tessera_status tr_cuda_driver_open(const tr_device_host *host, const tr_cuda_driver **driver);

/* "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)" into `text`; returns
 * that. */
const char *tr_cuda_error(const tr_cuda_driver *driver, cuda_result error, char *text,
                          size_t capacity);

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_DRIVER_H */
