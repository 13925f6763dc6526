/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products by cuBLASLt: strided views as what it takes, and how each kind is done best.
 * It must not know sites, groups or messages. */
#include <string.h>

#include "devices/cuda/products.h"
#include "support/wishes.h"

enum { WORKSPACE_BYTES = 32 << 20 };

/* ---- what the library takes ------------------------------------------------------------------ */

typedef struct product_type {
  tessera_dtype input, output;
  int32_t input_number, output_number, compute;
} product_type;

static const product_type types[] = {
    {TESSERA_F32, TESSERA_F32, BLASLT_F32, BLASLT_F32, BLASLT_COMPUTE_F32},
    {TESSERA_F64, TESSERA_F64, BLASLT_F64, BLASLT_F64, BLASLT_COMPUTE_F64},
    {TESSERA_F16, TESSERA_F16, BLASLT_F16, BLASLT_F16, BLASLT_COMPUTE_F32},
    {TESSERA_F16, TESSERA_F32, BLASLT_F16, BLASLT_F32, BLASLT_COMPUTE_F32},
    {TESSERA_BF16, TESSERA_BF16, BLASLT_BF16, BLASLT_BF16, BLASLT_COMPUTE_F32},
    {TESSERA_BF16, TESSERA_F32, BLASLT_BF16, BLASLT_F32, BLASLT_COMPUTE_F32},
};

static const product_type *type_of(tessera_dtype input, tessera_dtype output) {
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    if (types[i].input == input && types[i].output == output)
      return &types[i];
  return NULL;
}

/* Products of f32 in TF32: faster, with 10 bits of mantissa. */
static bool wants_tf32(void) {
  return tr_is_switched_on("TESSERA_TF32");
}

static uint32_t alignment_of(const char *data) {
  enum { LARGEST = 256 };
  uintptr_t bits = (uintptr_t)data | LARGEST;
  return (uint32_t)(bits & (~bits + 1));
}

/* Of `length` contiguous elements, `count` times; the stride of a single one says nothing. */
static bool leads(int64_t length, int64_t stride, int64_t count, int64_t leading) {
  return (stride == 1 || length <= 1) && (count <= 1 || leading >= length);
}

/* A view's matrix as the transpose of one in column-major memory, which rows of contiguous elements
 * are; or as one in column-major memory. */
static bool as_matrix(const tr_view *view, tr_blaslt_matrix *matrix) {
  int32_t row = view->rank - 2, column = row + 1;
  int64_t rows = view->sizes[row], columns = view->sizes[column];
  int64_t row_step = view->strides[row], column_step = view->strides[column];
  matrix->alignment = alignment_of(view->data);
  matrix->batch_stride = row ? view->strides[0] : 0;
  if (leads(columns, column_step, rows, row_step)) {
    matrix->transposed = 1;
    matrix->leading = rows > 1 ? row_step : columns;
    return true;
  }
  matrix->transposed = 0;
  matrix->leading = columns > 1 ? column_step : rows;
  return leads(rows, row_step, columns, column_step);
}

/* The residual lies as the result does, and a bias along its rows, or the library does not add
 * them.
 */
static bool as_addends(const tr_product *product, tr_blaslt_problem *problem) {
  const tr_view *bias = product->bias;
  problem->added = problem->result;
  if (product->residual) {
    memset(&problem->added, 0, sizeof(problem->added));
    if (!as_matrix(product->residual, &problem->added) ||
        problem->added.transposed != problem->result.transposed)
      return false;
  }
  if (bias)
    problem->bias = (int32_t)alignment_of(bias->data);
  return !bias || (problem->result.transposed && (bias->strides[0] == 1 || bias->sizes[0] == 1));
}

/* The library adds what is added before it makes the activation of that. */
static int32_t epilogue_of(const tr_product *product) {
  static const int32_t activations[] = {
      [TR_NO_ACTIVATION] = 0, [TR_RELU] = BLASLT_RELU, [TR_GELU] = BLASLT_GELU};
  return activations[product->activation] | (product->bias ? BLASLT_ADD_BIAS : 0);
}

