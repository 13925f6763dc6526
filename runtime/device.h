/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of functions behind which tensors' memory lies: whoever does not stand behind it never
 * follows an address of a tensor. It knows memory and element types; it must not know ranks,
 * groups, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_DEVICE_H
#define TESSERA_RUNTIME_DEVICE_H

#include "tessera/runtime.h"

#include "copy.h"
#include "view.h"

/* Changes whenever anything in this header does: devices may be modules that are loaded. */
enum { TR_DEVICE_VERSION = 1 };

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

typedef struct tr_device tr_device;

/* Memory that `allocate` and compiled programs give lies on the device; what is said to be on the
 * host, and every description of work, does not. Work is done in the order of a stream, and may go
 * on after its function has returned; `stream` NULL is the device's own one. Only `allocate` fails.
 */
struct tr_device {
  uint32_t version; /* TR_DEVICE_VERSION */
  const char *name;

  /* 64-byte aligned; NULL if memory is exhausted. Any thread. */
  void *(*allocate)(const tr_device *device, size_t bytes);
  void (*release)(const tr_device *device, void *memory);

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
  /* Between host and device. */
  void (*upload)(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                 const char *host, char *to);
  void (*download)(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                   const char *from, char *host);

  /* What the stream has been given so far; `await` returns when it is done, and gives the event
   * back. NULL where work is done when its function returns. */
  tr_event *(*record)(const tr_device *device, tessera_stream *stream);
  void (*await)(const tr_device *device, tr_event *event);

  /* The address under which another library of this process, MPI say, can use memory of the device.
   * NULL: its own address. */
  char *(*reach)(const tr_device *device, char *memory);
};

/* Until the stream has done all that it was given. */
static inline void tr_device_settle(const tr_device *device, tessera_stream *stream) {
  tr_event *event = device->record(device, stream);
  if (event)
    device->await(device, event);
}

static inline char *tr_device_reach(const tr_device *device, char *memory) {
  return device->reach ? device->reach(device, memory) : memory;
}

/* Copies all elements between two views of one shape that do not overlap. */
void tr_device_copy_view(const tr_device *device, tessera_stream *stream, const tr_view *from,
                         const tr_view *to);

/* What a loaded module may use of libtessera. */
typedef struct tr_device_host {
  uint32_t version;
  tessera_status (*fail)(tessera_status status, const char *format, ...)
      __attribute__((format(printf, 2, 3)));
} tr_device_host;

/* The function that a module exports as TR_DEVICE_SYMBOL. The table stays as long as the process.
 */
typedef tessera_status (*tr_device_open)(const tr_device_host *host, const tr_device **device);
#define TR_DEVICE_SYMBOL "tessera_device_open"

#endif /* TESSERA_RUNTIME_DEVICE_H */
