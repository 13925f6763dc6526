/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The image of a program's kernels, and the tables that name it and the program's constants. It
 * knows records; it must not know how code is made. */
#include "lowering/targets/cuda/image.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "lowering/records.h"
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

static void make_modules(ts_records *records, const ts_code_options *options,
                         LLVMMemoryBufferRef text) {
  const char *chip = options->chip ? options->chip : TS_CUDA_CHIP;
  size_t size = text ? LLVMGetBufferSize(text) : 0;
  const ts_field image[] = {
      TS_I32(sizeof(tessera_image)), TS_I32(TESSERA_IMAGE_PTX),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(chip))),
      TS_POINTER(text ? ts_record_text(records, mlirStringRefCreate(LLVMGetBufferStart(text), size))
                      : NULL),
      TS_I64(size + 1)};
  const ts_field module[] = {TS_I32(sizeof(tessera_module)), TS_I32(1),
                             TS_POINTER("tessera.images")};
  MlirLocation nowhere = mlirLocationUnknownGet(records->context);
  ts_record_structs(records, "tessera.images", nowhere, TS_INTERNAL, 1, 5, image);
  make_table(records, TS_CUDA_MODULES, 1, 3, module);
}

bool ts_cuda_embed(MlirOperation module, const ts_code_options *options, ts_code_error *error) {
  MlirOperation device = ts_cuda_device_module(module);
  LLVMMemoryBufferRef text = device.ptr ? ts_cuda_ptx(device, options, error) : NULL;
  if (device.ptr && !text)
    return false;
  ts_arena arena = {0};
  ts_records records;
  ts_records_init(&records, &arena, module);
  if (ts_module_symbol(module, TS_CUDA_MODULES).ptr)
    make_modules(&records, options, text);
  make_constants(&records);
  if (device.ptr)
    mlirOperationDestroy(device);
  if (text)
    LLVMDisposeMemoryBuffer(text);
  ts_arena_free(&arena);
  return true;
}
