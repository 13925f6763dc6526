/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The functions of a CUDA driver, under their names, without a GPU: kernels are PTX that the host
 * runs. STANDIN_GPUS says how many GPUs there are, STANDIN_FAIL=KIND:N which call fails (the Nth
 * launch accesses memory that is none, or the Nth allocation finds none; N+: all from it on). It
 * must not know Tessera.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ptx.h"
#include "standin.h"

#define EXPORTED __attribute__((visibility("default")))

/* One call at a time: what the driver does is the same for the same seed and order of calls. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local const void *current; /* context */

typedef struct event {
  stream *stream; /* NULL: not recorded */
  uint64_t position;
  bool has_time;
} event;

typedef struct function {
  struct function *next;
  const ptx_kernel *kernel;
  int dynamic_shared; /* the most that a launch may ask for */
} function;

typedef struct module {
  ptx_module *code;
  function *functions;
  uint64_t *globals;
  int num_globals;
} module;

enum { MOST_GPUS = 16 };
static char contexts[MOST_GPUS]; /* their addresses are contexts, pools too */
static bool is_started;

static int num_gpus(void) {
  const char *given = getenv("STANDIN_GPUS");
  int count = given ? atoi(given) : 1;
  return count < MOST_GPUS ? count : MOST_GPUS;
}

/* The Nth call of this kind is to fail; "N+": all from it on. */
static bool is_to_fail(const char *kind, int *counter) {
  const char *wish = getenv("STANDIN_FAIL");
  size_t length = strlen(kind);
  ++*counter;
  if (!wish || strncmp(wish, kind, length) != 0 || wish[length] != ':')
    return false;
  int first = atoi(wish + length + 1);
  return first == *counter || (first < *counter && wish[strlen(wish) - 1] == '+');
}

/* Begins a call that needs a context; with the lock. */
static int begin(void) {
  pthread_mutex_lock(&lock);
  stream_chance();
  if (stream_error)
    return stream_error;
  return current ? OK : INVALID_CONTEXT;
}

static int end(int result) {
  pthread_mutex_unlock(&lock);
  return result;
}

static void *make(size_t bytes) {
  void *made = calloc(1, bytes);
  if (!made)
    abort();
  return made;
}

/* ---- devices --------------------------------------------------------------------------------- */

EXPORTED int cuInit(unsigned flags) {
  is_started = true;
  return flags ? INVALID_VALUE : OK;
}

EXPORTED int cuDriverGetVersion(int *version) {
  const char *given = getenv("STANDIN_VERSION");
  *version = given ? atoi(given) : 12040;
  return OK;
}

EXPORTED int cuDeviceGetCount(int *count) {
  *count = num_gpus();
  return is_started ? OK : 3;
}

EXPORTED int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal >= 0 && ordinal < num_gpus() ? OK : INVALID_DEVICE;
}

EXPORTED int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 115; /* memory pools */
  return OK;
}

EXPORTED int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  *can = device != peer && !getenv("STANDIN_APART");
  return OK;
}

EXPORTED int cuDeviceGetDefaultMemPool(void **pool, int device) {
  *pool = &contexts[device];
  return OK;
}

EXPORTED int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &contexts[device];
  return OK;
}

EXPORTED int cuCtxSetCurrent(void *context) {
  current = context;
  return OK;
}

EXPORTED int cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
  (void)value;
  return pool && attribute == 4 ? OK : INVALID_VALUE;
}

EXPORTED int cuMemPoolSetAccess(void *pool, const void *accesses, size_t count) {
  return pool && accesses && count == 1 ? OK : INVALID_VALUE;
}

EXPORTED int cuMemPoolTrimTo(void *pool, size_t kept) {
  (void)kept;
  return pool ? OK : INVALID_VALUE;
}

