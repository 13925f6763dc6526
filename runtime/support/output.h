/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Files that take the place of others only when they are whole. The compiler has them, too.
 * It must not know what is in them, nor anything else of libtessera. */
#ifndef TESSERA_RUNTIME_SUPPORT_OUTPUT_H
#define TESSERA_RUNTIME_SUPPORT_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* A file being written. Where the path leads to a regular file or to nothing, that is a temporary
 * one beside it, which takes its place, mode and owner in the end; what is no regular file (a FIFO,
 * a device), or is one of the process's standard streams, is written as it is. */
typedef struct tr_output {
  FILE *stream; /* NULL: somebody else writes the file `name` */
  char *name;   /* what is written; NULL: a stream that the caller owns */
  char *target; /* what it takes the place of; NULL: written as it is */
  int error;    /* errno of the first failure; 0: none so far */
} tr_output;

/* Each returns 0, or the errno of a failure, after which there is nothing to close. */
int tr_output_open(const char *path, tr_output *output);
/* For another program to write; it may replace the file `name`. */
int tr_output_reserve(const char *path, tr_output *output);

/* Writes to a stream that is open already; it is flushed in the end, and not closed. */
void tr_output_on(FILE *stream, tr_output *output);

/* Notes the first failure, and does nothing after it. */
void tr_output_write(tr_output *output, const void *data, size_t bytes);

/* Flushes, syncs and closes, and puts the file into its place. Returns 0, or the errno of the first
 * failure: then the temporary file is gone, and what was there before is as it was. */
int tr_output_close(tr_output *output);
/* Gives up what was written so far. */
void tr_output_drop(tr_output *output);

#endif /* TESSERA_RUNTIME_SUPPORT_OUTPUT_H */
