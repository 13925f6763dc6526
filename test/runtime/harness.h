/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rank threads, descriptors and reports for the runtime's tests.
 * It must not know what is tested, nor include anything of the runtime's inside. */
#ifndef TESSERA_TEST_RUNTIME_HARNESS_H
#define TESSERA_TEST_RUNTIME_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tessera/program.h"
#include "tessera/runtime.h"

enum { MAX_RANK = 9, MAX_WORDS = 64 };

/* What a rank runs; `rank` of `size` with its context current. */
typedef void (*rank_function)(int32_t rank, int32_t size, void *data);

/* Runs the function on `ranks` threads over the local backend. */
void run_local(int32_t ranks, rank_function function, void *data);
/* True under a launcher of several processes. run_here then runs the function once, as this
 * process's rank. */
bool under_mpi(void);
int32_t run_here(rank_function function, void *data);

/* Counts a failed expectation and prints it (the first few). */
void fail_test(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition))                                                                              \
      fail_test("%s:%d: %s", __FILE__, __LINE__, #condition);                                      \
  } while (0)
/* How many have failed in this process. */
int failed_here(void);
/* Prints the summary; what main returns. Under MPI collective, so that a rank cannot be missed. */
int finish_tests(void);

/* Runs `function` and brings a failure inside the runtime back as its status. */
typedef struct caught {
  char message[4096];
} caught;
tessera_status attempt(caught *caught, void (*function)(void *), void *argument);

/* Bytes that malloc has given out. */
int64_t bytes_in_use(void);

/* A tensor with its own memory, in a memref descriptor. */
typedef struct memref {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t dims[2 * MAX_RANK]; /* sizes, then strides */
} memref;

typedef enum arrangement { DENSE, TRANSPOSED, WITH_GAPS, NUM_ARRANGEMENTS } arrangement;

/* Memory for `shape`, every byte 0xa5. */
memref memref_create(int32_t rank, const int64_t *shape, size_t element, arrangement arrangement);
void memref_destroy(memref *memref);
/* The same memory as a call has to name it: on the device that TESSERA_DEVICE names. */
memref on_device(const memref *memref);
/* Until it has done what the current context has asked for: then the host may look. */
void await_device(void);
/* The element at a row-major index. */
char *memref_at(const memref *memref, int32_t rank, size_t element, int64_t index);
int64_t memref_elements(const memref *memref, int32_t rank);

/* A stream of numbers that is the same on every rank. */
uint64_t mix(uint64_t a, uint64_t b);

#endif /* TESSERA_TEST_RUNTIME_HARNESS_H */