/* c^T = b^T * a^T where c's rows are contiguous: then all three are read as transposes. */
static bool as_problem(const tr_product *product, const product_type *type,
                       tr_blaslt_problem *problem) {
  const tr_view *c = &product->c;
  int32_t row = c->rank - 2;
  tr_blaslt_matrix a, b;
  memset(problem, 0, sizeof(*problem));
  memset(&a, 0, sizeof(a));
  memset(&b, 0, sizeof(b));
  if (!as_matrix(&product->a, &a) || !as_matrix(&product->b, &b) ||
      !as_matrix(c, &problem->result) || !as_addends(product, problem))
    return false;
  bool swaps = problem->result.transposed;
  problem->m = c->sizes[swaps ? row + 1 : row];
  problem->n = c->sizes[swaps ? row : row + 1];
  problem->k = product->a.sizes[row + 1];
  problem->batch = row ? c->sizes[0] : 1;
  problem->first = swaps ? b : a;
  problem->second = swaps ? a : b;
  if (swaps) {
    problem->first.transposed = !problem->first.transposed;
    problem->second.transposed = !problem->second.transposed;
  }
  problem->result.transposed = problem->added.transposed = 0;
  problem->input = type->input_number;
  problem->output = type->output_number;
  problem->epilogue = epilogue_of(product);
  problem->compute =
      type->compute == BLASLT_COMPUTE_F32 && type->input == TESSERA_F32 && wants_tf32()
          ? BLASLT_COMPUTE_TF32
          : type->compute;
  return problem->k > 0;
}

/* ---- preparation ----------------------------------------------------------------------------- */

static bool make_layout(const tr_blaslt *library, const tr_blaslt_problem *problem, int32_t type,
                        int64_t rows, int64_t columns, const tr_blaslt_matrix *matrix,
                        blaslt_layout *layout) {
  int64_t stored_rows = matrix->transposed ? columns : rows;
  int64_t stored_columns = matrix->transposed ? rows : columns;
  int32_t batch = (int32_t)problem->batch;
  if (library->create_layout(layout, type, (uint64_t)stored_rows, (uint64_t)stored_columns,
                             matrix->leading))
    return false;
  return problem->batch == 1 ||
         (!library->lay_out(*layout, BLASLT_BATCH, &batch, sizeof(batch)) &&
          !library->lay_out(*layout, BLASLT_BATCH_STRIDE, &matrix->batch_stride,
                            sizeof(matrix->batch_stride)));
}

static bool describe_bias(const tr_blaslt *library, blaslt_description description,
                          const void *bias) {
  return !library->describe(description, BLASLT_BIAS_POINTER, &bias, sizeof(bias));
}

static bool describe(const tr_blaslt *library, tr_cuda_prepared *prepared, const void *bias) {
  const tr_blaslt_problem *problem = &prepared->problem;
  int32_t transpose = BLASLT_TRANSPOSE;
  int scale = problem->compute == BLASLT_COMPUTE_F64 ? BLASLT_F64 : BLASLT_F32;
  bool done = !library->create_description(&prepared->description, problem->compute, scale);
  if (done && problem->first.transposed)
    done = !library->describe(prepared->description, BLASLT_TRANSPOSES_FIRST, &transpose,
                              sizeof(transpose));
  if (done && problem->second.transposed)
    done = !library->describe(prepared->description, BLASLT_TRANSPOSES_SECOND, &transpose,
                              sizeof(transpose));
  if (done && problem->epilogue)
    done = !library->describe(prepared->description, BLASLT_EPILOGUE, &problem->epilogue,
                              sizeof(problem->epilogue));
  if (done && bias)
    done = describe_bias(library, prepared->description, bias);
  return done &&
         make_layout(library, problem, problem->input, problem->m, problem->k, &problem->first,
                     &prepared->first) &&
         make_layout(library, problem, problem->input, problem->k, problem->n, &problem->second,
                     &prepared->second) &&
         make_layout(library, problem, problem->output, problem->m, problem->n, &problem->result,
                     &prepared->result) &&
         make_layout(library, problem, problem->output, problem->m, problem->n, &problem->added,
                     &prepared->added);
}

static bool find_algorithm(const tr_blaslt *library, blaslt_handle handle,
                           tr_cuda_prepared *prepared) {
  const tr_blaslt_problem *problem = &prepared->problem;
  uint32_t result = problem->result.alignment, bias = (uint32_t)problem->bias;
  /* Nothing says how a bias is aligned but what says it of d. */
  const uint32_t alignments[] = {problem->first.alignment, problem->second.alignment,
                                 problem->added.alignment, bias && bias < result ? bias : result};
  uint64_t most = WORKSPACE_BYTES;
  blaslt_preference preference;
  blaslt_found found;
  int count = 0;
  if (library->create_preference(&preference))
    return false;
  bool done = !library->prefer(preference, BLASLT_MOST_WORKSPACE, &most, sizeof(most));
  for (int i = 0; done && i < 4; i++)
    done = !library->prefer(preference, BLASLT_ALIGNMENT_FIRST + i, &alignments[i],
                            sizeof(alignments[i]));
  done = done &&
         !library->find(handle, prepared->description, prepared->first, prepared->second,
                        prepared->added, prepared->result, preference, 1, &found, &count) &&
         count > 0 && found.state == 0;
  library->destroy_preference(preference);
  if (!done)
    return false;
  prepared->algorithm = found.algorithm;
  prepared->workspace = found.workspace;
  return true;
}

