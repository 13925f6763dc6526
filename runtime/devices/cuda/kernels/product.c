/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels of matrix products and convolutions for every type and stride: a thread adds up the
 * products of one element, in order. It must not know libraries that are faster. */
#include "element.h"
#include "parameters.h"

/* ---- sums ------------------------------------------------------------------------------------ */

/* Each way to add up: a type, how an element becomes one, and back. */
typedef struct complex_f32 {
  float real, imaginary;
} complex_f32;

typedef struct complex_f64 {
  double real, imaginary;
} complex_f64;

#define OF_REAL(ctype, value) ((ctype)(value).real)
#define OF_COMPLEX(ctype, value) ((ctype){(value).real, (value).imaginary})
#define OF_INTEGER(ctype, value) ((value).integer)

#define ADD_REAL(sum, x, y) (sum) += (x) * (y)
#define ADD_COMPLEX(sum, x, y)                                                                     \
  (sum).real += (x).real * (y).real - (x).imaginary * (y).imaginary;                               \
  (sum).imaginary += (x).real * (y).imaginary + (x).imaginary * (y).real

#define FROM_REAL(sum) ((number){.real = (sum)})
#define FROM_COMPLEX(sum) ((number){.real = (sum).real, .imaginary = (sum).imaginary})
#define FROM_INTEGER(sum) ((number){.integer = (sum)})

/* ---- matrices -------------------------------------------------------------------------------- */

#define GEMM_KERNEL(name, ctype, OF, ADD, FROM)                                                    \
  KERNEL name(gemm_parameters p) {                                                                 \
    int64_t in_size = size_of(p.input), out_size = size_of(p.output);                              \
    int64_t count = p.batch * p.m * p.n;                                                           \
    for (int64_t i = first_index(); i < count; i += index_step()) {                                \
      int64_t column = i % p.n, row = i / p.n % p.m, batch = i / p.n / p.m;                        \
      const char *a = p.a + (batch * p.a_strides[0] + row * p.a_strides[1]) * in_size;             \
      const char *b = p.b + (batch * p.b_strides[0] + column * p.b_strides[2]) * in_size;          \
      char *c = p.c + (batch * p.c_strides[0] + row * p.c_strides[1] + column * p.c_strides[2]) *  \
                          out_size;                                                                \
      number start = {0};                                                                          \
      if (!p.overwrite)                                                                            \
        start = load_number(p.output, c);                                                          \
      ctype sum = OF(ctype, start);                                                                \
      for (int64_t k = 0; k < p.k; k++) {                                                          \
        number left = load_number(p.input, a + k * p.a_strides[2] * in_size);                      \
        number right = load_number(p.input, b + k * p.b_strides[1] * in_size);                     \
        left = as_number_of(left, p.input, p.output);                                              \
        right = as_number_of(right, p.input, p.output);                                            \
        ctype x = OF(ctype, left), y = OF(ctype, right);                                           \
        ADD(sum, x, y);                                                                            \
      }                                                                                            \
      store_number(p.output, FROM(sum), c);                                                        \
    }                                                                                              \
  }

GEMM_KERNEL(tessera_gemm_integers, uint64_t, OF_INTEGER, ADD_REAL, FROM_INTEGER)
GEMM_KERNEL(tessera_gemm_f32, float, OF_REAL, ADD_REAL, FROM_REAL)
GEMM_KERNEL(tessera_gemm_f64, double, OF_REAL, ADD_REAL, FROM_REAL)
GEMM_KERNEL(tessera_gemm_c64, complex_f32, OF_COMPLEX, ADD_COMPLEX, FROM_COMPLEX)
GEMM_KERNEL(tessera_gemm_c128, complex_f64, OF_COMPLEX, ADD_COMPLEX, FROM_COMPLEX)

/* c = residual + bias, which a product is added to. */
KERNEL tessera_addends(addend_parameters p) {
  int64_t size = size_of(p.type);
  for (int64_t i = first_index(); i < p.count; i += index_step()) {
    int64_t column = i % p.n, row = i / p.n % p.m, batch = i / p.n / p.m;
    const int64_t *from = p.residual_strides, *to = p.c_strides;
    number sum = {0}, bias = {0};
    if (p.residual)
      sum = load_number(p.type,
                        p.residual + (batch * from[0] + row * from[1] + column * from[2]) * size);
    if (p.bias)
      bias = load_number(p.type, p.bias + column * p.bias_stride * size);
    sum.real += bias.real;
    store_number(p.type, sum, p.c + (batch * to[0] + row * to[1] + column * to[2]) * size);
  }
}

/* ---- activations ----------------------------------------------------------------------------- */

/* e^x within 1e-15 of itself; where doubles end, 0 and what is far from 1. There is no libm. */
INLINE double exponential(double x) {
  static const double factors[] = {1,
                                   1,
                                   1.0 / 2,
                                   1.0 / 6,
                                   1.0 / 24,
                                   1.0 / 120,
                                   1.0 / 720,
                                   1.0 / 5040,
                                   1.0 / 40320,
                                   1.0 / 362880,
                                   1.0 / 3628800,
                                   1.0 / 39916800,
                                   1.0 / 479001600,
                                   1.0 / 6227020800};
  static const double to_nearest = 0x1.8p52, log2e = 0x1.71547652b82fep0;
  static const double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  if (x < -708)
    return 0;
  if (x > 708)
    x = 708;
  double shifted = x * log2e + to_nearest, power = shifted - to_nearest;
  double rest = (x - power * ln2_high) - power * ln2_low, sum = 0; /* |rest| < 0.35 */
#pragma unroll
  for (int n = 13; n >= 0; n--)
    sum = sum * rest + factors[n];
  uint64_t scale;
  __builtin_memcpy(&scale, &shifted, sizeof(scale)); /* the power, in the last bits */
  scale = (scale + 1023) << 52;
  double two_to_power;
  __builtin_memcpy(&two_to_power, &scale, sizeof(scale));
  return sum * two_to_power;
}