EXPORTED int cuGetErrorName(int error, const char **name) {
  static const struct {
    int error;
    const char *name;
  } names[] = {{OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
               {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
               {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
               {INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
               {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
               {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  *name = "CUDA_ERROR_UNKNOWN";
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (names[i].error == error)
      *name = names[i].name;
  return OK;
}

EXPORTED int cuGetErrorString(int error, const char **text) {
  *text = error == stream_error && stream_message[0] ? stream_message : "as the name says";
  return OK;
}

/* ---- streams and events ---------------------------------------------------------------------- */

EXPORTED int cuStreamCreate(void **created, unsigned flags) {
  int result = begin();
  stream *made = make(sizeof(*made));
  (void)flags;
  stream_add(made);
  *created = made;
  return end(result);
}

/* Which wait is left out, for tests that see a wrong answer then; counted from 1. */
static int left_out, num_waits, num_host_waits;

EXPORTED void standin_leave_out(int number) {
  left_out = number;
  num_waits = num_host_waits = 0;
}

EXPORTED int standin_waits(void) {
  return num_waits;
}

static bool is_left_out(void) {
  return ++num_waits == left_out;
}

EXPORTED int standin_host_waits(void) {
  return num_host_waits;
}

EXPORTED int cuStreamSynchronize(void *waited) {
  int result = begin();
  stream *stream = waited;
  num_host_waits++;
  if (!result && !is_left_out())
    stream_wait(stream, stream->given);
  return end(result ? result : stream_error);
}

EXPORTED int cuEventCreate(void **created, unsigned flags) {
  enum { WITHOUT_TIME = 2 };
  event *made = make(sizeof(*made));
  made->has_time = !(flags & WITHOUT_TIME);
  *created = made;
  return current ? OK : INVALID_CONTEXT;
}

EXPORTED int cuEventRecord(void *recorded, void *in) {
  int result = begin();
  event *event = recorded;
  event->stream = in;
  event->position = event->stream->given;
  return end(result);
}

EXPORTED int cuEventSynchronize(void *waited) {
  int result = begin();
  event *event = waited;
  num_host_waits++;
  if (!result && event->stream && !is_left_out())
    stream_wait(event->stream, event->position);
  return end(result ? result : stream_error);
}

typedef struct wait_work {
  work work;
  event event; /* as it was recorded when the wait was given */
} wait_work;

static int run_wait(work *self) {
  const event *event = &((wait_work *)self)->event;
  if (!stream_try(event->stream, event->position))
    return LATER;
  free(self);
  return OK;
}

EXPORTED int cuStreamWaitEvent(void *waits, void *waited, unsigned flags) {
  int result = begin();
  const event *event = waited;
  if (!result && flags)
    result = INVALID_VALUE;
  if (!result && event->stream && !is_left_out()) {
    wait_work *given = make(sizeof(*given));
    *given = (wait_work){{.run = run_wait}, *event};
    stream_give(waits, &given->work);
  }
  return end(result);
}

EXPORTED int cuEventQuery(void *asked) {
  int result = begin();
  const event *event = asked;
  if (!result && event->stream && event->stream->done < event->position)
    result = NOT_READY;
  return end(result ? result : stream_error);
}

/* Each piece of work takes a microsecond. */
EXPORTED int cuEventElapsedTime(float *milliseconds, const void *from, const void *to) {
  int result = begin();
  const event *first = from, *last = to;
  if (!result && (!first->has_time || !last->has_time || !first->stream || !last->stream))
    result = INVALID_HANDLE;
  else if (!result &&
           (first->stream->done < first->position || last->stream->done < last->position))
    result = NOT_READY;
  else if (!result)
    *milliseconds = 1e-3f * (float)(last->position - first->position);
  return end(result ? result : stream_error);
}

EXPORTED int cuEventDestroy_v2(void *event) {
  free(event);
  return OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct memory_work {
  work work;
  uint64_t address;
} memory_work;

static int illegal(const char *what, uint64_t address, size_t bytes) {
  if (!stream_message[0])
    snprintf(stream_message, sizeof(stream_message), "%s of %zu bytes at 0x%llx", what, bytes,
             (unsigned long long)address);
  return ILLEGAL_ADDRESS;
}

static int run_begin(work *self) {
  memory_begin(((memory_work *)self)->address);
  free(self);
  return OK;
}

static int run_end(work *self) {
  uint64_t address = ((memory_work *)self)->address;
  free(self);
  return memory_end(address) ? OK : illegal("a release", address, 0);
}

static void give_memory_work(stream *stream, uint64_t address, int (*run)(work *)) {
  memory_work *given = make(sizeof(*given));
  *given = (memory_work){{.run = run}, address};
  stream_give(stream, &given->work);
}

EXPORTED int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  static int counter;
  int result = begin();
  if (!result && is_to_fail("memory", &counter))
    result = OUT_OF_MEMORY;
  if (!result) {
    *address = memory_reserve(bytes);
    result = *address ? OK : OUT_OF_MEMORY;
  }
  if (!result)
    give_memory_work(stream, *address, run_begin);
  return end(result);
}

EXPORTED int cuMemFreeAsync(uint64_t address, void *stream) {
  int result = begin();
  if (!result)
    give_memory_work(stream, address, run_end);
  return end(result);
}

/* For tests that look at memory of the device from the host. */
EXPORTED void standin_adopt(void *memory, size_t bytes) {
  pthread_mutex_lock(&lock);
  if (bytes > 0)
    memory_adopt(memory, bytes);
  pthread_mutex_unlock(&lock);
}

EXPORTED void standin_forget(void *memory, size_t bytes) {
  (void)bytes;
  pthread_mutex_lock(&lock);
  memory_end((uint64_t)(uintptr_t)memory | DEVICE_TAG);
  pthread_mutex_unlock(&lock);
}

void stream_pause(void) {
  enum { PAUSE = 20 }; /* microseconds */
  pthread_mutex_unlock(&lock);
  usleep(PAUSE);
  pthread_mutex_lock(&lock);
}

EXPORTED void standin_progress(void) {
  pthread_mutex_lock(&lock);
  stream_progress();
  pthread_mutex_unlock(&lock);
}

EXPORTED int standin_gpu(void) {
  return current ? (int)((const char *)current - contexts) : -1;
}

/* For libraries that give streams work of their own. */
EXPORTED void standin_give(void *stream, work *work) {
  pthread_mutex_lock(&lock);
  stream_give(stream, work);
  pthread_mutex_unlock(&lock);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Addresses of the host are without the tag. */
typedef struct copy_work {
  work work;
  uint64_t from, to;
  size_t bytes;
  int value; /* of a fill; -1: it is a copy */
} copy_work;

static char *side(uint64_t address, size_t bytes) {
  return address & DEVICE_TAG ? device_memory(address, bytes) : (char *)(uintptr_t)address;
}

static int run_copy(work *self) {
  copy_work copy = *(copy_work *)self;
  free(self);
  if (stream_error)
    return OK;
  char *to = side(copy.to, copy.bytes);
  const char *from = copy.value >= 0 ? to : side(copy.from, copy.bytes);
  if (!to || !from)
    return illegal(to ? "a read" : "a write", to ? copy.from : copy.to, copy.bytes);
  if (copy.value >= 0)
    memset(to, copy.value, copy.bytes);
  else
    memcpy(to, from, copy.bytes);
  return OK;
}

static int give_copy(void *stream, uint64_t from, uint64_t to, size_t bytes, int value) {
  int result = begin();
  copy_work *given = make(sizeof(*given));
  *given = (copy_work){{.run = run_copy}, from, to, bytes, value};
  if (result)
    free(given);
  else
    stream_give(stream, &given->work);
  return end(result);
}

EXPORTED int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  if (!(to & DEVICE_TAG) || (uintptr_t)from & DEVICE_TAG)
    return INVALID_VALUE;
  return give_copy(stream, (uintptr_t)from, to, bytes, -1);
}

EXPORTED int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  if (!(from & DEVICE_TAG) || (uintptr_t)to & DEVICE_TAG)
    return INVALID_VALUE;
  return give_copy(stream, from, (uintptr_t)to, bytes, -1);
}

EXPORTED int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  if (!(from & DEVICE_TAG) || !(to & DEVICE_TAG))
    return INVALID_VALUE;
  return give_copy(stream, from, to, bytes, -1);
}

EXPORTED int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  return to & DEVICE_TAG ? give_copy(stream, to, to, bytes, value) : INVALID_VALUE;
}

/* ---- code ------------------------------------------------------------------------------------ */

static module *loading;

static uint64_t place_global(const void *data, size_t bytes) {
  uint64_t address = memory_reserve(bytes);
  memory_begin(address);
  char *memory = device_memory(address, bytes);
  if (data)
    memcpy(memory, data, bytes);
  else
    memset(memory, 0, bytes);
  uint64_t *globals =
      realloc(loading->globals, sizeof(uint64_t) * (size_t)(loading->num_globals + 1));
  if (!globals)
    abort();
  loading->globals = globals;
  loading->globals[loading->num_globals++] = address;
  return address;
}

static void say(unsigned count, const int *options, void **values, const char *message) {
  enum { LOG = 5, LOG_BYTES = 6 };
  char *log = NULL;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == LOG)
      log = values[i];
    if (options[i] == LOG_BYTES)
      bytes = (size_t)(uintptr_t)values[i];
  }
  if (log && bytes > 0)
    snprintf(log, bytes, "%s", message);
}

EXPORTED int cuModuleLoadDataEx(void **loaded, const void *image, unsigned count, int *options,
                                void **values) {
  char message[512] = "";
  int result = begin();
  module *made = make(sizeof(*made));
  loading = made;
  if (!result)
    made->code = memcmp(image, "\177ELF", 4) == 0
                     ? NULL
                     : ptx_parse(image, place_global, message, sizeof(message));
  if (!result && !made->code) {
    say(count, options, values, message);
    result = message[0] ? INVALID_PTX : 209; /* no binary for this GPU */
  }
  if (result) {
    free(made->globals);
    free(made);
  } else {
    *loaded = made;
  }
  return end(result);
}

EXPORTED int cuModuleUnload(void *unloaded) {
  int result = begin();
  module *module = unloaded;
  for (function *at = module->functions, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  for (int i = 0; i < module->num_globals; i++)
    memory_end(module->globals[i]);
  free(module->globals);
  ptx_free(module->code);
  free(module);
  return end(result);
}

EXPORTED int cuModuleGetFunction(void **found, void *in, const char *name) {
  int result = begin();
  module *module = in;
  const ptx_kernel *kernel = result ? NULL : ptx_find(module->code, name);
  if (!result && !kernel)
    result = NOT_FOUND;
  if (!result) {
    function *made = make(sizeof(*made));
    *made = (function){module->functions, kernel, 48 << 10};
    module->functions = made;
    *found = made;
  }
  return end(result);
}

EXPORTED int cuFuncSetAttribute(void *set, int attribute, int value) {
  enum { DYNAMIC_SHARED = 8, MOST = 227 << 10 };
  if (attribute != DYNAMIC_SHARED || value > MOST)
    return INVALID_VALUE;
  ((function *)set)->dynamic_shared = value;
  return OK;
}

typedef struct launch_work {
  work work;
  ptx_launch launch;
  bool fails;
  char parameters[];
} launch_work;

static int run_launch(work *self) {
  launch_work *work = (launch_work *)self;
  char message[512] = "it was asked for";
  bool done = stream_error || (!work->fails && ptx_run(&work->launch, message, sizeof(message)));
  free(self);
  if (done)
    return OK;
  snprintf(stream_message, sizeof(stream_message), "%s", message);
  return ILLEGAL_ADDRESS;
}

EXPORTED int cuLaunchKernel(void *launched, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                            unsigned threads_x, unsigned threads_y, unsigned threads_z,
                            unsigned shared_bytes, void *stream, void **arguments, void **extra) {
  static int counter;
  int result = begin();
  function *function = launched;
  const ptx_kernel *kernel = function->kernel;
  uint64_t threads = (uint64_t)threads_x * threads_y * threads_z;
  if (!result &&
      (extra || threads == 0 || threads > 1024 || blocks_x == 0 || blocks_y == 0 || blocks_z == 0 ||
       blocks_y > 65535 || blocks_z > 65535 || (int)shared_bytes > function->dynamic_shared))
    result = INVALID_VALUE;
  if (result)
    return end(result);
  launch_work *given = make(sizeof(*given) + kernel->parameter_bytes);
  given->work.run = run_launch;
  given->fails = is_to_fail("launch", &counter);
  given->launch = (ptx_launch){.kernel = kernel,
                               .blocks = {blocks_x, blocks_y, blocks_z},
                               .threads = {threads_x, threads_y, threads_z},
                               .shared_bytes = shared_bytes,
                               .parameters = given->parameters};
  for (int32_t i = 0; i < kernel->num_parameters; i++)
    memcpy(given->parameters + kernel->parameters[i].offset, arguments[i],
           kernel->parameters[i].bytes);
  stream_give(stream, &given->work);
  return end(OK);
}
