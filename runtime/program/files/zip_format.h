/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The records of ZIP archives (PKWARE's APPNOTE.TXT): signatures, sizes, where fields are.
 * It must not know how they are read or written. */
#ifndef TESSERA_RUNTIME_PROGRAM_FILES_ZIP_FORMAT_H
#define TESSERA_RUNTIME_PROGRAM_FILES_ZIP_FORMAT_H

/* What each record starts with. */
#define ZIP_LOCAL UINT32_C(0x04034b50)
#define ZIP_CENTRAL UINT32_C(0x02014b50)
#define ZIP_END UINT32_C(0x06054b50)
#define ZIP64_END UINT32_C(0x06064b50)
#define ZIP64_LOCATOR UINT32_C(0x07064b50)

/* Their bytes without names, extra fields and comments. */
enum {
  ZIP_LOCAL_SIZE = 30,
  ZIP_CENTRAL_SIZE = 46,
  ZIP_END_SIZE = 22,
  ZIP64_END_SIZE = 56,
  ZIP64_LOCATOR_SIZE = 20
};

/* A field that holds this has its number in a zip64 record. */
#define ZIP_IN_ZIP64 UINT32_C(0xffffffff)
enum { ZIP_IN_ZIP64_SHORT = 0xffff, ZIP64_EXTRA = 1 };

#endif /* TESSERA_RUNTIME_PROGRAM_FILES_ZIP_FORMAT_H */
