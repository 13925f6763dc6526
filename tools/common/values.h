/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The values that tools pass to programs: types as MLIR spells them, inputs checked against them.
 * It must not know ranks or what the tools do. */
#ifndef TESSERA_TOOLS_COMMON_VALUES_H
#define TESSERA_TOOLS_COMMON_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"
#include "tessera/program.h"

/* Takes libtessera's last error, with `what` (or NULL) in front; returns false. */
bool fail_library(message *message, const char *what);

/* "tensor<3x?xf32>" or "i32". Returns text. */
const char *parameter_type(const tessera_parameter *parameter, char *text, size_t capacity);

/* "argument 1 (%w, tensor<3x4xf32>)". Returns text. */
const char *argument_text(const tessera_entry *entry, int32_t index, char *text, size_t capacity);

/* Whether element type, rank and static sizes are those of argument `index` of the entry. `file` is
 * what messages call the tensor's file. */
bool check_argument(const tessera_entry *entry, int32_t index, const char *file,
                    const tessera_tensor *tensor, message *message);

/* Reads a .npy file as argument `index` of the entry and checks it. The caller destroys the tensor.
 */
bool read_argument(const tessera_entry *entry, int32_t index, const char *path,
                   tessera_tensor *tensor, message *message);

/* Destroys `count` tensors and frees the array, which may be NULL. */
void destroy_tensors(tessera_tensor *tensors, int32_t count);

/* Whole decimal numbers; false if the text is anything else or out of range. */
bool parse_int64(const char *text, int64_t lowest, int64_t highest, int64_t *value);
bool parse_double(const char *text, double *value);

#endif /* TESSERA_TOOLS_COMMON_VALUES_H */
