/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The runtime ABI: what compiled programs call and the constant records they carry. Any compiler
 * can emit it. It knows memory, grids and groups; it knows nothing of MLIR. */
#ifndef TESSERA_RUNTIME_H
#define TESSERA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#include "tessera/status.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The version of everything in this header. A program record carries the version it was built for;
 * libtessera refuses one it does not know. */
#define TESSERA_ABI_VERSION 5u

/* ------------------------------------------------------------------------------------------------
 * Element types and reductions
 * --------------------------------------------------------------------------------------------- */

/* Element types, as numbers in constant records. Signless MLIR integers are TESSERA_I*. i1 occupies
 * one byte (0 or 1), i4 one byte, index is 64-bit. Complex numbers are pairs (real, imaginary). */
typedef enum tessera_dtype {
  TESSERA_I1 = 1,
  TESSERA_I4 = 2,
  TESSERA_I8 = 3,
  TESSERA_I16 = 4,
  TESSERA_I32 = 5,
  TESSERA_I64 = 6,
  TESSERA_U8 = 7,
  TESSERA_U16 = 8,
  TESSERA_U32 = 9,
  TESSERA_U64 = 10,
  TESSERA_INDEX = 11,
  TESSERA_F16 = 12,
  TESSERA_BF16 = 13,
  TESSERA_F32 = 14,
  TESSERA_F64 = 15,
  TESSERA_C64 = 16,  /* complex<f32> */
  TESSERA_C128 = 17, /* complex<f64> */
  TESSERA_F8 = 18    /* any 8-bit float; moves as a byte, never reduces */
} tessera_dtype;

/* Reductions. The first eight are the `shard` dialect's kinds under its numbers. On signless and
 * signed integers MAX and MIN are signed; on floats they propagate NaN (maximumf, minimumf). */
typedef enum tessera_reduction {
  TESSERA_REDUCTION_NONE = 0,
  TESSERA_SUM = 1,
  TESSERA_MAX = 2,
  TESSERA_MIN = 3,
  TESSERA_PRODUCT = 4,
  TESSERA_AVERAGE = 5,
  TESSERA_AND = 6,
  TESSERA_OR = 7,
  TESSERA_XOR = 8,
  TESSERA_UMAX = 9, /* unsigned view of a signless integer */
  TESSERA_UMIN = 10,
  TESSERA_MAXNUM = 11, /* maxnumf: a NaN loses against a number */
  TESSERA_MINNUM = 12
} tessera_reduction;

/* Bytes of one element in memory; 0 for an unknown type. */
TESSERA_API size_t tessera_dtype_size(tessera_dtype type);

/* ------------------------------------------------------------------------------------------------
 * Constant records
 * --------------------------------------------------------------------------------------------- */

/* A grid of devices. Device numbers are coordinates in row-major order, and MPI ranks. An extent of
 * -1 comes from the launch. */
typedef struct tessera_grid {
  uint32_t struct_size;
  int32_t rank;
  const char *name;
  const int64_t *shape; /* rank extents */
} tessera_grid;

typedef enum tessera_site_kind {
  TESSERA_SITE_ALL_GATHER = 1,
  TESSERA_SITE_ALL_REDUCE = 2,
  TESSERA_SITE_ALL_SLICE = 3,
  TESSERA_SITE_ALL_TO_ALL = 4,
  TESSERA_SITE_BROADCAST = 5,
  TESSERA_SITE_GATHER = 6,
  TESSERA_SITE_RECV = 7,
  TESSERA_SITE_REDUCE = 8,
  TESSERA_SITE_REDUCE_SCATTER = 9,
  TESSERA_SITE_SCATTER = 10,
  TESSERA_SITE_SEND = 11,
  TESSERA_SITE_SHIFT = 12,
  TESSERA_SITE_UPDATE_HALO = 13,
  TESSERA_SITE_EXCHANGE = 14,
  TESSERA_SITE_QUERY = 15, /* process index, grid shape */
  TESSERA_SITE_GEMM = 16,
  TESSERA_SITE_CHECK = 17, /* an assertion of the program */
  TESSERA_SITE_CONV = 18,
  TESSERA_SITE_COPY = 19 /* between memory of the device, or that and the host's (device.h) */
} tessera_site_kind;

