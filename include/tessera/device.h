/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Device code: what programs for an accelerator carry for it, and call to use it. Any compiler can
 * emit it. It knows memory, kernels and their arguments; it knows nothing of MLIR. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include "tessera/runtime.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A program for an accelerator is code of the host that allocates, launches and communicates; the
 * addresses of the device's memory pass through it, and it follows none of them. Memory of the host
 * comes from the names of MLIR's lowering (runtime.h), memory of the device from
 * tessera_rt_device_allocate. Collectives, products and convolutions of such a program take
 * descriptors of the device's memory.
 *
 * Everything is done on one stream of the context, in program order; `stream` is NULL. Calls return
 * before their work is done: what fails on the device is reported by a later call, which names the
 * last launch. The host waits where it reads what the device has (tessera_rt_device_copy to the
 * host), before a send, and in tessera_synchronize. What is started and not yet waited for moves on
 * a second stream. */

/* ------------------------------------------------------------------------------------------------
 * Constant records: struct_size first, as in runtime.h. All of them outlive the program's calls.
 * --------------------------------------------------------------------------------------------- */

typedef enum tessera_image_kind {
  TESSERA_IMAGE_PTX = 1,  /* text, with a 0 at its end, which `bytes` counts */
  TESSERA_IMAGE_CUBIN = 2 /* of one kind of chip; what has the magic of an ELF file */
} tessera_image_kind;

typedef struct tessera_image {
  uint32_t struct_size;
  uint32_t kind;    /* tessera_image_kind */
  const char *chip; /* "sm_90": for messages */
  const void *data;
  int64_t bytes;
} tessera_image;

/* Kernels that were compiled together. Of its images the first one that the device can load is
 * taken: cubins come before the PTX that any later chip can load. */
typedef struct tessera_module {
  uint32_t struct_size;
  int32_t num_images;
  const tessera_image *images;
} tessera_module;

/* A kernel as it is launched at one place of the source. A row of the program's table of kernels:
 * several rows may name one kernel of one module. */
typedef struct tessera_kernel {
  uint32_t struct_size;
  int32_t module;       /* index in the table of modules */
  const char *name;     /* of the function in the module's images */
  const char *label;    /* what it does, e.g. "linalg.generic", for messages and traces */
  const char *location; /* "model.mlir:12:8", or "" */
  int32_t threads[3];   /* of a block: x, y, z */
  int32_t shared_bytes; /* of shared memory that the launch asks for besides what the code has */
  int32_t num_arguments;
  int32_t reserved;
} tessera_kernel;

/* Constant memory of the program that its device code reads: uploaded once for a context, when the
 * program is attached. */
typedef struct tessera_constant {
  uint32_t struct_size;
  uint32_t alignment; /* of the copy; 0: 256 */
  const void *data;   /* on the host */
  int64_t bytes;
} tessera_constant;

/* What a tessera_program_record's `device_code` points to. The entries of a program with it take
 * and give tensors on the device; scalars are the host's. */
typedef struct tessera_device_code {
  uint32_t struct_size;
  int32_t num_modules;
  const char *target; /* "cuda" */
  const tessera_module *modules;
  const tessera_kernel *kernels;
  const tessera_constant *constants;
  int32_t num_kernels;
  int32_t num_constants;
} tessera_device_code;

/* ------------------------------------------------------------------------------------------------
 * What compiled code calls. As in runtime.h these do not return on failure, but leave the
 * tessera_call or tessera_attempt around them.
 * --------------------------------------------------------------------------------------------- */

/* Memory of the current context's device: 256-byte aligned, at least one byte, with anything in it.
 * What tessera_rt_place said last names the op in a failure. Freed memory may be in use by work
 * that was given before: it serves what comes after that. A result of an entry is such memory,
 * which belongs to the caller. Nothing needs to be freed on the way of a failure. */
TESSERA_API void *tessera_rt_device_allocate(int64_t bytes);
TESSERA_API void tessera_rt_device_free(void *memory);

/* The address on the device of a constant of the program (a row of its table), which nobody writes.
 */
TESSERA_API void *tessera_rt_device_constant(const tessera_constant *constant);

/* Launches a kernel of the program (a row of its table) on blocks[0] x blocks[1] x blocks[2]
 * blocks; nothing happens where one is 0. `arguments` points to kernel->num_arguments addresses of
 * the values: 8 bytes for pointers and index, else as large as the kernel's parameter. They are
 * read before the call returns. */
TESSERA_API void tessera_rt_launch(const tessera_kernel *kernel, tessera_stream *stream,
                                   const int64_t *blocks, void *const *arguments);

/* Copies all elements between two descriptors of one shape (the site's ranks and types, which are
 * equal on both sides; kind TESSERA_SITE_COPY), any strides, no overlap. The site's flags say which
 * side is memory of the host: TESSERA_SITE_FROM_HOST, which may be written and freed afterwards, or
 * TESSERA_SITE_TO_HOST, where the elements are when the call returns: it waits for them. */
TESSERA_API void tessera_rt_device_copy(const tessera_site *site, tessera_stream *stream,
                                        const void *from, const void *to);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_DEVICE_H */
