/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The runtime's tables of reductions and conversions, so that what it lacks is said before a
 * program runs. Knows the runtime's numbers, not ops. */
#include "reductions.h"

#include <stddef.h>

#include "tessera/runtime.h"

typedef enum family { OPAQUE, BOOLEAN, INTEGER, FLOAT, COMPLEX, NUM_FAMILIES } family;

/* `digits`: bits of precision, to tell wider from narrower. */
static const struct {
  uint8_t family, digits;
} elements[] = {
    [TESSERA_I1] = {BOOLEAN, 1},   [TESSERA_I4] = {OPAQUE, 4},      [TESSERA_I8] = {INTEGER, 8},
    [TESSERA_I16] = {INTEGER, 16}, [TESSERA_I32] = {INTEGER, 32},   [TESSERA_I64] = {INTEGER, 64},
    [TESSERA_U8] = {INTEGER, 8},   [TESSERA_U16] = {INTEGER, 16},   [TESSERA_U32] = {INTEGER, 32},
    [TESSERA_U64] = {INTEGER, 64}, [TESSERA_INDEX] = {INTEGER, 64}, [TESSERA_F16] = {FLOAT, 11},
    [TESSERA_BF16] = {FLOAT, 8},   [TESSERA_F32] = {FLOAT, 24},     [TESSERA_F64] = {FLOAT, 53},
    [TESSERA_C64] = {COMPLEX, 24}, [TESSERA_C128] = {COMPLEX, 53},  [TESSERA_F8] = {OPAQUE, 3},
};

#define BIT(reduction) (1u << TESSERA_##reduction)
#define BITWISE (BIT(AND) | BIT(OR) | BIT(XOR))
#define ORDERED (BIT(SUM) | BIT(PRODUCT) | BIT(MAX) | BIT(MIN))

static const uint32_t meanings[NUM_FAMILIES] = {
    [BOOLEAN] = ORDERED | BITWISE | BIT(UMAX) | BIT(UMIN),
    [INTEGER] = ORDERED | BITWISE | BIT(AVERAGE) | BIT(UMAX) | BIT(UMIN),
    [FLOAT] = ORDERED | BIT(AVERAGE) | BIT(MAXNUM) | BIT(MINNUM),
    [COMPLEX] = BIT(SUM) | BIT(PRODUCT) | BIT(AVERAGE),
};

static const char *const names[] = {
    [TESSERA_REDUCTION_NONE] = "none",
    [TESSERA_SUM] = "sum",
    [TESSERA_MAX] = "max",
    [TESSERA_MIN] = "min",
    [TESSERA_PRODUCT] = "product",
    [TESSERA_AVERAGE] = "average",
    [TESSERA_AND] = "bitwise_and",
    [TESSERA_OR] = "bitwise_or",
    [TESSERA_XOR] = "bitwise_xor",
    [TESSERA_UMAX] = "umax",
    [TESSERA_UMIN] = "umin",
    [TESSERA_MAXNUM] = "maxnum",
    [TESSERA_MINNUM] = "minnum",
};

bool ts_reduction_has_meaning(int32_t reduction, int32_t type) {
  return meanings[elements[type].family] >> reduction & 1;
}

const char *ts_reduction_name(int32_t reduction) {
  return names[reduction];
}

bool ts_reduction_converts(int32_t from, int32_t to) {
  if (from == to)
    return true;
  family source = elements[from].family, target = elements[to].family;
  uint8_t before = elements[from].digits, after = elements[to].digits;
  if (source == OPAQUE || target == OPAQUE || target == BOOLEAN)
    return false;
  if (source <= INTEGER)
    return target != INTEGER || after >= before;
  return target >= source && after > before;
}