enum {
  TESSERA_SITE_ROTATE = 1u,      /* shift wraps around */
  TESSERA_SITE_LOCAL_SIZES = 2u, /* pieces need not be balanced: sizes are agreed on at run time */
  TESSERA_SITE_OVERWRITE = 4u,   /* gemm, conv: the destination's old value does not count */
  TESSERA_SITE_EVEN_SIZES = 8u,  /* gather, scatter, all_to_all: all pieces have one size */
  TESSERA_SITE_FROM_HOST = 16u,  /* copy: `from` is memory of the host */
  TESSERA_SITE_TO_HOST = 32u,    /* copy: `to` is */
  TESSERA_SITE_RECEIVED = 64u,   /* exchange: `out` gets what other ranks have, and no more */
  TESSERA_SITE_RESIDUAL = 128u,  /* gemm_plus: there is a residual */
  TESSERA_SITE_BIAS = 256u,      /* gemm_plus: there is a bias */
  TESSERA_SITE_BY_HAND = 512u,   /* of no compiled program: its place may be another on each rank */
  TESSERA_SITE_RELU = 1024u,     /* gemm_plus: of what comes out, max(x, 0), any of a NaN */
  TESSERA_SITE_GELU = 2048u      /* gemm_plus: of what comes out, the gelu that tanh gives */
};

/* One call from compiled code. Constant, aligned, shared by every call of that source operation. */
typedef struct tessera_site {
  uint32_t struct_size;
  uint32_t kind;            /* tessera_site_kind */
  const char *name;         /* the operation, e.g. "shard.all_reduce" */
  const char *location;     /* "model.mlir:12:8", or "" */
  const tessera_grid *grid; /* NULL where no grid is involved */
  const int32_t *axes;      /* num_axes grid axes, outermost first: the group and its order */
  int32_t num_axes;
  int32_t index; /* position in the program's site table */
  int32_t input_rank;
  int32_t output_rank;
  int32_t input_type;  /* tessera_dtype */
  int32_t output_type; /* tessera_dtype */
  int32_t reduction;   /* tessera_reduction */
  uint32_t flags;      /* TESSERA_SITE_* */
  int32_t axis; /* gather, slice, scatter, split axis of the tensor; shift axis of the grid */
  int32_t concat_axis; /* all_to_all */
  int64_t offset;      /* shift */
  /* exchange: source layout words; update_halo: split axes words; conv: steps */
  const int64_t *from;
  const int64_t *to; /* exchange: target layout words; conv: dilations */
  const char
      *cause; /* "of linalg.matmul (model.mlir:12:8): its reduction is split over axis 1 because
                 ...; needed whole by ...", or ""; NULL as "" */
} tessera_site;

/* clang-format off */
/* Layout words: a layout (sharding of one tensor) as one flat array of int64_t.
 *
 *   rank,
 *   then for each dimension:
 *     size                       global extent, -1 if known only at run time
 *     f                          number of factors, outermost first, at least 1; their extents
 *                                multiply to the dimension's
 *     f times: size, a, a axes   the factor's extent (-1: the dimension's, at run time) and the grid
 *                                axes that split it, outermost first
 *     h (0 or 2), h halo sizes   rows added before the first and after the last, on every shard;
 *                                -1 if known only at run time
 *     o, o offsets               o = shards + 1 explicit shard offsets (-1 likewise), or 0: balanced
 *                                shards, the last (size mod shards) of them one larger. They rise
 *                                from 0 to the size; those of an exchange's target may be a part,
 *                                and may fall, where every piece with its halo is inside. -2: known
 *                                only at run time, and of what may be a part
 *   p, p times: axis, reduction  the axes over which the value is partial
 *
 * Halos and offsets only occur on a dimension of one factor. Word count: tessera_layout_words(). A
 * local dimension is the row-major product of its factors' local extents. */
