/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The header of a .npy file (numpy's format, versions 1 to 3): element type, order, shape.
 * It must not know files, nor what is done with the values. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/files/npy.h"
#include "support/error.h"

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

/* Where the dictionary is: behind magic, version and a length of 2 or 4 bytes. */
typedef struct npy_text {
  size_t start, length;
} npy_text;

static tessera_status find_text(const char *name, const unsigned char *bytes, size_t length,
                                npy_text *text) {
  if (length < 10 || memcmp(bytes, magic, sizeof(magic)) != 0)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: not a .npy file", name);
  unsigned version = bytes[6];
  if (version < 1 || version > 3)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "%s: .npy version %u is not supported", name,
                   version);
  *text = (npy_text){10, bytes[8] | (size_t)bytes[9] << 8};
  if (version > 1 && length >= 12)
    *text = (npy_text){12, text->length | (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24};
  if ((version > 1 && length < 12) || text->length > MAX_HEADER ||
      text->length > length - text->start)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its header", name);
  return TESSERA_OK;
}

static tessera_status read_header(const char *name, const unsigned char *bytes, size_t length,
                                  npy_header *header, size_t *end) {
  npy_text where = {0, 0};
  tessera_status status = find_text(name, bytes, length, &where);
  if (status)
    return status;
  char *text = strndup((const char *)bytes + where.start, where.length);
  if (!text)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for its header", name);
  bool parsed = parse_header(text, header);
  free(text);
  *end = where.start + where.length;
  if (parsed)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                 "%s: the header does not describe an array of numbers of at most %d dimensions",
                 name, TR_MAX_RANK);
}

tessera_status tr_npy_parse(const char *name, const void *bytes, size_t length, tessera_dtype hint,
                            tr_npy *npy) {
  npy_header header;
  size_t end = 0;
  tessera_status status = read_header(name, bytes, length, &header, &end);
  if (status)
    return status;
  *npy = (tr_npy){.type = type_of(header.descr, hint),
                  .rank = header.rank,
                  .fortran = header.fortran,
                  .data = (const char *)bytes + end};
  memcpy(npy->shape, header.shape, sizeof(npy->shape));
  if (!npy->type)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "%s: arrays of numpy type '%s' are not supported",
                   name, header.descr);
  if (!tr_dense_bytes(npy->type, npy->rank, npy->shape, &npy->bytes) || npy->bytes > length - end)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file ends within its data", name);
  if (npy->bytes < length - end)
    return tr_fail(TESSERA_ERROR_MISMATCH, "%s: the file goes on after its data", name);
  return TESSERA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool tr_npy_can_write(tessera_dtype type) {
  return descr_of(type) != NULL;
}

size_t tr_npy_header(const tessera_tensor *tensor, char *text, size_t capacity) {
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
