/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* NVIDIA GPUs as devices: each context has one of its own, a stream on a GPU that several may
 * share. It must not know groups or ranks. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_H
#define TESSERA_RUNTIME_DEVICES_CUDA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "devices/cuda/driver.h"
#include "devices/cuda/kernels/parameters.h"

/* The device's own kernels: a name, and which of the images has it. */
#define TR_CUDA_KERNELS(ROW)                                                                       \
  ROW(copy_1, move)                                                                                \
  ROW(copy_2, move)                                                                                \
  ROW(copy_4, move)                                                                                \
  ROW(copy_8, move)                                                                                \
  ROW(copy_16, move)                                                                               \
  ROW(fill_1, move)                                                                                \
  ROW(fill_2, move)                                                                                \
  ROW(fill_4, move)                                                                                \
  ROW(fill_8, move)                                                                                \
  ROW(fill_16, move)                                                                               \
  ROW(convert, move)                                                                               \
  ROW(combine_integers, combine)                                                                   \
  ROW(combine_f32, combine)                                                                        \
  ROW(combine_f64, combine)                                                                        \
  ROW(combine_c64, combine)                                                                        \
  ROW(combine_c128, combine)                                                                       \
  ROW(gemm_integers, product)                                                                      \
  ROW(gemm_f32, product)                                                                           \
  ROW(gemm_f64, product)                                                                           \
  ROW(gemm_c64, product)                                                                           \
  ROW(gemm_c128, product)                                                                          \
  ROW(addends, product)                                                                            \
  ROW(activate, product)                                                                           \
  ROW(conv_integers, product)                                                                      \
  ROW(conv_f32, product)                                                                           \
  ROW(conv_f64, product)                                                                           \
  ROW(conv_c64, product)                                                                           \
  ROW(conv_c128, product)

#define TR_CUDA_NUMBER(name, image) TR_CUDA_##name,
typedef enum tr_cuda_kernel { TR_CUDA_KERNELS(TR_CUDA_NUMBER) TR_CUDA_NUM_KERNELS } tr_cuda_kernel;
#undef TR_CUDA_NUMBER

enum { TR_CUDA_NUM_IMAGES = 3 };

/* A GPU of the process, once it is used: its primary context, which other libraries use too. */
typedef struct tr_cuda_gpu {
  int ordinal;
  cuda_device device;
  cuda_context context;
  cuda_pool pool;
  pthread_mutex_t lock; /* of what follows */
  cuda_module images[TR_CUDA_NUM_IMAGES];
  _Atomic(cuda_function) kernels[TR_CUDA_NUM_KERNELS]; /* NULL: not loaded yet */
} tr_cuda_gpu;

typedef struct tr_cuda_block tr_cuda_block;
typedef struct tr_cuda_program tr_cuda_program;

/* What has a row: kernels and constants of programs by the addresses of their records. */
typedef struct tr_cuda_row {
  const void *record;
  union {
    cuda_function function;
    char *memory;
  } of;
} tr_cuda_row;

/* Who was launched, in words that outlive the program. */
typedef struct tr_cuda_last {
  char location[96], label[48], name[64];
} tr_cuda_last;

typedef struct tr_cuda {
  tr_device table; /* first: the device is this */
  const tr_device_host *host;
  const tr_cuda_driver *driver;
  tr_cuda_gpu *gpu;
  cuda_stream stream;   /* the own one: memory comes and goes in its order */
  cuda_stream aside;    /* NULL: not used yet */
  struct tr_cuda *next; /* of all; or of those that are closed */

  pthread_mutex_t lock; /* of blocks and events */
  tr_cuda_block **blocks;
  size_t num_blocks, num_buckets;
  tr_event *events[2]; /* that wait to be used again: without a time, and with one */

  tr_cuda_program *programs;
  tr_cuda_row *rows; /* an open hash table */
  size_t num_rows, row_capacity;

  _Atomic bool has_failed;
  tessera_status failure;
  char failure_text[768];
  tr_cuda_last last; /* launch, for messages */
} tr_cuda;

static inline tr_cuda *tr_cuda_of(const tr_device *device) {
  return (tr_cuda *)device;
}

/* The driver's stream for one of the table's functions. */
static inline cuda_stream tr_cuda_stream(const tr_cuda *cuda, tessera_stream *stream) {
  return stream ? (cuda_stream)(void *)stream : cuda->stream;
}

