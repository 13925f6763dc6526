/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where the results of an entry are written: one file each, or a folder or an archive for all.
 * It must not know ranks or how results are put together. */
#ifndef TESSERA_TOOLS_RUN_RESULTS_H
#define TESSERA_TOOLS_RUN_RESULTS_H

#include "options.h"

/* Whether the --output options can take the entry's results. */
bool results_check(const run_options *options, const tessera_entry *entry, message *message);

/* What is written on one rank. */
typedef struct results {
  const run_options *options;
  const tessera_entry *entry;
  tessera_arrays_writer *writer; /* NULL: one file each */
} results;

/* Errors are libtessera's last one. Once opened, results are closed or dropped. */
tessera_status results_open(const run_options *options, const tessera_entry *entry,
                            results *results);
tessera_status results_write(results *results, int32_t index, const tessera_tensor *tensor);
tessera_status results_close(results *results);
void results_drop(results *results);

#endif /* TESSERA_TOOLS_RUN_RESULTS_H */
