/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Diagnostics of every severity at a location, and locations as text. It must not know what is
 * reported. */
#include "capi.h"

#include <cstdio>

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

using namespace mlir;

static DiagnosticSeverity severity_of(ts_severity severity) {
  switch (severity) {
  case TS_ERROR:
    return DiagnosticSeverity::Error;
  case TS_WARNING:
    return DiagnosticSeverity::Warning;
  case TS_REMARK:
    return DiagnosticSeverity::Remark;
  case TS_NOTE:
    break;
  }
  return DiagnosticSeverity::Note;
}

void ts_diagnose(MlirLocation location, ts_severity severity, const char *message,
                 MlirLocation note_location, const char *note) {
  Location where = unwrap(location);
  InFlightDiagnostic diagnostic =
      where.getContext()->getDiagEngine().emit(where, severity_of(severity));
  diagnostic << message;
  if (note)
    diagnostic.attachNote(note_location.ptr ? unwrap(note_location) : where) << note;
}

size_t ts_location_text(MlirLocation location, char *buffer, size_t size) {
  FileLineColLoc file;
  unwrap(location)->walk([&](Location inner) {
    file = dyn_cast<FileLineColLoc>(inner);
    return file ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!file) {
    if (size > 0)
      buffer[0] = '\0';
    return 0;
  }
  /* Line 0 is no line: the location is that of the whole file. */
  std::string name = file.getFilename().str();
  int length = file.getLine() == 0 ? snprintf(buffer, size, "%s", name.c_str())
                                   : snprintf(buffer, size, "%s:%u:%u", name.c_str(),
                                              file.getLine(), file.getColumn());
  return length < 0 ? 0 : static_cast<size_t>(length);
}

MlirLocation ts_location_with_note(MlirLocation location, const char *key, const char *text) {
  MLIRContext *context = unwrap(location).getContext();
  return wrap(
      Location(NameLoc::get(StringAttr::get(context, Twine(key) + ": " + text), unwrap(location))));
}

MlirStringRef ts_location_note(MlirLocation location, const char *key) {
  StringRef found;
  unwrap(location)->walk([&](Location inner) {
    auto name = dyn_cast<NameLoc>(inner);
    StringRef text = name ? name.getName().getValue() : StringRef();
    if (!text.consume_front(key) || !text.consume_front(": "))
      return WalkResult::advance();
    found = text;
    return WalkResult::interrupt();
  });
  return mlirStringRefCreate(found.data(), found.size());
}
