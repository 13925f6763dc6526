/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rank threads, descriptors and reports for the runtime's tests.
 * It must not know what is tested. */
#include "harness.h"
#include "tag.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

void fail_test(const char *format, ...) {
  enum { MOST_PRINTED = 20 };
  if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) > MOST_PRINTED)
    return;
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s\n", text);
}

int failed_here(void) {
  return failures;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

typedef struct local_rank {
  pthread_t thread;
  tessera_context *context;
  rank_function function;
  void *data;
} local_rank;

static void *run_thread(void *argument) {
  local_rank *rank = argument;
  tessera_context_set_current(rank->context);
  rank->function(tessera_context_rank(rank->context), tessera_context_size(rank->context),
                 rank->data);
  tessera_context_set_current(NULL);
  return NULL;
}

void run_local(int32_t ranks, rank_function function, void *data) {
  tessera_context **contexts = calloc((size_t)ranks, sizeof(*contexts));
  local_rank *all = calloc((size_t)ranks, sizeof(*all));
  if (!contexts || !all || tessera_local_create(ranks, contexts) != TESSERA_OK) {
    fail_test("no local ranks: %s", tessera_last_error());
    exit(1);
  }
  for (int32_t i = 0; i < ranks; i++) {
    all[i] = (local_rank){.context = contexts[i], .function = function, .data = data};
    if (pthread_create(&all[i].thread, NULL, run_thread, &all[i]) != 0)
      exit(1);
  }
  for (int32_t i = 0; i < ranks; i++)
    pthread_join(all[i].thread, NULL);
  tessera_local_destroy(ranks, contexts);
  free(all);
  free(contexts);
}

bool under_mpi(void) {
  return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMIX_RANK") ||
         getenv("MASTER_ADDR");
}

int32_t run_here(rank_function function, void *data) {
  tessera_context *context;
  if (tessera_default_context(&context) != TESSERA_OK) {
    fprintf(stderr, "no default context: %s\n", tessera_last_error());
    exit(1);
  }
  int32_t size = tessera_context_size(context);
  if (function)
    function(tessera_context_rank(context), size, data);
  return size;
}

/* Every rank adds its failures; each must arrive here for the sum to be there. */
static int sum_failures(void) {
  tessera_context *context;
  if (!under_mpi() || tessera_default_context(&context) != TESSERA_OK)
    return failures;
  int64_t extent = tessera_context_size(context);
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "all", &extent};
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_QUERY,
                       .name = "failures",
                       .location = "",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .index = -1};
  return (int)tessera_rt_sum_size(&site, failures);
}

int finish_tests(void) {
  int all = sum_failures();
  bool ends_well = tessera_finalize() == TESSERA_OK; /* else calls have differed between ranks */
  if (!ends_well)
    fprintf(stderr, "at the end: %s\n", tessera_last_error());
  if (all)
    fprintf(stderr, "%d expectations failed\n", all);
  return all || !ends_well ? 1 : 0;
}

/* ---- errors ---------------------------------------------------------------------------------- */

tessera_status attempt(caught *caught, void (*function)(void *), void *argument) {
  tessera_status status = tessera_attempt(tessera_context_current(), function, argument);
  snprintf(caught->message, sizeof(caught->message), "%s", status ? tessera_last_error() : "");
  return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes that malloc has given out. AddressSanitizer has a malloc of its own, of which glibc's
 * numbers say nothing; and glibc's, asked from a thread while it is not in use, ends the process.
 */
#if defined(__SANITIZE_ADDRESS__)
size_t __sanitizer_get_current_allocated_bytes(void);
int64_t bytes_in_use(void) {
  return (int64_t)__sanitizer_get_current_allocated_bytes();
}
#else
int64_t bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#endif

/* ---- memory of a device -----------------------------------------------------------------------
 */

/* What is used of the driver of GPUs; of the one in test/cuda, its own two functions, by which
 * memory of the host is the device's as well. */
typedef struct gpu_driver {
  void (*adopt)(void *memory, size_t bytes);
  void (*forget)(void *memory, size_t bytes);
  int (*retain)(void **context, int device);
  int (*enter)(void *context);
  int (*allocate)(void **memory, size_t bytes, unsigned flags);
  int (*release)(void *memory);
} gpu_driver;

static void *driver_symbol(void *library, const char *name) {
  return library ? dlsym(library, name) : NULL;
}

#define FIND(library, member, name)                                                                \
  do {                                                                                             \
    void *symbol = driver_symbol(library, name);                                                   \
    memcpy(&(member), &symbol, sizeof(symbol));                                                    \
  } while (0)

static gpu_driver gpu;
static void *gpu_context;

static void open_gpu(void) {
  const char *device = getenv("TESSERA_DEVICE");
  if (!device || strcmp(device, "cuda") != 0)
    return;
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  int (*start)(unsigned flags);
  FIND(library, start, "cuInit");
  FIND(library, gpu.adopt, "standin_adopt");
  FIND(library, gpu.forget, "standin_forget");
  FIND(library, gpu.retain, "cuDevicePrimaryCtxRetain");
  FIND(library, gpu.enter, "cuCtxSetCurrent");
  FIND(library, gpu.allocate, "cuMemHostAlloc");
  FIND(library, gpu.release, "cuMemFreeHost");
  if (gpu.adopt)
    return;
  if (!start || !gpu.retain || !gpu.enter || !gpu.allocate || !gpu.release || start(0) ||
      gpu.retain(&gpu_context, 0)) {
    fprintf(stderr, "TESSERA_DEVICE=cuda needs a GPU, or the driver of test/cuda\n");
    exit(1);
  }
}

static const gpu_driver *the_gpu(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_gpu);
  return &gpu;
}

