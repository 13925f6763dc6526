/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Status codes and the per-thread error message that every library function of libtessera
 * shares. It must not know what failed. */
#ifndef TESSERA_STATUS_H
#define TESSERA_STATUS_H

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(_WIN32)
#define TESSERA_API
#else
#define TESSERA_API __attribute__((visibility("default")))
#endif

/* What a library call came to. Zero is success. The text of the last failure on this thread is
 * tessera_last_error(). */
typedef enum tessera_status {
  TESSERA_OK = 0,
  TESSERA_ERROR_INVALID_ARGUMENT = 1, /* the caller passed something that cannot be meant */
  TESSERA_ERROR_MISMATCH = 2,         /* shapes, types, ranks or programs do not fit each other */
  TESSERA_ERROR_OUT_OF_MEMORY = 3,
  TESSERA_ERROR_NOT_FOUND = 4,   /* a file, an entry, a backend */
  TESSERA_ERROR_UNSUPPORTED = 5, /* has a meaning, but not on this backend or for this type */
  TESSERA_ERROR_BACKEND = 6,     /* MPI, NCCL or the operating system failed */
  TESSERA_ERROR_PEER = 7,        /* another rank failed first */
  TESSERA_ERROR_TIMEOUT = 8,
  TESSERA_ERROR_CHECK = 9 /* what the program itself asserts does not hold */
} tessera_status;

/* Returns a static English name for `status`. Any thread. */
TESSERA_API const char *tessera_status_name(tessera_status status);

/* Returns the message of the last failure on the calling thread ("" if none). Valid until the next
 * failing call on this thread. */
TESSERA_API const char *tessera_last_error(void);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_STATUS_H */