/* clang-format on */
TESSERA_API int64_t tessera_layout_words(const int64_t *layout);

/* update_halo's `from` words: rank, then for each dimension a, a axes. */

enum { TESSERA_PARAMETER_DONATED = 1u }; /* an argument whose memory the callee may write */

/* An argument or result of an entry. */
typedef struct tessera_parameter {
  uint32_t struct_size;
  int32_t dtype;         /* tessera_dtype */
  int32_t rank;          /* -1: a scalar, passed by value in the packed array */
  int32_t grid;          /* index in the program's grids; -1: whole on every rank */
  const int64_t *shape;  /* the global shape, -1 where dynamic */
  const int64_t *layout; /* layout words, or NULL: the whole tensor on every rank */
  const char *name;      /* the source's name for it, or "" */
  const char *element;   /* MLIR's spelling of the element type, e.g. "f8E5M2" */
  const double *range;   /* two values lo, hi (hi excluded) for generated inputs, or NULL */
  int32_t computed_in;   /* of a result: the tessera_dtype of the narrowest float type that anything
                            it depends on is computed in; 0: none */
  uint32_t flags;        /* TESSERA_PARAMETER_* */
} tessera_parameter;

/* arguments[i] points to a scalar, or to a ranked memref descriptor
 * {void *allocated, *aligned; int64_t offset, sizes[rank], strides[rank]}; results likewise and
 * filled by the callee with fresh allocations that the caller frees with tessera_free(allocated),
 * or with the descriptor of a donated argument, at most one of each: the result is then what that
 * memory holds now, and `allocated` says so by being the argument's. Other arguments than donated
 * ones are not written; the memory of a donated one is that of no other argument. */
typedef void (*tessera_packed_function)(void **arguments, void **results);

enum { TESSERA_ENTRY_PER_DEVICE = 1u }; /* the source was already the program of one device */

typedef struct tessera_entry {
  uint32_t struct_size;
  uint32_t flags; /* TESSERA_ENTRY_* */
  const char *name;
  tessera_packed_function function;
  int32_t num_arguments;
  int32_t num_results;
  const tessera_parameter *arguments;
  const tessera_parameter *results;
  /* Where halo sizes or shard offsets of the layouts are -1: called with global arguments (only
   * scalars and the sizes in descriptors are read), stores them to int64_t results[0], ..., in the
   * order of the arguments, then of the results, and of the words within. Else NULL. */
  tessera_packed_function resolve;
  int32_t num_resolved; /* how many it stores */
  int32_t reserved;
} tessera_entry;

typedef struct tessera_group_record {
  const tessera_grid *grid;
  const int32_t *axes;
  int32_t num_axes;
  int32_t reserved;
} tessera_group_record;

/* What a program exports as the constant `tessera_program`. */
typedef struct tessera_program_record {
  uint32_t struct_size;
  uint32_t abi_version; /* TESSERA_ABI_VERSION */
  const char *source;   /* name of the source file, or "" */
  const tessera_grid *const *grids;
  int32_t num_grids;
  int32_t num_groups;
  const tessera_group_record *groups; /* every group that a site uses, in a fixed order */
  const tessera_site *const *sites;
  int32_t num_sites;
  int32_t num_entries;
  const tessera_entry *entries;
  /* Of programs for an accelerator (device.h); NULL, or a record that ends before it, else. */
  const struct tessera_device_code *device_code;
} tessera_program_record;

/* The symbol under which a program exports its record. */
#define TESSERA_PROGRAM_SYMBOL "tessera_program"

/* ------------------------------------------------------------------------------------------------
 * Contexts
 * --------------------------------------------------------------------------------------------- */

