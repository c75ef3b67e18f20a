// Fidelity and histograms as JSON that travels between ranks; read back, they merge as they did where they were made.
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "common/stats/fidelity.hpp"

namespace groma {

[[nodiscard]] nlohmann::json encode(const LogHistogram& histogram);
/// Throws: UsageError.
[[nodiscard]] LogHistogram decode_histogram(const nlohmann::json& object);

[[nodiscard]] nlohmann::json encode(const Fidelity& fidelity);
/// `asked`: the model of the flow's gaps, as where they were counted. Throws: UsageError.
[[nodiscard]] Fidelity decode_fidelity(const nlohmann::json& object, std::shared_ptr<const GapModel> asked);

}  // namespace groma
