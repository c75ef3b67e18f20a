#include "decoder/repetitions/repetition_command.hpp"

#include <filesystem>

#include "common/base/errors.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "decoder/repetitions/repetition_options.hpp"
#include "decoder/repetitions/repetition_report.hpp"
#include "decoder/repetitions/repetition_source.hpp"

namespace groma {

namespace {

/// A result must not overwrite its input.
void refuse_bad_targets(const BatchCommand& command) {
    for (const auto* target : {&command.json, &command.csv, &command.sqlite}) {
        if (not *target or **target == "-") {
            continue;
        }
        for (const std::string& input : command.inputs) {
            std::error_code missing;
            if (std::filesystem::equivalent(input, **target, missing) or
                std::filesystem::equivalent(std::filesystem::path(input) / "batch.sqlite", **target, missing)) {
                throw UsageError("cannot write results to " + **target + ": it is what is to be read");
            }
        }
    }
    if (command.sqlite and not command.force and std::filesystem::exists(*command.sqlite)) {
        throw UsageError("cannot write " + *command.sqlite +
                         ": it is there already; give another name, or --force to replace it");
    }
}

}  // namespace

int run_batch_command(std::span<const std::string> arguments) {
    const BatchCommand command = parse_batch_command(arguments);
    if (command.help or command.version) {
        const std::string text = command.help ? help_text(batch_option_table()) : "groma-dec " GROMA_VERSION "\n";
        return write_output("-", text) ? kExitOk : kExitFailed;
    }
    refuse_detached_values(command.perhaps_values, "not a folder or file");
    refuse_bad_targets(command);
    const Repetitions repetitions = read_repetitions(command.inputs);
    if (repetitions.runs.empty()) {
        throw RunError(command.inputs.front() + " holds no run");
    }
    const RepetitionSummary summary = summarised(repetitions, command.statistics);
    bool read = true;
    if (command.sqlite) {
        write_repetition_tables(summary, *command.sqlite);
    }
    if (command.json) {
        read = write_output(*command.json, repetition_json(summary)) and read;
    }
    if (command.csv) {
        read = write_output(*command.csv, repetition_csv(summary)) and read;
    }
    if (command.prints_text()) {
        read = write_output("-", repetition_text(summary)) and read;
    }
    return read and summary.left_out.empty() ? kExitOk : kExitFailed;
}

}  // namespace groma