/* One rank's view of the running job: backend, world rank and size, groups. A thread calls the
 * runtime with the context it has made current; a thread that has made none current uses the
 * process's default one (MPI under an MPI launcher, else a single local rank). A context may move
 * between threads, but is used by one at a time: a second one gets TESSERA_ERROR_INVALID_ARGUMENT.
 *
 * A context fails when anything fails that other ranks may wait for: a collective, an allocation or
 * an assertion of a program. The other ranks are told: their contexts fail with TESSERA_ERROR_PEER
 * and the message. From then on everything that communicates in it returns that failure at once,
 * and all that is left is to end it. */
typedef struct tessera_context tessera_context;

/* A whole local grid in one process: `ranks` contexts that communicate through memory. Each is to
 * be used by a thread of its own. contexts[0..ranks) is filled; free with tessera_local_destroy. */
TESSERA_API tessera_status tessera_local_create(int32_t ranks, tessera_context **contexts);
TESSERA_API void tessera_local_destroy(int32_t ranks, tessera_context **contexts);

/* The process's default context, created at the first call: the MPI of the launcher that started
 * the process (initialised here unless the host program has done it), else what torchrun's
 * variables say, else one local rank. Owned by the library. */
TESSERA_API tessera_status tessera_default_context(tessera_context **context);

/* How ranks of a job in several processes find each other where no launcher's variables tell them:
 * by a function of theirs. */
typedef struct tessera_rendezvous {
  uint32_t struct_size;
  int32_t rank, size; /* of this process, and of the job */
  /* Called once, by all ranks: writes the `bytes` bytes of each rank, `mine` being this one's, to
   * `all` in rank order. */
  tessera_status (*gather)(void *data, const void *mine, void *all, size_t bytes);
  void *data;
} tessera_rendezvous;

/* Creates the process's default context from a rendezvous: rank 0 waits for the others at a port of
 * its host, and what is no tensor goes through there. Collective over all ranks. Fails if there is
 * a default context already; after a failure there is none. */
TESSERA_API tessera_status tessera_bootstrap(const tessera_rendezvous *rendezvous);

/* Ends what tessera_default_context began: frees groups and, if libtessera initialised MPI,
 * finalises it, after which there is no default context under MPI any more. Collective over all
 * ranks. Fails as tessera_settle does, which it calls. Safe to call when nothing was begun. After a
 * failure it returns that, and always ends: if other ranks cannot be told of the failure within
 * seconds, because they wait inside MPI, it ends the job with the failure's message. Where the
 * program has finalised MPI itself before: TESSERA_ERROR_INVALID_ARGUMENT. Only a context that is
 * in use does not end, with that too. */
TESSERA_API tessera_status tessera_finalize(void);

/* Collective over all ranks, between calls of programs: TESSERA_ERROR_MISMATCH on a rank that has
 * sent what nobody received (it is dropped), or where collectives turn out to have differed. The
 * context fails where a collective was started that nobody has waited for. */
TESSERA_API tessera_status tessera_settle(tessera_context *context);

/* Makes `context` the calling thread's current one (NULL: back to the default). */
TESSERA_API void tessera_context_set_current(tessera_context *context);
TESSERA_API tessera_context *tessera_context_current(void);

/* Waits until the device of the context has done all that it was given: TESSERA_OK, or what failed
 * on it. Nothing to do on the host. */
TESSERA_API tessera_status tessera_synchronize(tessera_context *context);

/* Measures how long the context takes for what it is given from the start to the stop: on an
 * accelerator from events of its stream, so that nothing waits in between; on the host, where calls
 * return when their work is done, by a clock. A stop waits for the work, and frees the watch
 * whatever it returns. One thread at a time. */
typedef struct tessera_stopwatch tessera_stopwatch;
TESSERA_API tessera_status tessera_stopwatch_start(tessera_context *context,
                                                   tessera_stopwatch **watch);
TESSERA_API tessera_status tessera_stopwatch_stop(tessera_stopwatch *watch, double *seconds);

TESSERA_API int32_t tessera_context_rank(const tessera_context *context);
TESSERA_API int32_t tessera_context_size(const tessera_context *context);
/* "local", "mpi-openmpi", "mpi-mpich", "tcp", "nccl", ... */
TESSERA_API const char *tessera_context_backend(const tessera_context *context);

