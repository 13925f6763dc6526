/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads and writes .npy files (numpy's format, versions 1 to 3) without converting any value.
 * It must not know layouts, grids or ranks. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "devices/host/host.h"
#include "error.h"
#include "output.h"
#include "program/tensor.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the .npy reader and writer assume a little-endian machine"
#endif

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* A sane header is a few hundred bytes; a larger one is not a header. */
enum { MAX_HEADER = 1 << 20 };

typedef struct npy_type {
  const char *descr; /* as numpy writes it, byte order first */
  tessera_dtype type;
} npy_type;

/* What each type is written as; the first row of a descr is what it is read as without a hint. */
static const npy_type npy_types[] = {
    {"|b1", TESSERA_I1},    {"|i1", TESSERA_I8},    {"<i2", TESSERA_I16},  {"<i4", TESSERA_I32},
    {"<i8", TESSERA_I64},   {"|u1", TESSERA_U8},    {"<u2", TESSERA_U16},  {"<u4", TESSERA_U32},
    {"<u8", TESSERA_U64},   {"<f2", TESSERA_F16},   {"<f4", TESSERA_F32},  {"<f8", TESSERA_F64},
    {"<c8", TESSERA_C64},   {"<c16", TESSERA_C128}, {"|V2", TESSERA_BF16}, {"|V1", TESSERA_F8},
    {"<i8", TESSERA_INDEX}, {"|i1", TESSERA_I4},
};

/* Further spellings of the same bits, read only where the caller says what they stand for. Signless
 * integers have no sign until an operation gives them one, so unsigned ones are as good; an
 * unsigned type and index, whose numbers have a sign or none by themselves, take only their own. */
static const npy_type npy_bits[] = {{"<u2", TESSERA_BF16}, {"|u1", TESSERA_F8},
                                    {"|u1", TESSERA_I8},   {"<u2", TESSERA_I16},
                                    {"<u4", TESSERA_I32},  {"<u8", TESSERA_I64}};

enum { NUM_TYPES = sizeof(npy_types) / sizeof(npy_types[0]) };
enum { NUM_BITS = sizeof(npy_bits) / sizeof(npy_bits[0]) };

static const char *descr_of(tessera_dtype type) {
  for (int i = 0; i < NUM_TYPES; i++)
    if (npy_types[i].type == type)
      return npy_types[i].descr;
  return NULL;
}

/* The element type that `descr` means where `hint` (or 0) is expected; 0 if there is none. */
static tessera_dtype type_of(const char *descr, tessera_dtype hint) {
  for (int i = 0; hint && i < NUM_TYPES; i++)
    if (npy_types[i].type == hint && strcmp(npy_types[i].descr, descr) == 0)
      return hint;
  for (int i = 0; hint && i < NUM_BITS; i++)
    if (npy_bits[i].type == hint && strcmp(npy_bits[i].descr, descr) == 0)
      return hint;
  for (int i = 0; i < NUM_TYPES; i++)
    if (strcmp(npy_types[i].descr, descr) == 0)
      return npy_types[i].type;
  return (tessera_dtype)0;
}

/* ---- header ---------------------------------------------------------------------------------- */

typedef struct npy_header {
  char descr[16];
  bool fortran;
  bool has_descr, has_order, has_shape;
  int32_t rank;
  int64_t shape[TR_MAX_RANK];
} npy_header;

static const char *skip_space(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

/* A quoted string into `text`; NULL if there is none or it does not fit. */
static const char *parse_string(const char *at, char *text, size_t capacity) {
  char quote = *at;
  if (quote != '\'' && quote != '"')
    return NULL;
  const char *end = strchr(++at, quote);
  if (!end || (size_t)(end - at) >= capacity)
    return NULL;
  memcpy(text, at, (size_t)(end - at));
  text[end - at] = '\0';
  return end + 1;
}

static const char *parse_shape(const char *at, npy_header *header) {
  if (*at != '(')
    return NULL;
  at = skip_space(at + 1);
  while (*at != ')') {
    char *end;
    errno = 0;
    long long extent = strtoll(at, &end, 10);
    if (end == at || errno || extent < 0 || header->rank == TR_MAX_RANK)
      return NULL;
    header->shape[header->rank++] = extent;
    at = skip_space(*end == 'L' ? end + 1 : end);
    if (*at == ',')
      at = skip_space(at + 1);
    else if (*at != ')')
      return NULL;
  }
  return at + 1;
}

static const char *parse_bool(const char *at, bool *value) {
  *value = strncmp(at, "True", 4) == 0;
  if (*value)
    return at + 4;
  return strncmp(at, "False", 5) == 0 ? at + 5 : NULL;
}

/* One `'key': value` pair. */
static const char *parse_pair(const char *at, npy_header *header) {
  char key[32];
  at = parse_string(at, key, sizeof(key));
  if (!at || *(at = skip_space(at)) != ':')
    return NULL;
  at = skip_space(at + 1);
  if (strcmp(key, "descr") == 0) {
    header->has_descr = true;
    return parse_string(at, header->descr, sizeof(header->descr));
  }
  if (strcmp(key, "fortran_order") == 0) {
    header->has_order = true;
    return parse_bool(at, &header->fortran);
  }
  if (strcmp(key, "shape") == 0 && !header->has_shape) {
    header->has_shape = true;
    return parse_shape(at, header);
  }
  return NULL;
}

/* The header is a Python dictionary literal with three keys. */
static bool parse_header(const char *at, npy_header *header) {
  memset(header, 0, sizeof(*header));
  at = skip_space(at);
  if (*at != '{')
    return false;
  at = skip_space(at + 1);
  while (*at != '}') {
    at = parse_pair(at, header);
    if (!at)
      return false;
    at = skip_space(at);
    if (*at == ',')
      at = skip_space(at + 1);
    else if (*at != '}')
      return false;
  }
  return header->has_descr && header->has_order && header->has_shape;
}

static tessera_status read_header(const char *path, FILE *file, npy_header *header) {
  unsigned char start[12];
  if (fread(start, 1, 10, file) != 10 || memcmp(start, magic, sizeof(magic)) != 0)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: not a .npy file", path);
  unsigned version = start[6];
  if (version < 1 || version > 3)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "%s: .npy version %u is not supported", path,
                   version);
  size_t length = start[8] | (size_t)start[9] << 8;
  if (version > 1) {
    if (fread(start + 10, 1, 2, file) != 2)
      return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its header", path);
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
  }
  char *text = length <= MAX_HEADER ? malloc(length + 1) : NULL;
  bool read = text && fread(text, 1, length, file) == length;
  if (read)
    text[length] = '\0';
  bool parsed = read && parse_header(text, header);
  free(text);
  if (!read)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its header", path);
  if (!parsed)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                   "%s: the header does not describe an array of numbers of at most %d dimensions",
                   path, TR_MAX_RANK);
  return TESSERA_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Fortran order lists the first index fastest: reads it in that order, then transposes. */
static tessera_status read_fortran(const char *path, FILE *file, tessera_tensor *tensor,
                                   size_t bytes) {
  char *data = tessera_alloc(bytes);
  if (!data)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, bytes);
  if (fread(data, 1, bytes, file) != bytes) {
    tessera_free(data);
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its data", path);
  }
  int64_t from[TR_MAX_RANK], to[TR_MAX_RANK];
  int64_t stride = 1;
  for (int32_t i = 0; i < tensor->rank; i++) {
    from[i] = stride;
    stride *= tensor->shape[i];
  }
  tr_dense_strides(tensor->rank, tensor->shape, to);
  tr_host_copy_strided(tessera_dtype_size(tensor->dtype), tensor->rank, tensor->shape, data, from,
                       tensor->data, to);
  tessera_free(data);
  return TESSERA_OK;
}