static bool on_gpu(void) {
  const gpu_driver *driver = the_gpu();
  return driver->adopt || driver->allocate;
}

/* Of the host and of the device: pages that a GPU reaches at the same address, or what the driver
 * without a GPU takes for its own. */
static void *take_memory(size_t bytes) {
  const gpu_driver *driver = the_gpu();
  enum { ALL_CONTEXTS_MAPPED = 3 };
  void *memory = NULL;
  if (!driver->allocate || driver->adopt)
    memory = tessera_alloc(bytes);
  else if (driver->enter(gpu_context) ||
           driver->allocate(&memory, bytes ? bytes : 1, ALL_CONTEXTS_MAPPED)) {
    fprintf(stderr, "no memory of %zu bytes that a GPU reaches\n", bytes);
    exit(1);
  }
  memset(memory, 0xa5, bytes);
  if (driver->adopt)
    driver->adopt(memory, bytes);
  return memory;
}

static void give_memory(void *memory) {
  const gpu_driver *driver = the_gpu();
  await_device();
  if (driver->adopt)
    driver->forget(memory, 0);
  if (!driver->allocate || driver->adopt)
    tessera_free(memory);
  else if (!driver->enter(gpu_context))
    driver->release(memory);
}

/* ---- tensors --------------------------------------------------------------------------------- */

static int64_t set_strides(memref *memref, int32_t rank, arrangement arrangement) {
  int64_t span = 1;
  for (int32_t k = 0; k < rank; k++) {
    int32_t i = arrangement == TRANSPOSED ? k : rank - 1 - k;
    if (arrangement == WITH_GAPS)
      span = span * (k == 0 ? 2 : 1) + (k == 0 ? 0 : 3);
    memref->dims[rank + i] = span;
    span *= memref->dims[i] ? memref->dims[i] : 1;
  }
  return span;
}

memref memref_create(int32_t rank, const int64_t *shape, size_t element, arrangement arrangement) {
  memref result = {.offset = arrangement == WITH_GAPS ? 5 : 0};
  for (int32_t i = 0; i < rank; i++)
    result.dims[i] = shape[i];
  size_t bytes = (size_t)(set_strides(&result, rank, arrangement) + result.offset) * element;
  result.allocated = result.aligned = take_memory(bytes);
  return result;
}

void memref_destroy(memref *memref) {
  give_memory(memref->allocated);
}

memref on_device(const memref *memref) {
  const char *device = getenv("TESSERA_DEVICE");
  struct memref result = *memref;
  if (device && (strcmp(device, "tagged") == 0 || the_gpu()->adopt))
    result.aligned = (char *)((uintptr_t)result.aligned | DEVICE_TAG);
  return result;
}

void await_device(void) {
  if (on_gpu())
    tessera_synchronize(tessera_context_current());
}

char *memref_at(const memref *memref, int32_t rank, size_t element, int64_t index) {
  int64_t position = memref->offset;
  for (int32_t i = rank - 1; i >= 0; i--) {
    position += index % memref->dims[i] * memref->dims[rank + i];
    index /= memref->dims[i];
  }
  return memref->aligned + position * (int64_t)element;
}

int64_t memref_elements(const memref *memref, int32_t rank) {
  int64_t elements = 1;
  for (int32_t i = 0; i < rank; i++)
    elements *= memref->dims[i];
  return elements;
}

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
