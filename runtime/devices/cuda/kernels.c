/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The device's own kernels: loaded when they are first used, once for a GPU.
 * It must not know what they compute. */
#include "devices/cuda/cuda.h"
#include "devices/cuda/images.h"

typedef enum image { image_move, image_combine, image_product } image;

typedef struct kernel {
  const char *name;
  image image;
} kernel;

#define ROW(name, image) [TR_CUDA_##name] = {"tessera_" #name, image_##image},
static const kernel kernels[] = {TR_CUDA_KERNELS(ROW)};
#undef ROW

static const char *const images[TR_CUDA_NUM_IMAGES] = {
    [image_move] = tr_cuda_move_ptx,
    [image_combine] = tr_cuda_combine_ptx,
    [image_product] = tr_cuda_product_ptx,
};

/* With the GPU's lock held. */
static cuda_function load(tr_cuda *cuda, tr_cuda_kernel number) {
  const kernel *kernel = &kernels[number];
  cuda_module *module = &cuda->gpu->images[kernel->image];
  cuda_function function = NULL;
  if (!*module &&
      !tr_cuda_ok(cuda, cuda->driver->load_module(module, images[kernel->image], 0, NULL, NULL),
                  "cuModuleLoadDataEx"))
    return NULL;
  if (!tr_cuda_ok(cuda, cuda->driver->get_function(&function, *module, kernel->name),
                  "cuModuleGetFunction"))
    return NULL;
  atomic_store_explicit(&cuda->gpu->kernels[number], function, memory_order_release);
  return function;
}

static cuda_function find(tr_cuda *cuda, tr_cuda_kernel number) {
  cuda_function function = atomic_load_explicit(&cuda->gpu->kernels[number], memory_order_acquire);
  if (function)
    return function;
  pthread_mutex_lock(&cuda->gpu->lock);
  function = atomic_load_explicit(&cuda->gpu->kernels[number], memory_order_acquire);
  if (!function)
    function = load(cuda, number);
  pthread_mutex_unlock(&cuda->gpu->lock);
  return function;
}

/* Threads take as many elements as are left for them. */
void tr_cuda_run(tr_cuda *cuda, cuda_stream stream, tr_cuda_kernel kernel, int64_t count,
                 void *parameters) {
  enum { WARP = 32, MOST_THREADS = 256, MOST_BLOCKS = 1 << 14 };
  cuda_function function = find(cuda, kernel);
  void *arguments[] = {parameters};
  int64_t threads = count < MOST_THREADS ? (count + WARP - 1) / WARP * WARP : MOST_THREADS;
  int64_t blocks = (count + MOST_THREADS - 1) / MOST_THREADS;
  if (!function || count == 0)
    return;
  if (blocks > MOST_BLOCKS)
    blocks = MOST_BLOCKS;
  tr_cuda_note_launch(cuda, "", "libtessera", kernels[kernel].name);
  tr_cuda_ok(cuda,
             cuda->driver->launch(function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1, 0,
                                  stream, arguments, NULL),
             "cuLaunchKernel");
}
