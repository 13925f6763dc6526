/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What each kind of step does when an operation comes to it.
 * It must not know which collective it belongs to. */
#ifndef TESSERA_RUNTIME_PLANS_STEPS_H
#define TESSERA_RUNTIME_PLANS_STEPS_H

#include "plans/plan.h"

tr_step_do tr_step_copy;       /* of a tr_copy_step */
tr_step_do tr_step_convert;    /* of a tr_convert_step */
tr_step_do tr_step_combine;    /* of a tr_combine_step */
tr_step_do tr_step_job;        /* of a tr_job_step */
tr_step_do tr_step_finish_job; /* of one that has been started */

#endif /* TESSERA_RUNTIME_PLANS_STEPS_H */
