/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of functions behind which tensors' memory lies: whoever does not stand behind it never
 * follows an address of a tensor. It knows memory and element types; it must not know ranks,
 * groups, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_PLANES_DEVICE_H
#define TESSERA_RUNTIME_PLANES_DEVICE_H

#include "tessera/device.h"
#include "tessera/runtime.h"

#include "memory/blocks.h"
#include "planes/product.h"
#include "planes/program_life.h"
#include "tensors/copy.h"
#include "tensors/view.h"
#include "threads/pool.h"

/* Changes whenever anything in this header does: devices may be modules that are loaded. */
enum { TR_DEVICE_VERSION = 6 };

/* How the values of several members become one: `count` elements of each, in order. */
typedef struct tr_combination {
  tessera_dtype input;       /* of the pieces */
  tessera_dtype accumulator; /* what is added up */
  tessera_dtype output;
  tessera_reduction reduction;
  int32_t members;
  int64_t divisor; /* of the result, integers towards zero; 0: none */
  int64_t count;
} tr_combination;

/* A point in a stream, up to which work may be waited for. */
typedef struct tr_event tr_event;

/* What a rank keeps for its products and convolutions: memory to work in, and what libraries have
 * made ready. Used by one thread at a time. */
typedef struct tr_workspace tr_workspace;

typedef enum tr_trim { TR_TRIM_UNUSED, TR_TRIM_ALL } tr_trim;

/* Streams of a device: the one in which everything is done in program order, and one beside it, for
 * transfers that go on while the device computes. */
typedef enum tr_stream_use { TR_STREAM_OWN, TR_STREAM_ASIDE } tr_stream_use;

/* `tessera_device` of tessera/program.h. */
typedef struct tessera_device tr_device;

/* Memory that `allocate` and compiled programs give lies on the device; what is said to be on the
 * host, and every description of work, does not. Work is done in the order of a stream, and may go
 * on after its function has returned; `stream` NULL is the device's own one. What can fail returns
 * a status, with a message, or NULL where memory is exhausted. Memory is allocated and released in
 * the order of the own stream.
 */
struct tessera_device {
  uint32_t version; /* TR_DEVICE_VERSION */
  const char *name;
  int32_t ordinal; /* of the accelerator, among those that its driver lists; -1: it is none */
  int32_t count;   /* of accelerators that the ranks of this host may use; 0: it is none */
  /* Of the programs whose tensors lie here: tessera_device_code has it. NULL: of those whose code
   * runs on the host, and follows the addresses that `reach` gives. */
  const char *target;

  /* ---- memory ---- */

  /* 64-byte aligned, at least one byte. It is in `ring` until it is released or leaves that; NULL:
   * in none. Any thread. */
  void *(*allocate)(const tr_device *device, size_t bytes, tr_blocks *ring);
  void (*release)(const tr_device *device, void *memory);
  void (*release_all)(const tr_device *device, tr_blocks *ring);
  /* Of the released memory that waits to be used again, gives back what `window` ended calls of
   * programs did without; or all of it. */
  void (*end_call)(const tr_device *device, int32_t window);
  void (*drop)(const tr_device *device);

  /* ---- bytes ---- */

  /* From device to device: addresses are those of the elements at index 0, ..., 0. */
  void (*copy)(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
               const char *from, char *to);
  /* `count` elements of `size` bytes become the one on the host. */
  void (*fill)(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
               int64_t count, char *to);
  /* `count` contiguous elements, of types that tr_can_convert allows: floats are rounded once, to
   * nearest even, integers cut to their low bits. i1 counts as 0 or 1. No overlap. */
  void (*convert)(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                  const char *from, tessera_dtype to_type, char *to, int64_t count);
  /* Dense pieces of all members, in order, to dense `output`, which may be one of them. */
  void (*combine)(const tr_device *device, tessera_stream *stream,
                  const tr_combination *combination, char *const *pieces, char *output);
  /* Between host and device: the host's memory may change, or is written, when the stream has come
   * so far. */
  void (*upload)(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                 const char *host, char *to);
  void (*download)(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                   const char *from, char *host);

  /* ---- products ---- */

  /* Sizes fit, and sums of products have a meaning for the types. */
  tessera_status (*gemm)(const tr_device *device, tessera_stream *stream, tr_workspace *workspace,
                         const tr_product *product);
  bool adds_to_products; /* a residual, a bias, an activation; or else products have none */
  tessera_status (*conv)(const tr_device *device, tessera_stream *stream, tr_workspace *workspace,
                         const tr_conv *conv);
  /* For a rank that may use so many threads of the host: those of `pool`, and a library's own. NULL
   * if memory is exhausted. */
  tr_workspace *(*open_workspace)(const tr_device *device, int32_t threads, tr_pool *pool);
  void (*trim_workspace)(const tr_device *device, tr_workspace *workspace, tr_trim what);
  void (*close_workspace)(const tr_device *device, tr_workspace *workspace);

  /* ---- streams ---- */