/* 1 + tanh(u) = 2 * e^2u / (e^2u + 1) loses no digits where tanh is close to -1. */
INLINE double gelu(double x) {
  double e = exponential(2 * 0.79788456080286535588 * (x + 0.044715 * x * x * x));
  return x * (e / (e + 1));
}

/* c = its activation, as planes/product.h says. */
KERNEL tessera_activate(activate_parameters p) {
  int64_t size = size_of(p.type);
  for (int64_t i = first_index(); i < p.count; i += index_step()) {
    int64_t column = i % p.n, row = i / p.n % p.m, batch = i / p.n / p.m;
    char *c =
        p.c + (batch * p.c_strides[0] + row * p.c_strides[1] + column * p.c_strides[2]) * size;
    number x = load_number(p.type, c);
    if (p.is_gelu)
      x.real = gelu(x.real);
    else
      x.real = x.real <= 0 ? 0 : x.real; /* a NaN stays */
    store_number(p.type, x, c);
  }
}

/* ---- convolutions ---------------------------------------------------------------------------- */

/* Dimensions of the window come behind three others: of the filter group, output and input
 * channel, of the output batch, group and output channel, of the input batch, group, input channel.
 */
enum { WINDOW = 3 };

INLINE void window_offsets(const conv_parameters *p, int64_t index, int64_t *input,
                           int64_t *filter) {
  for (int64_t dim = p->rank - 1; dim >= WINDOW; dim--) {
    int64_t at = index % p->filter_sizes[dim];
    index /= p->filter_sizes[dim];
    *input += at * p->dilations[dim - WINDOW] * p->input_strides[dim];
    *filter += at * p->filter_strides[dim];
  }
  *input += index * p->input_strides[2];
  *filter += index * p->filter_strides[2];
}

/* Offsets of output element `index`, and of what its window sees first. */
INLINE void place_offsets(const conv_parameters *p, int64_t index, int64_t *input, int64_t *filter,
                          int64_t *output) {
  for (int64_t dim = p->rank - 1; dim >= WINDOW; dim--) {
    int64_t at = index % p->output_sizes[dim];
    index /= p->output_sizes[dim];
    *input += at * p->steps[dim - WINDOW] * p->input_strides[dim];
    *output += at * p->output_strides[dim];
  }
  int64_t channel = index % p->output_sizes[2], rest = index / p->output_sizes[2];
  int64_t group = rest % p->output_sizes[1], batch = rest / p->output_sizes[1];
  *input += batch * p->input_strides[0] + group * p->input_strides[1];
  *filter += group * p->filter_strides[0] + channel * p->filter_strides[1];
  *output +=
      batch * p->output_strides[0] + group * p->output_strides[1] + channel * p->output_strides[2];
}

#define CONV_KERNEL(name, ctype, OF, ADD, FROM)                                                    \
  KERNEL name(conv_parameters p) {                                                                 \
    int64_t in_size = size_of(p.input_type), out_size = size_of(p.output_type);                    \
    int64_t terms = 1;                                                                             \
    for (int64_t dim = 2; dim < p.rank; dim++)                                                     \
      terms *= p.filter_sizes[dim];                                                                \
    for (int64_t i = first_index(); i < p.count; i += index_step()) {                              \
      int64_t input = 0, filter = 0, output = 0;                                                   \
      place_offsets(&p, i, &input, &filter, &output);                                              \
      number start = {0};                                                                          \
      if (!p.overwrite)                                                                            \
        start = load_number(p.output_type, p.output + output * out_size);                          \
      ctype sum = OF(ctype, start);                                                                \
      for (int64_t k = 0; k < terms; k++) {                                                        \
        int64_t seen = input, weight = filter;                                                     \
        window_offsets(&p, k, &seen, &weight);                                                     \
        number left = load_number(p.input_type, p.input + seen * in_size);                         \
        number right = load_number(p.input_type, p.filter + weight * in_size);                     \
        left = as_number_of(left, p.input_type, p.output_type);                                    \
        right = as_number_of(right, p.input_type, p.output_type);                                  \
        ctype x = OF(ctype, left), y = OF(ctype, right);                                           \
        ADD(sum, x, y);                                                                            \
      }                                                                                            \
      store_number(p.output_type, FROM(sum), p.output + output * out_size);                        \
    }                                                                                              \
  }

CONV_KERNEL(tessera_conv_integers, uint64_t, OF_INTEGER, ADD_REAL, FROM_INTEGER)
CONV_KERNEL(tessera_conv_f32, float, OF_REAL, ADD_REAL, FROM_REAL)
CONV_KERNEL(tessera_conv_f64, double, OF_REAL, ADD_REAL, FROM_REAL)
CONV_KERNEL(tessera_conv_c64, complex_f32, OF_COMPLEX, ADD_COMPLEX, FROM_COMPLEX)
CONV_KERNEL(tessera_conv_c128, complex_f64, OF_COMPLEX, ADD_COMPLEX, FROM_COMPLEX)
