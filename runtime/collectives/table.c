/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of collectives, by kind of site.
 * It must not know how a plan is done, nor how bytes travel. */
#include "collectives/table.h"

#include <stdbool.h>
#include <stddef.h>

// clang-format off
static const tr_collective_row rows[] = {
    [TESSERA_SITE_ALL_GATHER] = {"all_gather", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH, TR_VARY_AXIS,
                                 tr_meet_all_gather, tr_plan_all_gather},
    [TESSERA_SITE_ALL_REDUCE] = {"all_reduce", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH, TR_VARY_NONE,
                                 tr_meet_all_reduce, tr_plan_all_reduce},
    [TESSERA_SITE_ALL_SLICE] = {"all_slice", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH, TR_VARY_AXIS,
                                tr_meet_all_slice, tr_plan_all_slice},
    [TESSERA_SITE_ALL_TO_ALL] = {"all_to_all", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH, TR_VARY_BOTH_AXES,
                                 tr_meet_all_to_all, tr_plan_all_to_all},
    [TESSERA_SITE_BROADCAST] = {"broadcast", TR_MEMBERS_OF_SITE, TR_SIDES_ROOT_READS, TR_VARY_NONE,
                                tr_meet_broadcast, tr_plan_broadcast},
    [TESSERA_SITE_GATHER] = {"gather", TR_MEMBERS_OF_SITE, TR_SIDES_ROOT_WRITES, TR_VARY_AXIS,
                             tr_meet_gather, tr_plan_gather},
    [TESSERA_SITE_REDUCE] = {"reduce", TR_MEMBERS_OF_SITE, TR_SIDES_ROOT_WRITES, TR_VARY_NONE,
                             tr_meet_reduce, tr_plan_reduce},
    [TESSERA_SITE_REDUCE_SCATTER] = {"reduce_scatter", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH,
                                     TR_VARY_AXIS, tr_meet_reduce_scatter, tr_plan_reduce_scatter},
    [TESSERA_SITE_SCATTER] = {"scatter", TR_MEMBERS_OF_SITE, TR_SIDES_ROOT_READS, TR_VARY_AXIS,
                              tr_meet_scatter, tr_plan_scatter},
    [TESSERA_SITE_SHIFT] = {"shift", TR_MEMBERS_OF_SITE, TR_SIDES_BOTH, TR_VARY_NONE,
                            tr_meet_shift, tr_plan_shift},
    [TESSERA_SITE_UPDATE_HALO] = {"update_halo", TR_MEMBERS_OF_SITE, TR_SIDES_BUFFER, TR_VARY_NONE,
                                  tr_meet_update_halo, tr_plan_update_halo},
    [TESSERA_SITE_EXCHANGE] = {"exchange", TR_MEMBERS_ALL, TR_SIDES_BOTH, TR_VARY_ALL,
                               tr_meet_exchange, tr_plan_exchange},
};
// clang-format on

const tr_collective_row *tr_collective_of(int32_t kind) {
  bool is_there = kind > 0 && (size_t)kind < sizeof(rows) / sizeof(rows[0]) && rows[kind].plan;
  return is_there ? &rows[kind] : NULL;
}