/* ---- the state (cuda.c) ---------------------------------------------------------------------- */

/* Makes the GPU's context the thread's. False if the device has failed: nothing is to be done. */
bool tr_cuda_enter(tr_cuda *cuda);
/* False, and the device has failed, if `result` is an error; `what` was called. */
bool tr_cuda_ok(tr_cuda *cuda, cuda_result result, const char *what);
tessera_status tr_cuda_check(const tr_device *device);
/* The device fails with this message, unless it has failed before. Any thread. */
void tr_cuda_fail(const tr_device *device, tessera_status status, const char *message);
/* What is launched now. */
void tr_cuda_note_launch(tr_cuda *cuda, const char *location, const char *label, const char *name);
/* Until both streams have done all that they were given. False if the device has failed. */
bool tr_cuda_synchronize(tr_cuda *cuda);

/* ---- memory (memory.c) ----------------------------------------------------------------------- */

void *tr_cuda_allocate(const tr_device *device, size_t bytes, tr_blocks *ring);
void tr_cuda_release(const tr_device *device, void *memory);
void tr_cuda_release_all(const tr_device *device, tr_blocks *ring);
void tr_cuda_end_call(const tr_device *device, int32_t window);
void tr_cuda_drop(const tr_device *device);

/* Memory for work on `stream`, until what is given to that next; NULL where the device failed. */
char *tr_cuda_borrow(tr_cuda *cuda, cuda_stream stream, size_t bytes);
void tr_cuda_return(tr_cuda *cuda, cuda_stream stream, char *memory);

/* ---- work (work.c, host_copies.c) --------------------------------------------------------- */

void tr_cuda_copy(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                  const char *from, char *to);
void tr_cuda_fill(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
                  int64_t count, char *to);
void tr_cuda_convert(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                     const char *from, tessera_dtype to_type, char *to, int64_t count);
void tr_cuda_combine(const tr_device *device, tessera_stream *stream, const tr_combination *what,
                     char *const *pieces, char *output);
void tr_cuda_upload(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                    const char *from, char *to);
void tr_cuda_download(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                      const char *from, char *to);

/* Has one of the device's own kernels done for `count` elements. */
void tr_cuda_run(tr_cuda *cuda, cuda_stream stream, tr_cuda_kernel kernel, int64_t count,
                 void *parameters);

/* ---- products (products.c, library_products.c) ------------------------------------------------
 */

tessera_status tr_cuda_gemm(const tr_device *device, tessera_stream *stream,
                            tr_workspace *workspace, const tr_product *product);
tessera_status tr_cuda_conv(const tr_device *device, tessera_stream *stream,
                            tr_workspace *workspace, const tr_conv *conv);
tr_workspace *tr_cuda_open_workspace(const tr_device *device, int32_t threads, tr_pool *pool);
void tr_cuda_trim_workspace(const tr_device *device, tr_workspace *workspace, tr_trim what);
void tr_cuda_close_workspace(const tr_device *device, tr_workspace *workspace);

/* ---- code (code.c) --------------------------------------------------------------------------- */

tessera_status tr_cuda_attach(const tr_device *device, const tessera_device_code *code,
                              tr_life *life);
tessera_status tr_cuda_launch(const tr_device *device, tessera_stream *stream,
                              const tessera_kernel *kernel, const int64_t *blocks,
                              void *const *arguments);
void *tr_cuda_constant(const tr_device *device, const tessera_constant *constant);
/* Gives back what is kept for programs. */
void tr_cuda_forget_programs(tr_cuda *cuda);

/* ---- events (events.c) ----------------------------------------------------------------------- */

tessera_stream *tr_cuda_find_stream(const tr_device *device, tr_stream_use use);
tr_event *tr_cuda_record(const tr_device *device, tessera_stream *stream);
void tr_cuda_await(const tr_device *device, tr_event *event);
void tr_cuda_follow(const tr_device *device, tessera_stream *stream, const tr_event *event);
void tr_cuda_forget(const tr_device *device, tr_event *event);
bool tr_cuda_has_come(const tr_device *device, const tr_event *event);
tr_event *tr_cuda_record_time(const tr_device *device, tessera_stream *stream);
bool tr_cuda_time_between(const tr_device *device, tr_event *from, tr_event *to, double *seconds);

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_H */