/* Calls `function(data)` with `context` current, and returns TESSERA_OK, or what failed in a call
 * of the runtime in it, which then did not return: `function` is left from there, and what compiled
 * code has allocated in it is given back. So tessera_call does it. Without an attempt around it,
 * such a failure prints its message and ends the job. */
TESSERA_API tessera_status tessera_attempt(tessera_context *context, void (*function)(void *data),
                                           void *data);

/* Ends the whole job because of `message`: peers blocked in a collective return
 * TESSERA_ERROR_PEER (local) or are killed by the launcher (MPI). Any thread. */
TESSERA_API void tessera_context_abort(tessera_context *context, const char *message);

/* For handlers of signals: this process ends at once, with a message of its own. Its ranks are not
 * reported as lost by those that wait for them. */
TESSERA_API void tessera_about_to_end(void);

/* ------------------------------------------------------------------------------------------------
 * Memory
 * --------------------------------------------------------------------------------------------- */

/* Memory as compiled programs allocate it: 64-byte aligned, large blocks on huge pages where the
 * system has them. NULL only when memory is exhausted or `bytes` is 0. Any thread. */
TESSERA_API void *tessera_alloc(size_t bytes);
TESSERA_API void tessera_free(void *pointer);

/* The pages of freed large blocks, which serve blocks of any size, and what the context's
 * collectives take for themselves are kept for the next calls. What 32 calls of programs on each
 * rank did without goes back to the system soon after, if it is more than they used; this gives
 * back all of it, after a large call that is not to come again soon. Between calls, by the thread
 * that uses `context`; NULL: only the blocks, from any thread. Nothing in use is touched. */
TESSERA_API void tessera_trim(tessera_context *context);

/* The names that MLIR's memref lowering calls: memory of the process's device, which is what
 * tessera_alloc gives where that is the host. On exhaustion they fail as below. */
TESSERA_API void *_mlir_memref_to_llvm_alloc(size_t bytes);
TESSERA_API void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t bytes);
TESSERA_API void _mlir_memref_to_llvm_free(void *pointer);

/* ------------------------------------------------------------------------------------------------
 * What compiled code calls. The site first; on failure these do not return, but
 * leave the tessera_call or tessera_attempt around them. `in`, `out` and `buffer` point to ranked
 * memref descriptors whose ranks and element types are the site's; any strides. `stream` is NULL on
 * CPU backends. in and out do not overlap, except that all_reduce, broadcast and shift may have in
 * == out. All members of a group call the same site in the same order.
 *
 * Unless TESSERA_SITE_LOCAL_SIZES is set, uneven pieces are balanced: of n rows over p shards the
 * last (n mod p) have one more. The full extent is that of the undivided side: out of gathers, in
 * of slices, scatters and reduce-scatters, both of all_to_all (in along split_axis, out along
 * concat_axis). TESSERA_SITE_EVEN_SIZES tells the members of a gather or scatter, which do not see
 * it off the root, that no piece is larger than others: it need not be set, and makes calls faster.
 * With it members of an all_to_all along one axis whose sizes differ are told both.
 * --------------------------------------------------------------------------------------------- */

typedef struct tessera_stream tessera_stream;

/* Each concatenates, reduces, slices or transposes over the site's group; MPI_Allgather,
 * MPI_Allreduce, (no communication), MPI_Alltoall, MPI_Reduce_scatter. */
TESSERA_API void tessera_rt_all_gather(const tessera_site *site, tessera_stream *stream,
                                       const void *in, const void *out);
TESSERA_API void tessera_rt_all_reduce(const tessera_site *site, tessera_stream *stream,
                                       const void *in, const void *out);
TESSERA_API void tessera_rt_all_slice(const tessera_site *site, tessera_stream *stream,
                                      const void *in, const void *out);
TESSERA_API void tessera_rt_all_to_all(const tessera_site *site, tessera_stream *stream,
                                       const void *in, const void *out);
