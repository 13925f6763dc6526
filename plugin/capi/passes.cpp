/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Passes and pipelines described by C tables, as MLIR passes with options. It must not know any
 * pass of ours: only that a table names a pass, its options and the function that runs it. */
#include "capi.h"

#include <memory>
#include <string>
#include <vector>

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

/* Pipelines that ran inside a pass. MLIR's timing tells passes by their addresses, so none is freed
 * before the last one has run. */
using Pipelines = std::vector<std::unique_ptr<OpPassManager>>;

/* What a running pass lends to C: its pipelines are run as MLIR runs nested ones. */
struct ts_active_pass {
  llvm::function_ref<LogicalResult(OpPassManager &)> run;
  Operation *op;
  Pipelines &pipelines;

  OpPassManager &create() {
    pipelines.push_back(std::make_unique<OpPassManager>(op->getName()));
    return *pipelines.back();
  }
};

namespace {

/* The options of one pass or pipeline, registered with `Parent` (a Pass or a PassOptions). */
template <typename Parent, template <typename> class OptionOf> class Options {
public:
  Options(Parent &parent, const ts_option_spec *specs, int count) : entries(count) {
    for (int i = 0; i < count; i++)
      add(parent, specs[i], entries[i]);
  }

  /* The values as C sees them. The strings stay valid as long as these options do. */
  std::vector<ts_option_value> values() const {
    std::vector<ts_option_value> all(entries.size() + 1);
    for (size_t i = 0; i < entries.size(); i++) {
      const Entry &entry = entries[i];
      all[i].string = entry.text ? entry.text->getValue().c_str() : "";
      all[i].integer = entry.integer ? entry.integer->getValue() : 0;
      all[i].boolean = entry.flag && entry.flag->getValue();
    }
    return all;
  }

private:
  /* Exactly one member is set, by the option's kind. */
  struct Entry {
    std::unique_ptr<OptionOf<bool>> flag;
    std::unique_ptr<OptionOf<int64_t>> integer;
    std::unique_ptr<OptionOf<std::string>> text;
  };

  static void add(Parent &parent, const ts_option_spec &spec, Entry &entry) {
    StringRef initial(spec.initial ? spec.initial : "");
    llvm::cl::desc help(spec.description);
    if (spec.kind == TS_OPTION_BOOL) {
      entry.flag = std::make_unique<OptionOf<bool>>(parent, spec.name, help,
                                                    llvm::cl::init(initial == "true"));
    } else if (spec.kind == TS_OPTION_INT) {
      int64_t number = 0;
      (void)initial.getAsInteger(10, number);
      entry.integer =
          std::make_unique<OptionOf<int64_t>>(parent, spec.name, help, llvm::cl::init(number));
    } else {
      entry.text = std::make_unique<OptionOf<std::string>>(parent, spec.name, help,
                                                           llvm::cl::init(initial.str()));
    }
  }

  std::vector<Entry> entries;
};

template <typename T> using PassOption = Pass::Option<T>;

/* A pass given by a table. Scheduled on any op, so that a wrong anchor gets a located message
 * instead of upstream's unlocated one. */
class TablePass : public Pass {
public:
  explicit TablePass(const ts_pass_spec &spec)
      : Pass(TypeID::getFromOpaquePointer(&spec)), spec(spec),
        options(*this, spec.options, spec.num_options) {
  }

  StringRef getName() const override {
    return spec.argument;
  }
  StringRef getArgument() const override {
    return spec.argument;
  }
  StringRef getDescription() const override {
    return spec.description;
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    if (spec.register_dialects)
      spec.register_dialects(wrap(&registry));
  }

protected:
  bool canScheduleOn(RegisteredOperationName) const override {
    return true;
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<TablePass>(spec);
  }

  void runOnOperation() override {
    Operation *op = getOperation();
    if (op->getName().getStringRef() != spec.anchor) {
      op->emitError() << "'" << spec.argument << "' needs a whole '" << spec.anchor
                      << "', but was run on '" << op->getName()
                      << "'; do not nest it in the pass pipeline";
      return signalPassFailure();
    }
    if (!runAndCountErrors(op))
      signalPassFailure();
  }

private:
  /* No pass may fail without a word: there is a message for the mistake that no other names. */
  bool runAndCountErrors(Operation *op) {
    int errors = 0;
    ScopedDiagnosticHandler counter(op->getContext(), [&](Diagnostic &diagnostic) {
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure(); /* for others to print */
    });
    auto nested = [&](OpPassManager &manager) { return runPipeline(manager, op); };
    Pipelines pipelines;
    ts_active_pass active{nested, op, pipelines};
    std::vector<ts_option_value> values = options.values();
    bool done = spec.run_nesting ? spec.run_nesting(&active, wrap(op), values.data())
                                 : spec.run(wrap(op), values.data());
    if (!done && errors == 0)
      op->emitError() << "'" << spec.argument
                      << "' cannot go on and does not know why: this is a mistake of the pass, not "
                         "of the program; please report it with the program";
    return done;
  }