static tessera_status read_data(const char *path, FILE *file, const npy_header *header,
                                tessera_tensor *tensor) {
  size_t bytes = (size_t)tessera_tensor_elements(tensor) * tessera_dtype_size(tensor->dtype);
  if (bytes > 0 && header->fortran && tensor->rank > 1) {
    tessera_status status = read_fortran(path, file, tensor, bytes);
    if (status)
      return status;
  } else if (bytes > 0 && fread(tensor->data, 1, bytes, file) != bytes) {
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its data", path);
  }
  if (fgetc(file) != EOF)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file goes on after its data", path);
  return TESSERA_OK;
}

/* Refuses a short file before memory is taken for what its header claims. */
static bool file_can_hold(FILE *file, tessera_dtype type, const npy_header *header) {
  struct stat status;
  size_t bytes;
  if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
    return true;
  return tr_dense_bytes(type, header->rank, header->shape, &bytes) &&
         bytes <= (size_t)status.st_size;
}

/* Types narrower than a byte: in files i4 is an int8 between -8 and 7, in memory the low four bits
 * of a byte whose other bits are 0, as compiled code has it. False if a value does not fit. */
static bool narrow_bytes(tessera_tensor *tensor) {
  int8_t *data = tensor->data;
  int64_t elements = tessera_tensor_elements(tensor);
  int8_t lowest = tensor->dtype == TESSERA_I4 ? -8 : 0,
         highest = tensor->dtype == TESSERA_I4 ? 7 : 1;
  for (int64_t i = 0; i < elements; i++) {
    if (data[i] < lowest || data[i] > highest)
      return false;
    data[i] &= 0xf;
  }
  return true;
}

