#include "sender/commands/row_output.hpp"

#include <span>

#include "common/base/errors.hpp"

namespace groma {

RowOutput::RowOutput(const SenderOptions& options, Console& console) : interval_(options.interval), console_(console) {
    if (interval_ and prints_text(options)) {
        screen_.emplace("-");
    }
    if (options.jsonl) {
        json_.emplace(*options.jsonl);
    }
}

std::optional<RowsWanted> RowOutput::wanted() {
    if (not interval_) {
        return std::nullopt;
    }
    return RowsWanted{.interval = *interval_, .take = [this](const IntervalRow& row) { take(row); }};
}

void RowOutput::take(const IntervalRow& row) {
    console_.clear();
    if (screen_) {
        write(screen_, text_.lines(row));
    }
    if (json_) {
        write(json_, row_json(row));
    }
}

void RowOutput::write(std::optional<OutputStream>& stream, std::string_view text) {
    try {
        stream->write(std::as_bytes(std::span<const char>(text)));
    } catch (const SystemError& error) {
        error_ = std::string("rows are missing: ") + error.what();
        stream.reset();
    }
}

void RowOutput::keep() {
    if (json_) {
        json_->keep();
    }
}

}  // namespace groma