  /* As the accelerator's driver knows it (a CUstream). NULL where `stream` is NULL too, and where
   * the device has failed. */
  tessera_stream *(*stream)(const tr_device *device, tr_stream_use use);
  /* What the stream has been given so far; `await` returns when it is done, and gives the event
   * back. NULL where work is done when its function returns. */
  tr_event *(*record)(const tr_device *device, tessera_stream *stream);
  void (*await)(const tr_device *device, tr_event *event);
  /* What the stream is given from now on begins after the event, which may be that of another
   * device of this kind; nobody waits. NULL where `record` returns none. */
  void (*follow)(const tr_device *device, tessera_stream *stream, const tr_event *event);
  /* Gives an event back to whom recorded it, without waiting; NULL as `follow`. Any thread. */
  void (*forget)(const tr_device *device, tr_event *event);
  /* Whether the event has come; NULL as `follow`. Any thread. */
  bool (*has_come)(const tr_device *device, const tr_event *event);
  /* As `record`, with the time at which it comes; and the seconds from one to another of one
   * stream, which waits for them and gives both back. False if the device has failed. NULL where
   * `record` returns none. */
  tr_event *(*record_time)(const tr_device *device, tessera_stream *stream);
  bool (*time_between)(const tr_device *device, tr_event *from, tr_event *to, double *seconds);
  /* What failed in work that was given before and has been done so far; a device that has failed
   * does no more. NULL: nothing fails after its function has returned. */
  tessera_status (*check)(const tr_device *device);
  /* Work that another library gave a stream has failed: the device does no more, and `check` says
   * why. NULL where no library does that. Any thread. */
  void (*fail)(const tr_device *device, tessera_status status, const char *message);

  /* ---- code: NULL where `target` is ---- */

  /* Loads the modules and constants of a program before its first call. Rows of its tables are
   * known by their addresses, those of an earlier program there are forgotten; what is kept for a
   * program whose life has ended is given back. */
  tessera_status (*attach)(const tr_device *device, const tessera_device_code *code, tr_life *life);
  /* As tessera_rt_launch, for `blocks` that are not 0. */
  tessera_status (*launch)(const tr_device *device, tessera_stream *stream,
                           const tessera_kernel *kernel, const int64_t *blocks,
                           void *const *arguments);
  /* NULL with a message where the program is not attached. */
  void *(*constant)(const tr_device *device, const tessera_constant *constant);

  /* ---- addresses ---- */

  /* The address under which others in this process, MPI or compiled code, use memory of the device,
   * and the device's own for one that they give, which may be its own already. NULL: they are the
   * same. */
  char *(*reach)(const tr_device *device, char *memory);
  char *(*regain)(const tr_device *device, char *memory);

  /* ---- end ---- */

  /* A context uses it no more; memory may still be released. NULL: nothing is to be done. */
  void (*close)(const tr_device *device);
};

/* What failed on the device so far. */
static inline tessera_status tr_device_check(const tr_device *device) {
  return device->check ? device->check(device) : TESSERA_OK;
}

/* Until the stream has done all that it was given; fails if that did. */
static inline tessera_status tr_device_settle(const tr_device *device, tessera_stream *stream) {
  tr_event *event = device->record(device, stream);
  if (event)
    device->await(device, event);
  return tr_device_check(device);
}

static inline tessera_stream *tr_device_stream(const tr_device *device, tr_stream_use use) {
  return device->stream ? device->stream(device, use) : NULL;
}

/* Of an event, or NULL. */
static inline void tr_device_follow(const tr_device *device, tessera_stream *stream,
                                    const tr_event *event) {
  if (event)
    device->follow(device, stream, event);
}

static inline void tr_device_forget(const tr_device *device, tr_event *event) {
  if (event)
    device->forget(device, event);
}

static inline char *tr_device_reach(const tr_device *device, char *memory) {
  return device->reach && memory ? device->reach(device, memory) : memory;
}

static inline char *tr_device_regain(const tr_device *device, char *memory) {
  return device->regain && memory ? device->regain(device, memory) : memory;
}

/* Zeros in `bytes` bytes. */
void tr_device_clear(const tr_device *device, tessera_stream *stream, char *to, size_t bytes);

/* What a loaded module may use of libtessera: the host is there for memory that it reaches. */
typedef struct tr_device_host {
  uint32_t version;
  const tr_device *device;
  tessera_status (*fail)(tessera_status status, const char *format, ...)
      __attribute__((format(printf, 2, 3)));
} tr_device_host;

/* Whose device it is to be: a rank among those on this host. */
typedef struct tr_device_seat {
  int32_t rank, ranks;
} tr_device_seat;

/* The function that a module exports as TR_DEVICE_SYMBOL: a device for a context, which may be the
 * same for all. The table stays as long as the process. */
typedef tessera_status (*tr_device_open)(const tr_device_host *host, const tr_device_seat *seat,
                                         const tr_device **device);
#define TR_DEVICE_SYMBOL "tessera_device_open"

#endif /* TESSERA_RUNTIME_PLANES_DEVICE_H */