static void widen_bytes(int8_t *data, size_t count) {
  for (size_t i = 0; i < count; i++)
    data[i] = (int8_t)((data[i] & 0xf) - (data[i] & 8) * 2);
}

static tessera_status read_file(const char *path, FILE *file, tessera_dtype hint,
                                tessera_tensor *tensor) {
  npy_header header;
  tessera_status status = read_header(path, file, &header);
  if (status)
    return status;
  tessera_dtype type = type_of(header.descr, hint);
  if (!type)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "%s: arrays of numpy type '%s' are not supported",
                   path, header.descr);
  if (!file_can_hold(file, type, &header))
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its data", path);
  status = tessera_tensor_create(type, header.rank, header.shape, tensor);
  if (status)
    return status;
  status = read_data(path, file, &header, tensor);
  if (!status && (type == TESSERA_I1 || type == TESSERA_I4) && !narrow_bytes(tensor))
    status =
        tr_fail(TESSERA_ERROR_MISMATCH, "%s: a value does not fit %s", path, tr_dtype_name(type));
  return status;
}

tessera_status tessera_npy_read(const char *path, tessera_dtype dtype_hint,
                                tessera_tensor *tensor) {
  memset(tensor, 0, sizeof(*tensor));
  FILE *file = fopen(path, "rb");
  if (!file)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s: %s", path, strerror(errno));
  tessera_status status = read_file(path, file, dtype_hint, tensor);
  if (status)
    tessera_tensor_destroy(tensor);
  fclose(file);
  return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Formats the whole preamble, padded with spaces so that the data starts at a multiple of 64. */
static size_t format_header(const tessera_tensor *tensor, char *text, size_t capacity) {
  size_t used = 10;
  used += (size_t)snprintf(text + used, capacity - used,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (",
                           descr_of(tensor->dtype));
  for (int32_t i = 0; i < tensor->rank; i++)
    used +=
        (size_t)snprintf(text + used, capacity - used, "%s%" PRId64 "%s", i ? " " : "",
                         tensor->shape[i], i + 1 < tensor->rank || tensor->rank == 1 ? "," : "");
  used += (size_t)snprintf(text + used, capacity - used, "), }");
  while ((used + 1) % 64 != 0)
    text[used++] = ' ';
  text[used++] = '\n';
  memcpy(text, magic, sizeof(magic));
  text[6] = 1;
  text[7] = 0;
  text[8] = (char)((used - 10) & 0xff);
  text[9] = (char)((used - 10) >> 8);
  return used;
}

/* The data as a file has it: the tensor's own, or a copy in `*copy` (to be freed). */
static const void *file_data(const tessera_tensor *tensor, size_t bytes, void **copy) {
  *copy = NULL;
  if (bytes == 0 || (tensor->dtype != TESSERA_I4 && tr_tensor_is_dense(tensor)))
    return tensor->data;
  *copy = tessera_alloc(bytes);
  if (!*copy)
    return NULL;
  int64_t from[TR_MAX_RANK], to[TR_MAX_RANK];
  tr_tensor_strides(tensor, from);
  tr_dense_strides(tensor->rank, tensor->shape, to);
  tr_host_copy_strided(tessera_dtype_size(tensor->dtype), tensor->rank, tensor->shape, tensor->data,
                       from, *copy, to);
  if (tensor->dtype == TESSERA_I4)
    widen_bytes(*copy, bytes);
  return *copy;
}

tessera_status tessera_npy_write(const char *path, const tessera_tensor *tensor) {
  size_t bytes;
  if (!descr_of(tensor->dtype) || tensor->rank < 0 || tensor->rank > TR_MAX_RANK ||
      !tr_dense_bytes(tensor->dtype, tensor->rank, tensor->shape, &bytes))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s: not a tensor that can be written", path);
  char header[1024];
  size_t length = format_header(tensor, header, sizeof(header));
  void *copy;
  const void *data = file_data(tensor, bytes, &copy);
  if (bytes > 0 && !data)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, bytes);
  tr_output output;
  int error = tr_output_open(path, &output);
  if (!error) {
    tr_output_write(&output, header, length);
    tr_output_write(&output, data, bytes);
    error = tr_output_close(&output);
  }
  tessera_free(copy);
  if (error)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s: %s", path, strerror(error));
  return TESSERA_OK;
}
