/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How often the blocks inside an op run. It knows ops; it must not know what it is asked for. */
#include <math.h>

#include "regions/counted.h"
#include "regions/regions.h"
#include "support/ir.h"

/* Trips of a loop of which nothing is known. */
static const double assumed_trips = 8, not_known = -1;

static double trips_of_for(MlirOperation op) {
  int64_t bounds[3];
  for (int i = 0; i < 3; i++)
    if (!ts_constant_integer(mlirOperationGetOperand(op, i), &bounds[i]))
      return not_known;
  if (bounds[2] <= 0 || bounds[1] <= bounds[0])
    return bounds[2] <= 0 ? not_known : 0;
  return ceil(((double)bounds[1] - (double)bounds[0]) / (double)bounds[2]);
}

static double trips_of_while(MlirOperation op) {
  double trips;
  return ts_counted_trips(op, &trips) ? trips : not_known;
}

/* One of the branches is taken; nothing is known of which. */
static double trips_of_branch(MlirOperation op) {
  return 1 / (double)mlirOperationGetNumRegions(op);
}

typedef struct trips_row {
  const char *op;
  double (*trips)(MlirOperation op);
} trips_row;

static const trips_row rows[] = {
    {"scf.for", trips_of_for},
    {"scf.if", trips_of_branch},
    {"scf.index_switch", trips_of_branch},
    {"scf.while", trips_of_while},
};

double ts_region_trips(MlirOperation op) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].op)) {
      double trips = rows[i].trips(op);
      return trips == not_known ? assumed_trips : trips;
    }
  return 1;
}

double ts_loop_trips(MlirOperation op) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].op) && rows[i].trips != trips_of_branch)
      return rows[i].trips(op);
  return 1;
}
