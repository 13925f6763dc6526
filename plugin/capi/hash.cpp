/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* LLVM's hash for content. It must not know what is hashed. */
#include "capi.h"

#include <cstring>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"

void ts_sha256(const void *data, size_t size, unsigned char digest[TS_SHA256_SIZE]) {
  auto hash = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(static_cast<const uint8_t *>(data), size));
  memcpy(digest, hash.data(), TS_SHA256_SIZE);
}
