/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A context's list of what is used through it. It must not know what that is. */
#include "context/lodgers.h"

#include <pthread.h>
#include <stddef.h>

#include "context/context.h"

/* Of the lists of all contexts: lodgers of one may come and go in several threads, if rarely. What
 * a lodger does through its context is not to be under way when that ends. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tr_lodger_come(tr_lodger *lodger, tessera_context *context) {
  *lodger = (tr_lodger){.context = context};
  if (!context)
    return;
  pthread_mutex_lock(&lock);
  lodger->link = &context->lodgers;
  lodger->next = context->lodgers;
  if (lodger->next)
    lodger->next->link = &lodger->next;
  context->lodgers = lodger;
  pthread_mutex_unlock(&lock);
}

static void leave_list(tr_lodger *lodger) {
  *lodger->link = lodger->next;
  if (lodger->next)
    lodger->next->link = lodger->link;
  lodger->context = NULL;
}

void tr_lodger_go(tr_lodger *lodger) {
  pthread_mutex_lock(&lock);
  if (lodger->context)
    leave_list(lodger);
  pthread_mutex_unlock(&lock);
}

void tr_lodgers_end(tessera_context *context) {
  pthread_mutex_lock(&lock);
  while (context->lodgers) {
    context->lodgers->has_ended = true;
    leave_list(context->lodgers);
  }
  pthread_mutex_unlock(&lock);
}
