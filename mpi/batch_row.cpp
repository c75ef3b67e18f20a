#include "mpi/batch_row.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::array<std::string_view, 5> kStates = {"waiting", "running", "complete", "failed", "interrupted"};

}  // namespace

std::string_view to_string(RunState state) {
    return kStates.at(static_cast<std::size_t>(state));
}

RunState parse_run_state(std::string_view text) {
    const auto* const found = std::ranges::find(kStates, text);
    if (found == kStates.end()) {
        throw UsageError("a run cannot be '" + plain_text(text, 40) + "'");
    }
    return static_cast<RunState>(found - kStates.begin());
}

}  // namespace groma
