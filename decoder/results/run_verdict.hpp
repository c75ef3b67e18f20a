// Was it sent as asked? The sender's rule (common/log/faithfulness.hpp), applied to what its log says.
#pragma once

#include <optional>
#include <string>

#include "common/log/faithfulness.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Empty without the sender's log, or if it was cut short: then it is unknown whether the flow ran to its end.
[[nodiscard]] std::optional<Judgement> judge(const FlowResult& flow);

struct RunVerdict {
    std::optional<Judgement> worst;  ///< empty: unknown for some flow, and not bad for any other
    std::string text;                ///< a line for people
    std::size_t as_asked = 0;        ///< flows
    std::size_t unknown = 0;
    std::size_t flows = 0;
};

/// That of the worst flow, so that good ones do not hide a bad one. An unmet requirement makes it "not as asked".
[[nodiscard]] RunVerdict judge(const RunResult& run);

}  // namespace groma
