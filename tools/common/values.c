/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Types in messages, inputs from files, numbers from command lines.
 * It must not know ranks or what the tools do. */
#include "common/values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fail_library(message *message, const char *what) {
  return what ? fail(message, "%s: %s", what, tessera_last_error())
              : fail(message, "%s", tessera_last_error());
}

static const char *dtype_text(tessera_dtype type) {
  switch (type) {
  case TESSERA_I1:
    return "i1";
  case TESSERA_I4:
    return "i4";
  case TESSERA_I8:
    return "i8";
  case TESSERA_I16:
    return "i16";
  case TESSERA_I32:
    return "i32";
  case TESSERA_I64:
    return "i64";
  case TESSERA_U8:
    return "ui8";
  case TESSERA_U16:
    return "ui16";
  case TESSERA_U32:
    return "ui32";
  case TESSERA_U64:
    return "ui64";
  case TESSERA_INDEX:
    return "index";
  case TESSERA_F16:
    return "f16";
  case TESSERA_BF16:
    return "bf16";
  case TESSERA_F32:
    return "f32";
  case TESSERA_F64:
    return "f64";
  case TESSERA_C64:
    return "complex<f32>";
  case TESSERA_C128:
    return "complex<f64>";
  case TESSERA_F8:
    return "f8";
  }
  return "unknown";
}

/* Shapes of more dimensions than fit are cut short; the text is for people. */
static const char *type_text(int32_t rank, const int64_t *shape, const char *element, char *text,
                             size_t capacity) {
  size_t used = (size_t)snprintf(text, capacity, "tensor<");
  for (int32_t i = 0; i < rank && used < capacity; i++) {
    char extent[24] = "?";
    if (shape[i] >= 0)
      snprintf(extent, sizeof(extent), "%" PRId64, shape[i]);
    used += (size_t)snprintf(text + used, capacity - used, "%sx", extent);
  }
  if (used < capacity)
    snprintf(text + used, capacity - used, "%s>", element);
  return text;
}

const char *parameter_type(const tessera_parameter *parameter, char *text, size_t capacity) {
  const char *element = parameter->element && parameter->element[0]
                            ? parameter->element
                            : dtype_text((tessera_dtype)parameter->dtype);
  if (parameter->rank >= 0)
    return type_text(parameter->rank, parameter->shape, element, text, capacity);
  snprintf(text, capacity, "%s", element);
  return text;
}

const char *argument_text(const tessera_entry *entry, int32_t index, char *text, size_t capacity) {
  const tessera_parameter *parameter = &entry->arguments[index];
  const char *name = parameter->name ? parameter->name : "";
  char type[256];
  snprintf(text, capacity, "argument %d (%s%s%s)", index, name, name[0] ? ", " : "",
           parameter_type(parameter, type, sizeof(type)));
  return text;
}

static bool fits(const tessera_parameter *parameter, const tessera_tensor *tensor) {
  int32_t rank = parameter->rank < 0 ? 0 : parameter->rank;
  if (tensor->dtype != (tessera_dtype)parameter->dtype || tensor->rank != rank)
    return false;
  for (int32_t i = 0; i < rank; i++)
    if (parameter->shape[i] >= 0 && parameter->shape[i] != tensor->shape[i])
      return false;
  return true;
}

bool check_argument(const tessera_entry *entry, int32_t index, const char *file,
                    const tessera_tensor *tensor, message *message) {
  char argument[512], actual[256];
  if (fits(&entry->arguments[index], tensor))
    return true;
  return fail(
      message, "%s: the file %s holds %s", argument_text(entry, index, argument, sizeof(argument)),
      file,
      type_text(tensor->rank, tensor->shape, dtype_text(tensor->dtype), actual, sizeof(actual)));
}

bool read_argument(const tessera_entry *entry, int32_t index, const char *path,
                   tessera_tensor *tensor, message *message) {
  const tessera_parameter *parameter = &entry->arguments[index];
  char argument[512];
  argument_text(entry, index, argument, sizeof(argument));
  if (tessera_npy_read(path, (tessera_dtype)parameter->dtype, tensor) != TESSERA_OK)
    return fail_library(message, argument);
  if (check_argument(entry, index, path, tensor, message))
    return true;
  tessera_tensor_destroy(tensor);
  return false;
}

void destroy_tensors(tessera_tensor *tensors, int32_t count) {
  for (int32_t i = 0; tensors && i < count; i++)
    tessera_tensor_destroy(&tensors[i]);
  free(tensors);
}

bool parse_int64(const char *text, int64_t lowest, int64_t highest, int64_t *value) {
  char *end;
  errno = 0;
  long long parsed = strtoll(text, &end, 10);
  if (end == text || *end || errno || parsed < lowest || parsed > highest)
    return false;
  *value = parsed;
  return true;
}

bool parse_double(const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  return end != text && !*end && isfinite(*value);
}
