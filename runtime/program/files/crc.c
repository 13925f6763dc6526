/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* CRC-32, eight bytes at a step.
 * It must not know archives. */
#include "program/files/crc.h"

/* table[k][b]: what byte b does to the checksum with k bytes of 0 behind it. */
typedef struct crc_table {
  uint32_t at[8][256];
} crc_table;

static void fill(crc_table *table) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    table->at[0][byte] = crc;
  }
  for (int k = 1; k < 8; k++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = table->at[k - 1][byte];
      table->at[k][byte] = crc >> 8 ^ table->at[0][crc & 0xff];
    }
}

uint32_t tr_crc(uint32_t crc, const void *bytes, size_t length) {
  crc_table table;
  fill(&table);
  const unsigned char *at = bytes;
  crc = ~crc;
  for (; length >= 8; length -= 8, at += 8) {
    uint32_t next = 0;
    for (int k = 0; k < 4; k++)
      next ^= table.at[7 - k][(crc >> 8 * k & 0xff) ^ at[k]] ^ table.at[3 - k][at[4 + k]];
    crc = next;
  }
  for (; length > 0; length--, at++)
    crc = crc >> 8 ^ table.at[0][(crc ^ *at) & 0xff];
  return ~crc;
}
