/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What tessera-check does: a whole check, or one rank of the job that a check has started. Both
 * print their messages and return the exit status. It knows options; it must not know how
 * tensors are cut or compared. */
#ifndef TESSERA_TOOLS_CHECK_CHECK_H
#define TESSERA_TOOLS_CHECK_CHECK_H

#include "options.h"

int check_model(const check_options *options);
int run_worker(const check_options *options);

/* Removes the temporary files of the check in progress. Safe in signal handlers. */
void check_remove_files(void);

#endif /* TESSERA_TOOLS_CHECK_CHECK_H */
