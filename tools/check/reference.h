/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The inputs of a check and the results of the unpartitioned program on them.
 * It must not know grids or how programs are compiled. */
#ifndef TESSERA_TOOLS_CHECK_REFERENCE_H
#define TESSERA_TOOLS_CHECK_REFERENCE_H

#include "common/inputs.h"
#include "options.h"
#include "workdir.h"

typedef struct reference {
  int32_t num_inputs, num_results;
  inputs files; /* where the inputs are from a folder or an archive: they belong to it */
  tessera_tensor *inputs;
  tessera_tensor *results;
} reference;

/* Makes the inputs of the oracle's entry and runs it on a single rank. On failure with an empty
 * message the reason is on stderr already. Destroy it in any case. */
bool reference_compute(const check_options *options, const tessera_program *oracle,
                       const tessera_entry *entry, reference *reference, message *message);
void reference_destroy(reference *reference);

/* Writes inputs and results for worker processes, and reads them there: `entry` is the partitioned
 * one, which has the same types. */
bool reference_write(const reference *reference, const workdir *workdir, message *message);
bool reference_read(const workdir *workdir, const tessera_entry *entry, reference *reference,
                    message *message);

/* The partitioned entry must have as many arguments and results of the same element types. */
bool reference_fits(const reference *reference, const tessera_entry *entry, message *message);

#endif /* TESSERA_TOOLS_CHECK_REFERENCE_H */
