/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The image of a program's kernels, and the tables that name it and the program's constants. It
 * knows records; it must not know how code is made. */
#include "lowering/targets/cuda/image.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "lowering/records.h"
#include "lowering/targets/cuda/assemble.h"
#include "lowering/targets/cuda/memory.h"
#include "lowering/targets/cuda/ptx.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tessera/device.h"

/* The table `symbol` in place of what only names it. */
static void make_table(ts_records *records, const char *symbol, intptr_t num, intptr_t num_fields,
                       const ts_field *fields) {
  mlirOperationDestroy(ts_module_symbol(records->module, symbol));
  ts_record_structs(records, symbol, mlirLocationUnknownGet(records->context), TS_INTERNAL, num,
                    num_fields, fields);
}

static void make_constants(ts_records *records) {
  enum { FIELDS = 4 };
  MlirOperation table = ts_module_symbol(records->module, TS_CUDA_CONSTANTS);
  if (!table.ptr)
    return;
  MlirAttribute symbols = ts_attribute(table, "tessera.symbols");
  MlirAttribute bytes = ts_attribute(table, "tessera.bytes");
  intptr_t num = mlirArrayAttrGetNumElements(symbols);
  ts_field *fields = TS_NEW(records->arena, ts_field, num * FIELDS);
  for (intptr_t i = 0; i < num; i++) {
    MlirStringRef symbol = mlirStringAttrGetValue(mlirArrayAttrGetElement(symbols, i));
    const ts_field row[FIELDS] = {
        TS_I32(sizeof(tessera_constant)), TS_I32(0),
        TS_POINTER(ts_arena_format(records->arena, "%.*s", (int)symbol.length, symbol.data)),
        TS_I64(mlirDenseI64ArrayGetElement(bytes, i))};
    memcpy(&fields[i * FIELDS], row, sizeof(row));
  }
  make_table(records, TS_CUDA_CONSTANTS, num, FIELDS, fields);
}

/* The kernels as PTX, and as machine code or NULL. */
typedef struct images {
  LLVMMemoryBufferRef text, cubin;
} images;

/* Words of memory that is aligned to them. */
static const char *record_words(ts_records *records, LLVMMemoryBufferRef bytes) {
  size_t size = LLVMGetBufferSize(bytes), words = (size + sizeof(int64_t) - 1) / sizeof(int64_t);
  int64_t *values = TS_NEW(records->arena, int64_t, words);
  memcpy(values, LLVMGetBufferStart(bytes), size);
  return ts_record_i64(records, (intptr_t)words, values);
}

static void make_modules(ts_records *records, const ts_code_options *options,
                         const images *images) {
  enum { FIELDS = 5 };
  const char *name = options->chip ? options->chip : TS_CUDA_CHIP;
  const char *chip = ts_record_text(records, mlirStringRefCreateFromCString(name));
  size_t size = images->text ? LLVMGetBufferSize(images->text) : 0;
  const char *text =
      images->text
          ? ts_record_text(records, mlirStringRefCreate(LLVMGetBufferStart(images->text), size))
          : NULL;
  const ts_field ptx[FIELDS] = {TS_I32(sizeof(tessera_image)), TS_I32(TESSERA_IMAGE_PTX),
                                TS_POINTER(chip), TS_POINTER(text), TS_I64(size + 1)};
  ts_field rows[2 * FIELDS];
  int num = 0;
  if (images->cubin) { /* the first that a GPU takes is used */
    const ts_field cubin[FIELDS] = {
        TS_I32(sizeof(tessera_image)), TS_I32(TESSERA_IMAGE_CUBIN), TS_POINTER(chip),
        TS_POINTER(record_words(records, images->cubin)), TS_I64(LLVMGetBufferSize(images->cubin))};
    memcpy(&rows[FIELDS * num++], cubin, sizeof(cubin));
  }
  memcpy(&rows[FIELDS * num++], ptx, sizeof(ptx));
  const ts_field module[] = {TS_I32(sizeof(tessera_module)), TS_I32(num),
                             TS_POINTER("tessera.images")};
  MlirLocation nowhere = mlirLocationUnknownGet(records->context);
  ts_record_structs(records, "tessera.images", nowhere, TS_INTERNAL, num, FIELDS, rows);
  make_table(records, TS_CUDA_MODULES, 1, 3, module);
}

/* PTX of the device's code; for a chip that somebody chose, and where ptxas is, machine code too.
 * False after diagnostics, or with `error` set. */
static bool make_images(MlirOperation device, const ts_code_options *options, images *images,
                        ts_code_error *error) {
  *images = (struct images){NULL, NULL};
  if (!device.ptr)
    return true;
  images->text = ts_cuda_ptx(device, options, error);
  char *ptxas = images->text && options->chip ? ts_cuda_find_ptxas() : NULL;
  if (ptxas)
    images->cubin = ts_cuda_assemble(ptxas, images->text, options->chip, options->opt_level, error);
  bool done = images->text && (!ptxas || images->cubin);
  free(ptxas);
  return done;
}

static void drop_images(const images *images) {
  if (images->text)
    LLVMDisposeMemoryBuffer(images->text);
  if (images->cubin)
    LLVMDisposeMemoryBuffer(images->cubin);
}

bool ts_cuda_embed(MlirOperation module, const ts_code_options *options, ts_code_error *error) {
  MlirOperation device = ts_cuda_device_module(module);
  images images;
  if (!make_images(device, options, &images, error)) {
    drop_images(&images);
    return false;
  }
  ts_arena arena = {0};
  ts_records records;
  ts_records_init(&records, &arena, module);
  if (ts_module_symbol(module, TS_CUDA_MODULES).ptr)
    make_modules(&records, options, &images);
  make_constants(&records);
  if (device.ptr)
    mlirOperationDestroy(device);
  drop_images(&images);
  ts_arena_free(&arena);
  return true;
}
