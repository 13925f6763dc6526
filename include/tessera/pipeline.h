/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pipelines of stages along a dimension of a device mesh: which stage does what when, and the
 * messages between neighbours. What a stage computes is the caller's, compiled or written by hand.
 * It knows nothing of MLIR. */
#ifndef TESSERA_PIPELINE_H
#define TESSERA_PIPELINE_H

#include "tessera/mesh.h"
#include "tessera/program.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Schedules
 * --------------------------------------------------------------------------------------------- */

/* A batch is cut into microbatches; each goes forward through the stages, and backward. Both
 * schedules go backward in the order of the microbatches, so sums of gradients have the same bits.
 */
typedef enum tessera_schedule {
  TESSERA_GPIPE = 0, /* all forward, then all backward: a stage keeps every input */
  TESSERA_1F1B = 1   /* backward as soon as that can be: stage s of n keeps n - s inputs at most */
} tessera_schedule;

typedef enum tessera_direction { TESSERA_FORWARD = 0, TESSERA_BACKWARD = 1 } tessera_direction;

/* What a stage does next. */
typedef struct tessera_turn {
  tessera_direction direction;
  int32_t microbatch;
} tessera_turn;

/* Writes the 2 * microbatches turns of stage `stage` of `stages`, in order. Any thread. */
TESSERA_API tessera_status tessera_schedule_turns(tessera_schedule schedule, int32_t stages,
                                                  int32_t stage, int32_t microbatches,
                                                  tessera_turn *turns);

/* ------------------------------------------------------------------------------------------------
 * Stages
 * --------------------------------------------------------------------------------------------- */

/* The type of this rank's piece of what passes between two stages; both have the same. */
typedef struct tessera_piece {
  tessera_dtype dtype;
  int32_t rank;
  const int64_t *shape; /* of `rank` extents */
} tessera_piece;

/* A stage on one rank. Zero-initialise and set struct_size; the first stage needs no `in`, the last
 * no `out`. The functions are called by the thread that calls tessera_pipeline_run, and return a
 * status. A microbatch has a forward and a backward turn; in each a function calls at most one
 * entry of a program. Programs and collectives in them go along other dimensions of the mesh than
 * the pipeline's. */
typedef struct tessera_stage {
  uint32_t struct_size;
  tessera_piece in;  /* what comes from the stage before, and the gradient by it that goes back */
  tessera_piece out; /* what goes to the next stage, and the gradient by it that comes back */
  /* `in` is NULL in the first stage, and lives until the microbatch has gone backward. Makes *out,
   * dense and on the context's device, which is sent and destroyed; `out` is NULL in the last
   * stage. */
  tessera_status (*forward)(void *data, int32_t microbatch, const tessera_tensor *in,
                            tessera_tensor *out);
  /* `by_out` is NULL in the last stage. Makes *by_in likewise, which is NULL in the first. */
  tessera_status (*backward)(void *data, int32_t microbatch, const tessera_tensor *in,
                             const tessera_tensor *by_out, tessera_tensor *by_in);
  void *data;
} tessera_stage;

/* Runs `microbatches` through the stages: the ranks along dimension `dim` of the mesh, in its
 * order, of which this rank is one. All ranks of the mesh call it, with the same dimension,
 * schedule and number, or all stages of a line that differ are refused. Ranks that share all other
 * coordinates send to each other what they have: pieces of a program whose layouts do not use `dim`
 * fit as they are. Sends do not wait for the receiver. A function that fails, or a piece that is
 * none, ends it on all ranks: the context has failed (runtime.h). */
TESSERA_API tessera_status tessera_pipeline_run(tessera_mesh *mesh, int32_t dim,
                                                tessera_schedule schedule, int32_t microbatches,
                                                const tessera_stage *stage);

#if !defined(TESSERA_NO_PLACES)
#define tessera_pipeline_run(...) TESSERA_AT(tessera_pipeline_run(__VA_ARGS__))
#endif

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PIPELINE_H */
