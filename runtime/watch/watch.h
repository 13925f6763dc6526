/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The watch over the ranks of this process: ends a job in which a call waits too long, and says
 * why. It must not know what a call does. */
#ifndef TESSERA_RUNTIME_WATCH_WATCH_H
#define TESSERA_RUNTIME_WATCH_WATCH_H

#include "context/context.h"
#include "watch/difference.h"

/* Whether ranks are processes, whose state the system knows. */
typedef enum tr_kinship { TR_THREADS, TR_PROCESSES } tr_kinship;

/* How long a call may wait, in seconds, as TESSERA_TIMEOUT says; 0: for ever. */
tessera_status tr_watch_timeout(double *seconds);

/* While a launcher's ranks find each other, before there is a board. */
typedef struct tr_opening tr_opening;
tr_opening *tr_opening_watch(double seconds);
void tr_opening_done(tr_opening *opening);

/* Puts contexts of one process, whose worlds are filled, under watch: all of a local grid, or one
 * of a launcher's. Where there is no memory or thread for it nobody watches. */
tessera_status tr_watch_start(int32_t count, tessera_context **contexts);
/* This context is about to end: from here on `backend` is not used for it. */
void tr_watch_ending(tessera_context *context);
/* It has ended. The last one of the process ends the watch. */
void tr_watch_stop(tessera_context *context);

/* This context has failed, which other ranks are told. */
void tr_watch_failed(tessera_context *context);

/* True for the first rank that says what is wrong, of this host and, unless two say it at once and
 * do not hear of each other, of all; and where nobody watches. Tells the other hosts. */
bool tr_watch_takes_word(const tessera_context *context);

/* How calls of a context that has failed differ first from those of others in one of its groups;
 * other hosts are asked. False if none do, or nobody watches. */
bool tr_watch_difference(const tessera_context *context, tr_difference *difference);

/* Sites are another program's from now on. */
void tr_watch_forget(tessera_context *context);

#endif /* TESSERA_RUNTIME_WATCH_WATCH_H */
