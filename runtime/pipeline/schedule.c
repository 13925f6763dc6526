/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which stage of a pipeline does what when. It must not know what a stage computes, nor how stages
 * talk. */
#include "tessera/pipeline.h"

#include "support/error.h"

/* How far a stage goes forward before it goes backward for the first time. */
static int32_t first_forward(tessera_schedule schedule, int32_t stages, int32_t stage,
                             int32_t microbatches) {
  int32_t behind = stages - stage; /* it and those after it */
  return schedule == TESSERA_1F1B && behind < microbatches ? behind : microbatches;
}

static tessera_status check(tessera_schedule schedule, int32_t stages, int32_t stage,
                            int32_t microbatches) {
  if (schedule != TESSERA_GPIPE && schedule != TESSERA_1F1B)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "there is no schedule %d: expected a tessera_schedule", (int)schedule);
  if (stages < 1 || stage < 0 || stage >= stages)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no stage %d of %d", stage, stages);
  if (microbatches < 1 || microbatches > INT32_MAX / 2)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%d microbatches: expected 1 to %d",
                   microbatches, INT32_MAX / 2);
  return TESSERA_OK;
}

tessera_status tessera_schedule_turns(tessera_schedule schedule, int32_t stages, int32_t stage,
                                      int32_t microbatches, tessera_turn *turns) {
  tessera_status status = check(schedule, stages, stage, microbatches);
  if (!status && !turns)
    status = tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no room for the turns");
  if (status)
    return status;
  int32_t ahead = first_forward(schedule, stages, stage, microbatches);
  int32_t forward = 0, backward = 0;
  for (int32_t i = 0; i < 2 * microbatches; i++) {
    bool is_forward = forward < microbatches && forward - backward < ahead;
    turns[i].direction = is_forward ? TESSERA_FORWARD : TESSERA_BACKWARD;
    turns[i].microbatch = is_forward ? forward++ : backward++;
  }
  return TESSERA_OK;
}
