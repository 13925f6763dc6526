/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Logs in the Trace Event Format: a process for each rank, with its calls and what lies between.
 * It must not know how logs come about. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/output.h"
#include "trace/report.h"

__attribute__((format(printf, 2, 3))) static void put(tr_output *output, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (length > 0)
    tr_output_write(output, text,
                    (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

/* How many bytes the character of UTF-8 at `text` has; 0: it is none, or not all of one. */
static size_t character_bytes(const char *text) {
  static const uint32_t first_of[] = {0, 0, 0x80, 0x800, 0x10000}; /* by bytes */
  unsigned char lead = (unsigned char)*text;
  size_t num = lead < 0x80   ? 1
               : lead < 0xc0 ? 0
               : lead < 0xe0 ? 2
               : lead < 0xf0 ? 3
               : lead < 0xf8 ? 4
                             : 0;
  uint32_t number = num > 1 ? lead & (0x7fu >> num) : lead;
  for (size_t i = 1; i < num; i++) {
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
    number = number << 6 | ((unsigned char)text[i] & 0x3f);
  }
  bool is_surrogate = number >= 0xd800 && number < 0xe000;
  return number < first_of[num] || number > 0x10ffff || is_surrogate ? 0 : num;
}

/* Names and files may have any bytes, and end within a character where there was no room for more:
 * what is no character is the one that stands for such. */
static void put_text(tr_output *output, const char *text) {
  tr_output_write(output, "\"", 1);
  while (*text) {
    unsigned char character = (unsigned char)*text;
    size_t num = character_bytes(text);
    if (character == '"' || character == '\\')
      put(output, "\\%c", character);
    else if (character < ' ')
      put(output, "\\u%04x", character);
    else if (num == 0)
      put(output, "\\ufffd");
    else
      tr_output_write(output, text, num);
    text += num > 0 ? num : 1;
  }
  tr_output_write(output, "\"", 1);
}

/* Microseconds, of which the format has fractions. */
static void put_span(tr_output *output, int32_t rank, int64_t start, int64_t duration) {
  put(output, ",\"ph\":\"X\",\"pid\":%d,\"tid\":0,\"ts\":%" PRId64 ".%03d,\"dur\":%" PRId64 ".%03d",
      rank, start / 1000, (int)(start % 1000), duration / 1000, (int)(duration % 1000));
}

static void put_coordinates(tr_output *output, const tr_board_place *place, int32_t rank) {
  int32_t coordinates[TR_BOARD_AXES];
  for (int32_t i = place->grid_rank - 1; i >= 0; i--) {
    int32_t extent = place->extents[i] > 0 ? place->extents[i] : 1;
    coordinates[i] = rank % extent;
    rank /= extent;
  }
  put(output, ",\"coordinates\":[");
  for (int32_t i = 0; i < place->grid_rank; i++)
    put(output, "%s%d", i ? "," : "", coordinates[i]);
  put(output, "]");
}

static void put_call(tr_output *output, int32_t rank, const tr_board_place *place,
                     const tr_log_record *record, int64_t start) {
  put(output, ",\n{\"name\":");
  put_text(output, place->name);
  put(output, ",\"cat\":\"call\"");
  put_span(output, rank, start, record->duration);
  put(output, ",\"args\":{\"bytes\":%" PRIu64 ",\"location\":", record->bytes);
  put_text(output, place->location);
  put(output, ",\"group\":");
  put_text(output, place->group[0] ? place->group + 1 : "all ranks");
  put_coordinates(output, place, rank);
  put(output, "}}");
}

/* From the beginning of the call that sends to the end of the one that receives. */
static void put_arrow(tr_output *output, int32_t rank, const tr_log_record *record, int64_t start) {
  bool begins = record->arrow == TR_ARROW_BEGINS;
  int64_t at = begins || record->duration == 0 ? start : start + record->duration - 1;
  put(output,
      ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"%s\",\"id\":\"0x%016" PRIx64
      "\",\"pid\":%d,\"tid\":0,\"ts\":%" PRId64 ".%03d}",
      begins ? "s" : "f\",\"bp\":\"e", record->message, rank, at / 1000, (int)(at % 1000));
}

static void put_rank(tr_output *output, int32_t rank, const tr_rank_log *log, int64_t zero) {
  int64_t before = -1;
  put(output,
      "%s{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"rank %d\"}}",
      rank ? ",\n" : "", rank, rank);
  put(output,
      ",\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"sort_index\":%d}}",
      rank, rank);
  for (int64_t i = 0; i < log->head.num_records; i++) {
    const tr_log_record *record = &log->records[i];
    int64_t start = record->start + log->head.epoch - zero;
    if (before >= 0 && start > before) {
      put(output, ",\n{\"name\":\"compute\",\"cat\":\"compute\"");
      put_span(output, rank, before, start - before);
      put(output, "}");
    }
    put_call(output, rank, &log->places[record->place].what, record, start);
    if (record->arrow != TR_ARROW_NONE)
      put_arrow(output, rank, record, start);
    before = start + record->duration;
  }
}

/* Times count from the first call of any rank. */
static int64_t find_zero(int32_t ranks, const tr_rank_log *logs) {
  int64_t zero = INT64_MAX;
  for (int32_t i = 0; i < ranks; i++)
    if (logs[i].head.num_records > 0 && logs[i].records[0].start + logs[i].head.epoch < zero)
      zero = logs[i].records[0].start + logs[i].head.epoch;
  return zero;
}

int tr_trace_write(const char *path, int32_t ranks, const tr_rank_log *logs) {
  tr_output output;
  int error = tr_output_open(path, &output);
  if (error)
    return error;
  int64_t zero = find_zero(ranks, logs), dropped = 0;
  put(&output, "{\"traceEvents\":[\n");
  for (int32_t rank = 0; rank < ranks; rank++) {
    put_rank(&output, rank, &logs[rank], zero);
    dropped += logs[rank].head.dropped;
  }
  put(&output,
      "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{\"ranks\":%d,\"dropped\":%" PRId64 "}}\n",
      ranks, dropped);
  return tr_output_close(&output);
}
