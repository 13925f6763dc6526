/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ranks that a function of theirs brings together: by files of a folder.
 * usage: bootstrap RANK SIZE FOLDER BACKEND [leaves|stops]: with `leaves` rank 1 ends without a
 * word, with `stops` rank 0, where all meet, is stopped until the others have come to their end. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

typedef struct meeting {
  int32_t rank, size;
  const char *folder;
} meeting;

static void path_of(const meeting *meeting, int32_t rank, const char *end, char *path,
                    size_t capacity) {
  snprintf(path, capacity, "%s/%d%s", meeting->folder, rank, end);
}

/* A file is there when it is whole. */
static tessera_status gather(void *data, const void *mine, void *all, size_t bytes) {
  const meeting *meeting = data;
  char path[512], whole[512];
  path_of(meeting, meeting->rank, ".part", path, sizeof(path));
  path_of(meeting, meeting->rank, "", whole, sizeof(whole));
  FILE *file = fopen(path, "w");
  if (!file || fwrite(mine, 1, bytes, file) != bytes || fclose(file) != 0 ||
      rename(path, whole) != 0)
    return TESSERA_ERROR_BACKEND;
  for (int32_t i = 0; i < meeting->size; i++) {
    path_of(meeting, i, "", path, sizeof(path));
    while (!(file = fopen(path, "r")))
      usleep(1000);
    size_t count = fread((char *)all + (size_t)i * bytes, 1, bytes, file);
    fclose(file);
    if (count != bytes)
      return TESSERA_ERROR_BACKEND;
  }
  return TESSERA_OK;
}

static void sum(void *data) {
  static const int64_t extent = -1;
  static const tessera_grid grid = {sizeof(grid), 1, "all", &extent};
  static const int32_t axis = 0;
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_QUERY,
                       .name = "sum",
                       .location = "b.mlir:1:1",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .index = -1};
  int64_t *value = data;
  *value = tessera_rt_sum_size(&site, *value);
}

static void send_much(void *data) {
  static int64_t values[1 << 23];
  static const int64_t extent = -1, root = 0;
  static const tessera_grid grid = {sizeof(grid), 1, "all", &extent};
  static const int32_t axis = 0;
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_RECV,
                       .name = "send",
                       .location = "b.mlir:2:1",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .index = -1,
                       .input_rank = 1,
                       .output_rank = 1,
                       .input_type = TESSERA_I64,
                       .output_type = TESSERA_I64};
  memref in = {values, (char *)values, 0, {sizeof(values) / sizeof(values[0]), 1}};
  (void)data;
  tessera_rt_send(&site, NULL, &in, &root);
}

static void make_file(const char *path) {
  FILE *file = fopen(path, "w");
  EXPECT(file && fclose(file) == 0);
}

static void await_file(const char *path) {
  while (access(path, F_OK) != 0)
    usleep(1000);
}

/* Another process lets it go on. */
static void stop_until(const char *path) {
  pid_t parent = getpid();
  if (fork() == 0) {
    await_file(path);
    kill(parent, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

static void test_stopped(const meeting *meeting, tessera_context *context) {
  enum { MOMENT = 500000 }; /* microseconds */
  char begin[512], end[512];
  int64_t value = 0;
  path_of(meeting, 0, ".begin", begin, sizeof(begin));
  path_of(meeting, 0, ".end", end, sizeof(end));
  if (meeting->rank == 0) {
    await_file(begin); /* what rank 1 still waits for is on its way until then */
    stop_until(end);
    EXPECT(tessera_attempt(context, sum, &value) == TESSERA_ERROR_PEER);
    tessera_finalize();
    return;
  }
  make_file(begin);
  usleep(MOMENT);
  EXPECT(tessera_attempt(context, send_much, NULL) == TESSERA_ERROR_PEER);
  EXPECT(strstr(tessera_last_error(), "the connection to rank 0"));
  tessera_finalize();
  make_file(end);
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  meeting meeting = {atoi(argv[1]), atoi(argv[2]), argv[3]};
  tessera_rendezvous rendezvous = {sizeof(rendezvous), meeting.rank, meeting.size, gather,
                                   &meeting};
  tessera_context *context;
  int64_t value = meeting.rank + 1, expected = meeting.size * (meeting.size + 1) / 2;
  EXPECT(tessera_bootstrap(&(tessera_rendezvous){.struct_size = sizeof(rendezvous)}) ==
         TESSERA_ERROR_INVALID_ARGUMENT);
  if (tessera_bootstrap(&rendezvous) != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 1;
  }
  EXPECT(tessera_bootstrap(&rendezvous) == TESSERA_ERROR_INVALID_ARGUMENT);
  EXPECT(tessera_default_context(&context) == TESSERA_OK);
  EXPECT(strcmp(tessera_context_backend(context), argv[4]) == 0);
  EXPECT(tessera_context_rank(context) == meeting.rank);
  EXPECT(tessera_context_size(context) == meeting.size);
  EXPECT(tessera_attempt(context, sum, &value) == TESSERA_OK && value == expected);
  if (argc > 5 && strcmp(argv[5], "stops") == 0) {
    test_stopped(&meeting, context);
    return failed_here() ? 1 : 0;
  }
  if (argc > 5) {
    if (meeting.rank == 1)
      _exit(0);
    EXPECT(tessera_attempt(context, sum, &value) == TESSERA_ERROR_PEER);
    EXPECT(strstr(tessera_last_error(), "rank 1 has gone"));
    tessera_finalize();
    return failed_here() ? 1 : 0;
  }
  EXPECT(tessera_finalize() == TESSERA_OK);
  return failed_here() ? 1 : 0;
}