static void drop(const tr_blaslt *library, tr_cuda_prepared *prepared) {
  if (prepared->description)
    library->destroy_description(prepared->description);
  if (prepared->first)
    library->destroy_layout(prepared->first);
  if (prepared->second)
    library->destroy_layout(prepared->second);
  if (prepared->result)
    library->destroy_layout(prepared->result);
  if (prepared->added)
    library->destroy_layout(prepared->added);
  memset(prepared, 0, sizeof(*prepared));
}

static size_t slot_of(const tr_blaslt_problem *problem) {
  uint64_t words[sizeof(*problem) / sizeof(uint64_t)], hash = 0;
  memcpy(words, problem, sizeof(words));
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
  return hash >> 32 & (TR_CUDA_PREPARED - 1);
}

_Static_assert(sizeof(tr_blaslt_problem) % sizeof(uint64_t) == 0, "problems are hashed by words");

/* Each kind of product has a place, which it loses to another one. What is impossible is known. */
static const tr_cuda_prepared *prepare(const tr_blaslt *library, tr_workspace *workspace,
                                       const tr_blaslt_problem *problem, const void *bias) {
  tr_cuda_prepared *prepared = &workspace->prepared[slot_of(problem)];
  if (prepared->is_used && memcmp(&prepared->problem, problem, sizeof(*problem)) == 0)
    return prepared->is_possible ? prepared : NULL;
  drop(library, prepared);
  prepared->problem = *problem;
  prepared->is_used = true;
  prepared->is_possible =
      describe(library, prepared, bias) && find_algorithm(library, workspace->handle, prepared);
  return prepared->is_possible ? prepared : NULL;
}

/* ---- products -------------------------------------------------------------------------------- */

static bool multiply(tr_cuda *cuda, cuda_stream stream, const tr_blaslt *library,
                     tr_workspace *workspace, const tr_product *product,
                     const tr_cuda_prepared *prepared) {
  static const float one = 1, zero;
  static const double double_one = 1, double_zero;
  bool is_double = prepared->problem.compute == BLASLT_COMPUTE_F64;
  const void *alpha = is_double ? (const void *)&double_one : &one;
  const void *keep = alpha, *overwrite = is_double ? (const void *)&double_zero : &zero;
  bool adds = product->residual || !product->overwrite;
  bool swaps = false;
  tr_blaslt_matrix result;
  if (prepared->workspace > 0 && !workspace->memory)
    workspace->memory = tr_cuda_allocate(&cuda->table, WORKSPACE_BYTES, NULL);
  if (prepared->workspace > 0 && !workspace->memory)
    return false;
  if (product->bias && !describe_bias(library, prepared->description, product->bias->data))
    return false;
  as_matrix(&product->c, &result);
  swaps = result.transposed;
  return library->multiply(workspace->handle, prepared->description, alpha,
                           swaps ? product->b.data : product->a.data, prepared->first,
                           swaps ? product->a.data : product->b.data, prepared->second,
                           adds ? keep : overwrite,
                           product->residual ? product->residual->data : product->c.data,
                           prepared->added, product->c.data, prepared->result, &prepared->algorithm,
                           workspace->memory, workspace->memory ? WORKSPACE_BYTES : 0, stream) == 0;
}

bool tr_cuda_library_gemm(tr_cuda *cuda, cuda_stream stream, tr_workspace *workspace,
                          const tr_product *product) {
  const product_type *type = type_of(product->input, product->output);
  const tr_blaslt *library = type ? tr_blaslt_open() : NULL;
  tr_blaslt_problem problem;
  if (!library || !as_problem(product, type, &problem))
    return false;
  if (!workspace->handle && library->create(&workspace->handle)) {
    workspace->handle = NULL;
    return false;
  }
  const void *bias = product->bias ? product->bias->data : NULL;
  const tr_cuda_prepared *prepared = prepare(library, workspace, &problem, bias);
  return prepared && multiply(cuda, stream, library, workspace, product, prepared);
}

tessera_status tr_cuda_library_check(const tr_cuda *cuda, tessera_dtype input,
                                     tessera_dtype output) {
  const char *why = type_of(input, output) ? tr_blaslt_refused() : NULL;
  return why ? cuda->host->fail(TESSERA_ERROR_NOT_FOUND, "%s", why) : TESSERA_OK;
}

bool tr_cuda_library_has(tessera_dtype input, tessera_dtype output) {
  return type_of(input, output) && tr_blaslt_open();
}

void tr_cuda_library_close(tr_cuda *cuda, tr_workspace *workspace) {
  const tr_blaslt *library = workspace->handle ? tr_blaslt_open() : NULL;
  if (!library || !tr_cuda_enter(cuda))
    return;
  for (int i = 0; i < TR_CUDA_PREPARED; i++)
    drop(library, &workspace->prepared[i]);
  library->destroy(workspace->handle);
}
