/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What watches of several hosts ask and tell each other of their ranks, when somebody waits long.
 * It must not know how words travel, nor who is at fault. */
#ifndef TESSERA_RUNTIME_WATCH_QUESTIONS_H
#define TESSERA_RUNTIME_WATCH_QUESTIONS_H

#include "planes/backend.h"
#include "watch/verdict.h"

typedef struct tr_hosts tr_hosts;

/* Answers from now on, and notes what it hears. NULL where all ranks are on this host, nothing can
 * be asked, or there is no memory. Used by one thread. */
tr_hosts *tr_hosts_open(const tr_world *world, double timeout);
/* Has the messenger end. False if a word that is being told does not leave for so many seconds. */
bool tr_hosts_end(tr_hosts *hosts, double seconds);
/* The same, and waits for it. */
void tr_hosts_close(tr_hosts *hosts);

/* Each tick: `seconds` is for how long each seat has not changed. */
void tr_hosts_tick(tr_hosts *hosts, const double *seconds);
/* Puts what is known of ranks on other hosts into the scene. */
void tr_hosts_show(const tr_hosts *hosts, tr_scene *scene);
/* A rank of this process has waited for so many seconds: asks after those that it waits for, now
 * and then. */
void tr_hosts_ask(tr_hosts *hosts, const tr_scene *scene, double waited);
/* Asks the other hosts, as many as are asked at once, and waits until all of their ranks have been
 * told of, or as long as answers may take. Any thread, until the hosts are closed. */
void tr_hosts_inquire(tr_hosts *hosts);
/* A rank of this host would end the job with a message: tells the other hosts, which need not say
 * the same. True when all of them have heard it, or had so many seconds to; false if another host
 * has the word. Any thread, until the hosts are closed. */
bool tr_hosts_take_word(tr_hosts *hosts, double patience);
/* A rank of this process leaves: tells the other hosts what ranks here are in. False until that is
 * done. */
bool tr_hosts_leave(tr_hosts *hosts);
/* Seconds that this host leaves the word to others, so that not all speak at once. */
double tr_hosts_courtesy(const tr_hosts *hosts, bool is_fault_elsewhere);

#endif /* TESSERA_RUNTIME_WATCH_QUESTIONS_H */
