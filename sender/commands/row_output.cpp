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
    try {
        if (screen_) {
            screen_->write(std::as_bytes(std::span<const char>(text_.lines(row))));
        }
        if (json_) {
            json_->write(std::as_bytes(std::span<const char>(row_json(row))));
        }
    } catch (const SystemError& error) {
        error_ = std::string("rows are missing: ") + error.what();
        screen_.reset();
        json_.reset();
    }
}

void RowOutput::keep() {
    if (json_) {
        json_->keep();
    }
}

}  // namespace groma
