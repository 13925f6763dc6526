/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions of numbers for device code: upstream calls them by the names of a library that is not
 * free to carry; here they are LLVM's intrinsics, functions of our own (functions/f32.c), or of
 * libclc. It knows names; it must not know kernels. */
#include "lowering/targets/cuda/math.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include "lowering/targets/cuda/functions/bitcode.h"

static const char prefix[] = "__nv_", fast_prefix[] = "__nv_fast_";
enum { PREFIX = sizeof(prefix) - 1, FAST_PREFIX = sizeof(fast_prefix) - 1 };

/* Functions that an intrinsic does. */
static const char *const intrinsics[][2] = {
    {"fabs", "llvm.fabs"},         {"fma", "llvm.fma"},     {"floor", "llvm.floor"},
    {"ceil", "llvm.ceil"},         {"trunc", "llvm.trunc"}, {"round", "llvm.round"},
    {"rint", "llvm.rint"},         {"sqrt", "llvm.sqrt"},   {"nearbyint", "llvm.nearbyint"},
    {"copysign", "llvm.copysign"},
};

/* Where Debian has it, and where LLVM's own builds do. */
static const char *const libraries[] = {"/usr/lib/clc/nvptx64--.bc", "/usr/share/clc/nvptx64--.bc",
                                        "/usr/lib/llvm-22/share/clc/nvptx64--.bc"};

/* ---- names ----------------------------------------------------------------------------------- */

static LLVMTypeRef first_parameter(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[8];
  unsigned num = LLVMCountParamTypes(type);
  if (num == 0 || num > 8)
    return NULL;
  LLVMGetParamTypes(type, parameters);
  return parameters[0];
}

/* "exp" of __nv_expf and __nv_exp. */
static void base_name(LLVMValueRef function, const char *name, char *base, size_t size) {
  LLVMTypeRef type = first_parameter(function);
  bool is_single = type && LLVMGetTypeKind(type) == LLVMFloatTypeKind;
  size_t length = strlen(name + PREFIX);
  if (is_single && length > 0 && name[PREFIX + length - 1] == 'f')
    length--;
  snprintf(base, size, "%.*s", (int)length, name + PREFIX);
  if (strcmp(base, "powi") == 0)
    snprintf(base, size, "pown");
}

static bool become_intrinsic(LLVMValueRef function, const char *base) {
  LLVMTypeRef type = first_parameter(function);
  char name[64];
  for (size_t i = 0; i < sizeof(intrinsics) / sizeof(intrinsics[0]); i++)
    if (strcmp(intrinsics[i][0], base) == 0) {
      int length = snprintf(name, sizeof(name), "%s.%s", intrinsics[i][1],
                            LLVMGetTypeKind(type) == LLVMFloatTypeKind ? "f32" : "f64");
      unsigned id = LLVMLookupIntrinsicID(name, (size_t)length);
      LLVMValueRef intrinsic =
          LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(function), id, &type, 1);
      LLVMReplaceAllUsesWith(function, intrinsic);
      return true;
    }
  return false;
}

/* libclc's functions are named as C++ functions are: _Z3expf. */
static void rename_to_libclc(LLVMValueRef function, const char *base) {
  LLVMTypeRef parameters[8];
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMGetParamTypes(type, parameters);
  char name[96];
  int length = snprintf(name, sizeof(name), "_Z%zu%s", strlen(base), base);
  for (unsigned i = 0; i < LLVMCountParamTypes(type); i++)
    switch (LLVMGetTypeKind(parameters[i])) {
    case LLVMFloatTypeKind:
      name[length++] = 'f';
      break;
    case LLVMDoubleTypeKind:
      name[length++] = 'd';
      break;
    default:
      name[length++] = 'i';
      break;
    }
  LLVMSetValueName2(function, name, (size_t)length);
}

