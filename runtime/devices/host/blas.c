/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loads a BLAS with dlopen, its core type and patience set before it looks at the processor by
 * itself. It must not know descriptors, sites or contexts. */
#include "devices/host/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CBLAS's constants. */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, TRANSPOSE = 112 };

typedef void (*sgemm_function)(int, int, int, int, int, int, float, const float *, int,
                               const float *, int, float, float *, int);
typedef void (*dgemm_function)(int, int, int, int, int, int, double, const double *, int,
                               const double *, int, double, double *, int);
typedef void (*xgemm_function)(int, int, int, int, int, int, const void *, const void *, int,
                               const void *, int, const void *, void *, int);

static struct {
  sgemm_function sgemm;
  dgemm_function dgemm;
  xgemm_function cgemm;
  xgemm_function zgemm;
  int (*parallel)(void);    /* how OpenBLAS has its threads; NULL: another library */
  void (*set_threads)(int); /* NULL: the user has chosen, or the library cannot */
} blas;

/* ---- loading --------------------------------------------------------------------------------- */

bool tr_blas_has_avx512(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/* OpenBLAS takes some newer processors for Haswell, at half their speed. Instructions decide, not
 * model numbers; the user's own choice stands. */
static const char *core_type(void) {
#if defined(__x86_64__)
  if (tr_blas_has_avx512())
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return __builtin_cpu_is("amd") ? "ZEN" : "HASWELL";
#endif
  return NULL;
}

/* OpenBLAS's threads look for the next product for some 20 ms before they sleep, on cores that the
 * kernels after this one need: as a power of two, cycles of about half a millisecond. */
static const char longest_look[] = "20";

/* A process reads its environment anywhere and any time, so it is written while there are no
 * threads yet: when libtessera is loaded. */
__attribute__((constructor)) static void choose_settings(void) {
  const char *type = core_type();
  if (type)
    setenv("OPENBLAS_CORETYPE", type, 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", longest_look, 0);
}

static void *open_library(void) {
  static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libblis.so.4",
                                      "libmkl_rt.so.2",   "libcblas.so.3",  "libblas.so.3"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof(names) / sizeof(names[0]); i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library && !dlsym(library, "cblas_sgemm")) {
      dlclose(library);
      library = NULL;
    }
  }
  return library;
}

/* ISO C has no conversion from an object pointer to a function pointer; POSIX gives it a meaning.
 */
static void find_symbol(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof(symbol));
}

static void load(void) {
  const char *wish = getenv("TESSERA_BLAS");
  if (wish && strcmp(wish, "none") == 0)
    return;
  void *library = open_library();
  if (!library)
    return;
  find_symbol(library, "cblas_sgemm", &blas.sgemm);
  find_symbol(library, "cblas_dgemm", &blas.dgemm);
  find_symbol(library, "cblas_cgemm", &blas.cgemm);
  find_symbol(library, "cblas_zgemm", &blas.zgemm);
  find_symbol(library, "openblas_get_parallel", &blas.parallel);
  if (!getenv("OPENBLAS_NUM_THREADS"))
    find_symbol(library, "openblas_set_num_threads", &blas.set_threads);
}

/* Loads the library once. A process may have one grid after another, so the number of threads is
 * that of the last one that multiplies. */
static void prepare(int32_t threads) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int32_t prepared; /* for so many threads */
  if (__atomic_load_n(&prepared, __ATOMIC_ACQUIRE) == threads)
    return;
  pthread_mutex_lock(&lock);
  if (!prepared)
    load();
  if (prepared != threads && blas.set_threads)
    blas.set_threads(threads);
  __atomic_store_n(&prepared, threads, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
}

/* ---- calls ----------------------------------------------------------------------------------- */

bool tr_blas_has(tessera_dtype type, int32_t threads) {
  prepare(threads);
  switch (type) {
  case TESSERA_F32:
    return blas.sgemm;
  case TESSERA_F64:
    return blas.dgemm;
  case TESSERA_C64:
    return blas.cgemm;
  case TESSERA_C128:
    return blas.zgemm;
  default:
    return false;
  }
}

bool tr_blas_has_alone(tessera_dtype type) {
  enum { BY_OPENMP = 2 };
  return tr_blas_has(type, 1) && blas.set_threads && blas.parallel && blas.parallel() != BY_OPENMP;
}

static int transposition(const tr_blas_matrix *matrix) {
  return matrix->transposed ? TRANSPOSE : NO_TRANSPOSE;
}

void tr_blas_gemm(tessera_dtype type, int32_t m, int32_t n, int32_t k, const tr_blas_matrix *a,
                  const tr_blas_matrix *b, const tr_blas_matrix *c, bool overwrite) {
  static const float complex_zero[2] = {0, 0}, complex_one[2] = {1, 0};
  static const double double_zero[2] = {0, 0}, double_one[2] = {1, 0};
  int ta = transposition(a), tb = transposition(b);
  switch (type) {
  case TESSERA_F32:
    blas.sgemm(ROW_MAJOR, ta, tb, m, n, k, 1, a->data, a->leading, b->data, b->leading,
               overwrite ? 0 : 1, c->data, c->leading);
    break;
  case TESSERA_F64:
    blas.dgemm(ROW_MAJOR, ta, tb, m, n, k, 1, a->data, a->leading, b->data, b->leading,
               overwrite ? 0 : 1, c->data, c->leading);
    break;
  case TESSERA_C64:
    blas.cgemm(ROW_MAJOR, ta, tb, m, n, k, complex_one, a->data, a->leading, b->data, b->leading,
               overwrite ? complex_zero : complex_one, c->data, c->leading);
    break;
  default:
    blas.zgemm(ROW_MAJOR, ta, tb, m, n, k, double_one, a->data, a->leading, b->data, b->leading,
               overwrite ? double_zero : double_one, c->data, c->leading);
    break;
  }
}
