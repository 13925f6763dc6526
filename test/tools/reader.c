/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads files with bytes changed, cut and repeated, in memory of exactly their size: for a
 * sanitizer to see what is read beyond it. usage: reader FILE...; prints how many are still read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/files/crc.h"
#include "program/files/npy.h"
#include "program/files/zip.h"

enum { ROUNDS = 20000 };

static uint64_t state = 1;

static size_t draw(size_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)(state >> 33) % below;
}

static unsigned char *load(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    exit(1);
  *length = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*length + 1);
  if (!bytes || fread(bytes, 1, *length, file) != *length)
    exit(1);
  fclose(file);
  return bytes;
}

/* One value that numbers of sizes, counts and offsets break at, anywhere; perhaps a part cut off.
 */
static void spoil(unsigned char *bytes, size_t *length) {
  static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe, '(', ')', ',', '\'', '9'};
  size_t changes = 1 + draw(4);
  for (size_t i = 0; i < changes; i++) {
    size_t at = draw(*length), run = 1 + draw(8);
    unsigned char value = values[draw(sizeof(values))];
    if (draw(2))
      value = (unsigned char)draw(256);
    for (; run > 0 && at < *length; run--, at++)
      bytes[at] = value;
  }
  if (draw(4) == 0)
    *length = 1 + draw(*length);
}

static uint32_t sum;

static int parse(const char *name, const unsigned char *bytes, size_t length) {
  tr_npy npy;
  if (tr_npy_parse(name, bytes, length, (tessera_dtype)0, &npy) != TESSERA_OK)
    return 0;
  sum = tr_crc(sum, npy.data, npy.bytes);
  return 1;
}

static int list(const char *path, const unsigned char *bytes, size_t length) {
  tr_zip_member *members;
  int32_t count;
  int whole = 0;
  if (tr_zip_list(path, bytes, length, &members, &count) != TESSERA_OK)
    return 0;
  for (int32_t i = 0; i < count; i++)
    whole += parse(members[i].name, bytes + members[i].offset, members[i].length);
  tr_zip_free(members, count);
  return whole;
}

int main(int argc, char **argv) {
  int whole = 0;
  for (int i = 1; i < argc; i++) {
    size_t length;
    unsigned char *bytes = load(argv[i], &length);
    int (*reads)(const char *, const unsigned char *, size_t) = bytes[0] == 'P' ? list : parse;
    if (!reads(argv[i], bytes, length)) {
      printf("%s is not read as it is: %s\n", argv[i], tessera_last_error());
      return 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
      size_t left = length;
      unsigned char *spoilt = malloc(length);
      if (!spoilt)
        return 1;
      memcpy(spoilt, bytes, length);
      spoil(spoilt, &left);
      unsigned char *exact = malloc(left);
      if (!exact)
        return 1;
      memcpy(exact, spoilt, left);
      whole += reads(argv[i], exact, left) > 0;
      free(exact);
      free(spoilt);
    }
    free(bytes);
  }
  printf("%d still read, %u\n", whole, sum);
  return 0;
}