/* Questions with an answer of i32 that have no function there: as comparisons. */
static bool become_question(LLVMValueRef function, const char *name) {
  static const char *const questions[] = {"isinf", "isnan", "finite", "isfinite"};
  int found = -1;
  char base[64];
  snprintf(base, sizeof(base), "%s", name + PREFIX);
  size_t length = strlen(base);
  for (int i = 0; i < 4 && found < 0; i++)
    if (strncmp(base, questions[i], strlen(questions[i])) == 0 &&
        (length - strlen(questions[i]) <= 1))
      found = i;
  if (found < 0)
    return false;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMTypeRef type = first_parameter(function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMValueRef value = LLVMGetParam(function, 0), zero = LLVMConstReal(type, 0);
  /* x - x is 0 for finite numbers alone. */
  LLVMValueRef difference = LLVMBuildFSub(builder, value, value, "");
  LLVMValueRef finite = LLVMBuildFCmp(builder, LLVMRealOEQ, difference, zero, "");
  LLVMValueRef nan = LLVMBuildFCmp(builder, LLVMRealUNO, value, value, "");
  LLVMValueRef answer = found == 1 ? nan : finite;
  if (found == 0)
    answer = LLVMBuildNot(builder, LLVMBuildOr(builder, finite, nan, ""), "");
  LLVMBuildRet(builder, LLVMBuildZExt(builder, answer, LLVMInt32TypeInContext(context), ""));
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return true;
}

/* True if libclc has to be there for it. */
static bool rename_function(LLVMValueRef function, const char *name) {
  char base[64];
  if (become_question(function, name))
    return false;
  base_name(function, name, base, sizeof(base));
  if (become_intrinsic(function, base))
    return false;
  rename_to_libclc(function, base);
  return true;
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* x to a small whole power as products, whose errors are below those of any function. Infinities,
 * NaN and signs are as theirs: a square that is subnormal or overflows is part of what does, too.
 */
static LLVMValueRef as_products(LLVMBuilderRef builder, LLVMValueRef x, double power) {
  LLVMValueRef square = LLVMBuildFMul(builder, x, x, "");
  if (power == 2)
    return square;
  return LLVMBuildFMul(builder, square, power == 3 ? x : square, "");
}

static void multiply_powers(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
    LLVMBool loses;
    LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    LLVMValueRef by = LLVMIsACallInst(call) ? LLVMIsAConstantFP(LLVMGetOperand(call, 1)) : NULL;
    double power = by ? LLVMConstRealGetDouble(by, &loses) : 0;
    if (power != 2 && power != 3 && power != 4)
      continue;
    LLVMPositionBuilderBefore(builder, call);
    LLVMReplaceAllUsesWith(call, as_products(builder, LLVMGetOperand(call, 0), power));
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(builder);
}

/* ---- libraries ------------------------------------------------------------------------------- */

/* What `module` calls of `library` becomes part of it. Takes the library. */
static bool link_library(LLVMModuleRef module, LLVMModuleRef library) {
  LLVMSetTarget(library, LLVMGetTarget(module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
  return LLVMLinkModules2(module, library) == 0;
}

/* Functions of our own are there where clang was, when Tessera was built. */
static bool link_own(LLVMModuleRef module, ts_code_error *error) {
  static const char *const of_a_chip[] = {"target-cpu", "target-features"};
  size_t size = sizeof(functions_f32_bc) - 1;
  LLVMModuleRef library;
  if (size == 0)
    return true;
  LLVMMemoryBufferRef code = LLVMCreateMemoryBufferWithMemoryRange(functions_f32_bc, size, "", 0);
  bool done = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), code, &library) == 0;
  LLVMDisposeMemoryBuffer(code);
  for (LLVMValueRef f = done ? LLVMGetFirstFunction(library) : NULL; f; f = LLVMGetNextFunction(f))
    for (int i = 0; i < 2; i++)
      LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, of_a_chip[i],
                                       (unsigned)strlen(of_a_chip[i]));
  if (done && link_library(module, library))
    return true;
  snprintf(error->text, sizeof(error->text), "functions of f32 cannot be linked to kernels");
  return false;
}

const char *ts_cuda_find_libclc(void) {
  for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
    if (access(libraries[i], R_OK) == 0)
      return libraries[i];
  return NULL;
}

static LLVMModuleRef read_libclc(LLVMContextRef context) {
  LLVMMemoryBufferRef file;
  char *message = NULL;
  LLVMModuleRef library = NULL;
  const char *path = ts_cuda_find_libclc();
  if (!path)
    return NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &message) != 0) {
    LLVMDisposeMessage(message);
    return NULL;
  }
  /* Lazily: what nobody calls is not read. */
  if (LLVMGetBitcodeModuleInContext2(context, file, &library) == 0)
    return library;
  LLVMDisposeMemoryBuffer(file);
  return NULL;
}

static bool link_libclc(LLVMModuleRef module, ts_code_error *error) {
  LLVMModuleRef library = read_libclc(LLVMGetModuleContext(module));
  if (!library) {
    snprintf(error->text, sizeof(error->text),
             "kernels call functions of numbers whose code is in libclc, which was not found at "
             "%s: install the package libclc-22",
             libraries[0]);
    return false;
  }
  if (link_library(module, library))
    return true;
  snprintf(error->text, sizeof(error->text), "libclc (%s) cannot be linked to kernels",
           libraries[0]);
  return false;
}

/* A function without code would be an error of the driver, at the launch. */
static bool check_linked(LLVMModuleRef module, ts_code_error *error) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) && LLVMGetIntrinsicID(f) == 0 && LLVMGetFirstUse(f)) {
      size_t length;
      error->about_source = true;
      snprintf(error->text, sizeof(error->text),
               "kernels call '%s', for which there is no code on a GPU",
               LLVMGetValueName2(f, &length));
      return false;
    }
  return true;
}

static LLVMValueRef next_missing(LLVMValueRef f) {
  size_t length;
  while (f && !(LLVMIsDeclaration(f) && LLVMGetFirstUse(f) &&
                strncmp(LLVMGetValueName2(f, &length), prefix, PREFIX) == 0))
    f = LLVMGetNextFunction(f);
  return f;
}

/* What may be less exact has the code of what may not. */
static void forget_fast(LLVMModuleRef module) {
  for (LLVMValueRef f = next_missing(LLVMGetFirstFunction(module)), next; f; f = next) {
    size_t length;
    char name[96];
    next = next_missing(LLVMGetNextFunction(f));
    if (strncmp(LLVMGetValueName2(f, &length), fast_prefix, FAST_PREFIX) != 0)
      continue;
    snprintf(name, sizeof(name), "%s%s", prefix, LLVMGetValueName2(f, &length) + FAST_PREFIX);
    LLVMValueRef exact = LLVMGetNamedFunction(module, name);
    if (exact)
      LLVMReplaceAllUsesWith(f, exact);
    else
      LLVMSetValueName2(f, name, strlen(name));
  }
}

bool ts_cuda_link_math(LLVMModuleRef module, ts_code_error *error) {
  bool needed = false;
  forget_fast(module);
  multiply_powers(module, "__nv_powf");
  multiply_powers(module, "__nv_pow");
  if (next_missing(LLVMGetFirstFunction(module)) && !link_own(module, error))
    return false;
  for (LLVMValueRef f = next_missing(LLVMGetFirstFunction(module)), next; f; f = next) {
    size_t length;
    next = next_missing(LLVMGetNextFunction(f));
    needed |= rename_function(f, LLVMGetValueName2(f, &length));
  }
  return (!needed || link_libclc(module, error)) && check_linked(module, error);
}