  const ts_pass_spec &spec;
  Options<Pass, PassOption> options;
};

/* A part of a pass that MLIR sees as one of its own. */
class StepPass : public Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepPass)
  using Run = bool (*)(ts_active_pass *step, void *user);

  StepPass(const char *name, Run run, void *user, Pipelines &pipelines)
      : Pass(TypeID::get<StepPass>()), name(name), run(run), user(user), pipelines(pipelines) {
  }

  StringRef getName() const override {
    return name;
  }
  StringRef getArgument() const override {
    return name;
  }

protected:
  bool canScheduleOn(RegisteredOperationName) const override {
    return true;
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<StepPass>(name, run, user, pipelines);
  }

  void runOnOperation() override {
    Operation *op = getOperation();
    auto nested = [&](OpPassManager &manager) { return runPipeline(manager, op); };
    ts_active_pass active{nested, op, pipelines};
    if (!run(&active, user))
      signalPassFailure();
  }

private:
  const char *name;
  Run run;
  void *user;
  Pipelines &pipelines;
};

class Watcher : public PassInstrumentation {
public:
  explicit Watcher(const ts_pass_watcher &watcher) : watcher(watcher) {
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!op->getParentOp())
      watcher.begin(watcher.user, pass->getName().data());
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!op->getParentOp())
      watcher.end(watcher.user, pass->getName().data(), wrap(op));
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (!op->getParentOp())
      watcher.end(watcher.user, pass->getName().data(), MlirOperation{nullptr});
  }

private:
  const ts_pass_watcher &watcher;
};

template <typename T> using PipelineOption = mlir::detail::PassOptions::Option<T>;

struct PipelineOptions : public mlir::detail::PassOptions {
  explicit PipelineOptions(const ts_pipeline_spec &spec)
      : options(*this, spec.options, spec.num_options) {
  }
  Options<mlir::detail::PassOptions, PipelineOption> options;
};

} // namespace

void ts_register_pass(const ts_pass_spec *spec) {
  registerPass([spec] { return std::make_unique<TablePass>(*spec); });
}

MlirPass ts_create_pass(const ts_pass_spec *spec, MlirStringRef options) {
  auto pass = std::make_unique<TablePass>(*spec);
  auto report = [spec](const Twine &message) -> LogicalResult {
    llvm::errs() << spec->argument << ": " << message << "\n";
    return failure();
  };
  if (failed(pass->initializeOptions(unwrap(options), report)))
    return MlirPass{nullptr};
  return wrap(static_cast<Pass *>(pass.release()));
}

void ts_register_pipeline(const ts_pipeline_spec *spec) {
  registerPassPipeline(
      spec->argument, spec->description,
      [spec](OpPassManager &manager, StringRef text,
             function_ref<LogicalResult(const Twine &)> report) -> LogicalResult {
        PipelineOptions parsed(*spec);
        if (failed(parsed.parseFromString(text)))
          return report("bad options for '" + Twine(spec->argument) + "'");
        if (!spec->build(wrap(&manager), parsed.options.values().data()))
          return report("'" + Twine(spec->argument) + "' cannot be built with these options");
        return success();
      },
      [spec](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(PipelineOptions(*spec));
      });
}

bool ts_run_step(ts_active_pass *pass, const char *name,
                 bool (*run)(ts_active_pass *step, void *user), void *user) {
  OpPassManager &manager = pass->create();
  manager.addPass(std::make_unique<StepPass>(name, run, user, pass->pipelines));
  return succeeded(pass->run(manager));
}

bool ts_run_pipeline(ts_active_pass *pass, const char *passes) {
  OpPassManager &manager = pass->create();
  std::string mistake;
  llvm::raw_string_ostream stream(mistake);
  if (failed(parsePassPipeline(passes, manager, stream))) {
    emitError(pass->op->getLoc()) << mistake;
    return false;
  }
  return succeeded(pass->run(manager));
}

void ts_insert_pipeline_dialects(const char *passes, MlirDialectRegistry registry) {
  OpPassManager manager(ModuleOp::getOperationName());
  std::string mistake;
  llvm::raw_string_ostream stream(mistake);
  if (succeeded(parsePassPipeline(passes, manager, stream)))
    manager.getDependentDialects(*unwrap(registry));
}

void ts_watch_passes(MlirPassManager manager, const ts_pass_watcher *watcher) {
  unwrap(manager)->addInstrumentation(std::make_unique<Watcher>(*watcher));
}
