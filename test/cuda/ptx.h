/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* PTX read and run on the host, instruction by instruction: slow, and exact about memory. What it
 * does not know is an error. It must not know streams or the driver. */
#ifndef TESSERA_TEST_CUDA_PTX_H
#define TESSERA_TEST_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_space {
  SPACE_GENERIC,
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL,
  SPACE_PARAM
} ptx_space;

/* Types by their bits and what they are; predicates have one. */
typedef enum ptx_class {
  CLASS_BITS,
  CLASS_UNSIGNED,
  CLASS_SIGNED,
  CLASS_FLOAT,
  CLASS_BF16
} ptx_class;

typedef struct ptx_type {
  uint8_t bits; /* 1: a predicate; 0: none */
  uint8_t class;
  uint8_t lanes; /* 2: of f16x2 */
} ptx_type;

typedef enum ptx_kind {
  OPERAND_NONE,
  OPERAND_REGISTER,
  OPERAND_NUMBER,
  OPERAND_SPECIAL,
  OPERAND_MEMORY, /* [register + number] */
  OPERAND_VECTOR
} ptx_kind;

typedef struct ptx_operand {
  uint8_t kind;
  uint8_t count; /* of a vector */
  bool negated;  /* a predicate */
  int32_t slots[4];
  uint64_t number;     /* or offset, or special register */
  uint64_t numbers[4]; /* of a vector, where a slot is -1 */
} ptx_operand;

enum { PTX_OPERANDS = 6 };

typedef struct ptx_instruction {
  uint16_t op;
  int32_t guard; /* slot of a predicate; -1: none */
  bool guard_negated;
  ptx_type type, from; /* `from` of cvt, set, slct */
  uint8_t space, vector;
  uint8_t compare, combine; /* of setp */
  char rounding[4];
  bool wide, high, saturates, clamps, keeps_nan, relu, approximate, flushes, to_space;
  uint8_t mode; /* of shfl, vote, atom, prmt */
  int32_t target;
  int32_t *targets; /* of brx.idx */
  int32_t num_targets;
  ptx_operand operands[PTX_OPERANDS];
  int32_t line;
} ptx_instruction;

typedef struct ptx_parameter {
  char name[64];
  size_t offset, bytes;
} ptx_parameter;

typedef struct ptx_kernel {
  struct ptx_kernel *next;
  char name[256];
  ptx_parameter *parameters;
  int32_t num_parameters;
  size_t parameter_bytes;
  ptx_instruction *code;
  int32_t length;
  int32_t num_slots;
  size_t local_bytes, shared_bytes;
} ptx_kernel;

typedef struct ptx_module {
  ptx_kernel *kernels;
  size_t shared_bytes; /* of the module's own arrays */
} ptx_module;

/* NULL with a message where the text has something that is not known. `place_global` gives memory
 * of the device for what the module keeps there, and may be asked for zeros or `data`. */
typedef uint64_t ptx_place_global(const void *data, size_t bytes);
ptx_module *ptx_parse(const char *text, ptx_place_global *place_global, char *message,
                      size_t capacity);
void ptx_free(ptx_module *module);
const ptx_kernel *ptx_find(const ptx_module *module, const char *name);

typedef struct ptx_launch {
  const ptx_kernel *kernel;
  uint32_t blocks[3], threads[3];
  size_t shared_bytes; /* besides those of the code */
  char *parameters;    /* kernel->parameter_bytes */
} ptx_launch;

/* The host's address of `bytes` of the device; NULL: there is no such memory. */
__attribute__((visibility("default"))) char *device_memory(uint64_t address, size_t bytes);

/* Runs all blocks. False with a message where an access is none, or threads wait for ever. */
bool ptx_run(const ptx_launch *launch, char *message, size_t capacity);

/* clang-format off */
/* ---- between reading and running ------------------------------------------------------------- */

enum {
  OP_ABS, OP_ADD, OP_AND, OP_ATOM, OP_BAR, OP_BFE, OP_BFI, OP_BRA, OP_BREV, OP_BRX, OP_CLZ,
  OP_CNOT, OP_COPYSIGN, OP_COS, OP_CVT, OP_CVTA, OP_DIV, OP_EX2, OP_EXIT, OP_FMA, OP_ISSPACE,
  OP_LD, OP_LG2, OP_LOP3, OP_MAD, OP_MAX, OP_MEMBAR, OP_MIN, OP_MOV, OP_MUL, OP_NEG, OP_NOT,
  OP_OR, OP_POPC, OP_PRMT, OP_RCP, OP_REM, OP_RSQRT, OP_SAD, OP_SELP, OP_SETP, OP_SHF, OP_SHFL,
  OP_SHL, OP_SHR, OP_SIN, OP_SQRT, OP_ST, OP_SUB, OP_TANH, OP_TESTP, OP_TRAP, OP_VOTE, OP_XOR
};

enum { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE, COMPARE_NUM,
       COMPARE_NAN, COMPARE_UNORDERED = 16 };

enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

enum { MODE_UP, MODE_DOWN, MODE_BFLY, MODE_IDX, MODE_ALL, MODE_ANY, MODE_UNI, MODE_BALLOT,
       MODE_ADD, MODE_MIN, MODE_MAX, MODE_EXCH, MODE_CAS, MODE_AND, MODE_OR, MODE_XOR,
       MODE_LEFT, MODE_RIGHT };

/* clang-format on */
/* Special registers: these, times four, and x, y or z. */
enum {
  SPECIAL_TID,
  SPECIAL_NTID,
  SPECIAL_CTAID,
  SPECIAL_NCTAID,
  SPECIAL_LANEID,
  SPECIAL_WARPID,
  SPECIAL_WARP_SIZE
};

/* Where generic addresses of memory that is no block of the device begin. */
#define SHARED_WINDOW (UINT64_C(1) << 60)
#define LOCAL_WINDOW (UINT64_C(1) << 59)
#define PARAM_WINDOW (UINT64_C(1) << 58)

#endif /* TESSERA_TEST_CUDA_PTX_H */
