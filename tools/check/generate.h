/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Random inputs that depend on a seed, the argument's number and the element's index alone.
 * It must not know programs or ranks. */
#ifndef TESSERA_TOOLS_CHECK_GENERATE_H
#define TESSERA_TOOLS_CHECK_GENERATE_H

#include "tessera/program.h"

/* Fills a dense tensor: floats standard normal, integers in [-100, 100) (unsigned ones in [0, 100),
 * i4 in [-8, 8)), booleans fair, f8 any finite bits. With `range` (lo, hi) floats are uniform in it
 * and integers are at least lo and less than hi.
 * Returns NULL, or what is wrong with the range for this element type. */
const char *generate_values(uint64_t seed, int32_t argument, const double *range,
                            tessera_tensor *tensor);

#endif /* TESSERA_TOOLS_CHECK_GENERATE_H */
