/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Variables of the environment that are switches, or one of a few words.
 * It must not know which there are. */
#ifndef TESSERA_RUNTIME_SUPPORT_WISHES_H
#define TESSERA_RUNTIME_SUPPORT_WISHES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Off where it is not set, empty or 0. */
static inline bool tr_is_switched_on(const char *variable) {
  const char *wish = getenv(variable);
  return wish && wish[0] && strcmp(wish, "0") != 0;
}

/* Which of words[1] to words[num - 1] it is: 0 where it is not set or empty, -1 if it is another,
 * which is then an error. */
static inline int tr_wished_word(const char *variable, int num, const char *const *words) {
  const char *wish = getenv(variable);
  if (!wish || !wish[0])
    return 0;
  for (int i = 1; i < num; i++)
    if (strcmp(wish, words[i]) == 0)
      return i;
  return -1;
}

#endif /* TESSERA_RUNTIME_SUPPORT_WISHES_H */