TESSERA_API void tessera_rt_reduce_scatter(const tessera_site *site, tessera_stream *stream,
                                           const void *in, const void *out);

/* From the site's layout `from` to its layout `to` in one step: each rank receives what it needs
 * and lacks, once, straight from one owner (itself where it is one). `sizes` gives the run-time
 * values of the global extents that are -1 in the layouts, in dimension order; then of the halo
 * sizes and offsets that are -1 or -2 in `from`, then of those in `to`, in the order of the words;
 * NULL if there are none. Neither layout is partial. With TESSERA_SITE_RECEIVED what a rank has
 * itself of its piece under `to` is not copied there: `out` is left as it is in those places. */
TESSERA_API void tessera_rt_exchange(const tessera_site *site, tessera_stream *stream,
                                     const void *in, const void *out, const int64_t *sizes);

/* In-group multi-indices (`root`, `source`, `destination`): num_axes coordinates in the order of
 * the site's axes. out of gather and reduce is written on the root alone; in of broadcast and
 * scatter is read on the root alone. */
TESSERA_API void tessera_rt_broadcast(const tessera_site *site, tessera_stream *stream,
                                      const void *in, const void *out, const int64_t *root);
TESSERA_API void tessera_rt_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                                   const void *out, const int64_t *root);
TESSERA_API void tessera_rt_scatter(const tessera_site *site, tessera_stream *stream,
                                    const void *in, const void *out, const int64_t *root);
TESSERA_API void tessera_rt_reduce(const tessera_site *site, tessera_stream *stream, const void *in,
                                   const void *out, const int64_t *root);

/* Buffered send: returns without waiting for the receiver. */
TESSERA_API void tessera_rt_send(const tessera_site *site, tessera_stream *stream, const void *in,
                                 const int64_t *destination);
/* `source` may be NULL: from any member of the group. */
TESSERA_API void tessera_rt_recv(const tessera_site *site, tessera_stream *stream, const void *out,
                                 const int64_t *source);

/* Moves data by site->offset along grid axis site->axis (to higher coordinates if positive).
 * Without TESSERA_SITE_ROTATE, out is left as it is on ranks that have no source. */
TESSERA_API void tessera_rt_shift(const tessera_site *site, tessera_stream *stream, const void *in,
                                  const void *out);

/* Fills the halo regions of `buffer` (and its corners) from the core regions of the other members:
 * of neighbours, and where a halo is wider than their cores, of those behind them, as far as the
 * tensor goes. Rows beyond its ends stay as they are. `halo_sizes`: two per split dimension, low
 * and high, the same on all ranks. Cores are of one size unless TESSERA_SITE_LOCAL_SIZES is set. */
TESSERA_API void tessera_rt_update_halo(const tessera_site *site, tessera_stream *stream,
                                        const void *buffer, const int64_t *halo_sizes);

/* A collective in two calls, so that others, and work, may lie between them. `start` begins what
 * the function of the site's kind does that has `in` and `out` (for update_halo both are the
 * buffer) and `numbers` (root, halo_sizes or sizes; NULL where it has none), and returns what
 * `wait` takes, once, in the same context. Between the two the input is not written, and the output
 * neither written nor read; the descriptors and numbers may change; the site stays. All members of
 * a group start, and wait for, the same operations in the same order; operations may be waited for
 * in another order than they were started in, and calls that block may lie between. Of a group's
 * operations 16 are under way at most: what is started beyond that is done at once. A start may
 * wait for the other members to start as well, where calls are compared or sizes agreed on.
 * Operations that are under way when their context fails are taken back. send and recv have no such
 * form. */
typedef struct tessera_operation tessera_operation;
TESSERA_API tessera_operation *tessera_rt_start(const tessera_site *site, tessera_stream *stream,
                                                const void *in, const void *out,
                                                const int64_t *numbers);
TESSERA_API void tessera_rt_wait(const tessera_site *site, tessera_operation *operation);

/* Sum of `value` over the site's group; what an all-gather of run-time sizes needs to size its
 * result. */
