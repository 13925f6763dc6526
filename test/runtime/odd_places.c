/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls at places of any name, in a mesh of as many dimensions as there can be, for what traces say
 * of them: trace.py knows the places. */
#include "harness.h"
#include "tessera/mesh.h"

enum { DIMS = 16 };

#define TEN(text) text text text text text text text text text text

/* Messages have no room for all of the first two, and begin within a character of one of them; then
 * no text, surrogates and the like, what has to be escaped, and characters of three and four bytes.
 */
static const char *const places[] = {TEN(TEN("\xc3\xa9")),
                                     TEN(TEN("\xc3\xa9")) "c",
                                     "\xff\x80\xf8\x90\x80\x80\xc3",
                                     "\xed\xa0\x80\xe0\x80\x80\xf4\x90\x80\x80",
                                     "a\"b\\c\n.c",
                                     "\xe2\x82\xac\xf0\x9f\x8c\x8d.c"};
enum { NUM_PLACES = sizeof(places) / sizeof(places[0]) };

static void on_rank(int32_t rank, int32_t size, void *data) {
  static const int32_t last[] = {DIMS - 1};
  int64_t shape[DIMS], value = rank, sum;
  tessera_mesh *mesh;
  tessera_group *group;
  (void)data;
  for (int d = 0; d < DIMS; d++)
    shape[d] = d == DIMS - 1 ? size : 1;
  EXPECT(tessera_mesh_create(tessera_context_current(), DIMS, shape, NULL, &mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_line(mesh, 1, last, &group) == TESSERA_OK);
  for (int i = 0; i < NUM_PLACES; i++) {
    tessera_at(places[i], 1);
    EXPECT((tessera_group_all_reduce)(group, &value, &sum, 1, TESSERA_I64, TESSERA_SUM) ==
           TESSERA_OK);
  }
  tessera_mesh_destroy(mesh);
}

int main(void) {
  if (under_mpi())
    run_here(on_rank, NULL);
  else
    run_local(3, on_rank, NULL);
  return finish_tests();
}
