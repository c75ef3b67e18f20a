// Where the rows of a run go (--interval): text to standard output, JSON lines to standard output or a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/os/output.hpp"
#include "sender/commands/console.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/run/row_text.hpp"
#include "sender/run/run_rows.hpp"

namespace groma {

/// Thread: one at a time.
class RowOutput {
public:
    /// Opens the file of the options. The console outlives this object. Throws: SystemError.
    RowOutput(const SenderOptions& options, Console& console);

    /// Empty without --interval. Refers to this object.
    [[nodiscard]] std::optional<RowsWanted> wanted();

    /// The run is over: the file gets its name. Throws: SystemError.
    void keep();
    /// Why rows are not all written, which does not end a run; empty: they are.
    [[nodiscard]] const std::string& error() const { return error_; }

private:
    void take(const IntervalRow& row);
    /// Gives the stream up when it fails. Requires: there is one.
    void write(std::optional<OutputStream>& stream, std::string_view text);

    std::optional<Nanos> interval_;
    Console& console_;
    RowText text_;
    std::optional<OutputStream> screen_;  ///< of the text; empty: not wanted
    std::optional<OutputStream> json_;
    std::string error_;
};

}  // namespace groma