TESSERA_API int64_t tessera_rt_sum_size(const tessera_site *site, int64_t value);
/* What this member gets if each deals its `value` rows out, in balanced pieces: the result's size
 * of an all_to_all whose two axes are one. */
TESSERA_API int64_t tessera_rt_dealt_size(const tessera_site *site, int64_t value);
/* The `value` of member number `member` of the site's group: what a broadcast or scatter of
 * run-time sizes needs to size its result, where that is the root. */
TESSERA_API int64_t tessera_rt_size_on(const tessera_site *site, int64_t value, int64_t member);

/* This device's linear index in the site's grid, its coordinate along `axis`, the extent of `axis`.
 */
TESSERA_API int64_t tessera_rt_process_linear_index(const tessera_site *site);
TESSERA_API int64_t tessera_rt_process_index(const tessera_site *site, int64_t axis);
TESSERA_API int64_t tessera_rt_grid_extent(const tessera_site *site, int64_t axis);

/* c = a*b + c, or c = a*b with TESSERA_SITE_OVERWRITE. Descriptors of rank 2, or of rank 3 with the
 * batch outermost (sizes a: MxK, b: KxN, c: MxN); any strides: a transposed operand is one whose
 * strides say so. Element types input_type for a and b, output_type for c. */
TESSERA_API void tessera_rt_gemm(const tessera_site *site, tessera_stream *stream, const void *a,
                                 const void *b, const void *c);

/* c = f(a*b + residual + bias), on GPUs alone, or c = f(a*b + c + bias) without
 * TESSERA_SITE_OVERWRITE: else as tessera_rt_gemm. f is by a flag of the site max(x, 0), any of a
 * NaN, or the gelu 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))), both of real floats alone;
 * without a flag it is x. `residual` has c's sizes and `bias` one dimension, an element for
 * each column of c; both have c's type, and lie outside of c. Those without a flag of the site's
 * are not looked at. */
TESSERA_API void tessera_rt_gemm_plus(const tessera_site *site, tessera_stream *stream,
                                      const void *a, const void *b, const void *c,
                                      const void *residual, const void *bias);

/* output += the convolution (which does not flip the filter) of input and filter, or = with
 * TESSERA_SITE_OVERWRITE. Descriptors of one rank, which is 3 and the window's dimensions; any
 * strides: input of batch, group, input channel, window; filter of group, output channel, input
 * channel, window; output of batch, group, output channel, window. Element types input_type for
 * input and filter, output_type for output. The site's `from` has a number for each dimension of
 * the window: how far it moves in the input for each index of the output; its `to` the same for
 * each index of the filter. All are at least 1. What no window reaches of the input is not read. */
TESSERA_API void tessera_rt_conv(const tessera_site *site, tessera_stream *stream,
                                 const void *input, const void *filter, const void *output);

/* The bytes of `size` pieces of `bytes` each: what compiled code asks for each run-time extent of
 * memory that it allocates. A negative size or a product that int64_t does not hold fails with
 * TESSERA_ERROR_CHECK. */
TESSERA_API int64_t tessera_rt_bytes(const tessera_site *site, int64_t bytes, int64_t size);

/* What this thread allocates next is for the op at `site`, which a failure then names. */
TESSERA_API void tessera_rt_place(const tessera_site *site);

/* Has work(data, from, to) do all of `steps`, in blocks on the cores that this rank has. Blocks are
 * multiples of `unit` steps, and do not depend on the number of threads. `cost` is what a step
 * takes, in picoseconds, as a guess: where all of them take too little, the caller does them at
 * once. `work` calls nothing of the runtime, and does not fail. */
TESSERA_API void tessera_rt_parallel(void (*work)(void *data, int64_t from, int64_t to), void *data,
                                     int64_t steps, int64_t unit, int64_t cost);

/* An assertion of the program that does not hold on this device: fails with TESSERA_ERROR_CHECK. */
TESSERA_API void tessera_rt_fail(const tessera_site *site, const char *message);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_RUNTIME_H */
