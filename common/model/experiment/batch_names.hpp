// How the runs of a batch are called: in messages, as folders, as experiments.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/model/experiment/batch.hpp"

namespace groma {

/// Key and value of those keys that have more than one value.
using VariedValues = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] VariedValues varied_values(const std::vector<BatchKey>& keys, const std::vector<std::size_t>& point);

/// "rate 1000pps, size 64": for an error that only some combinations have; empty when nothing varies.
[[nodiscard]] std::string combination_text(const std::vector<BatchKey>& keys, const std::vector<std::size_t>& point);

/// "007-rate1000pps-size64-udp": letters, digits and "._+-" only, at most some 100 bytes, and unlike those of all
/// other runs for its number.
[[nodiscard]] std::string folder_name(const BatchRun& run, std::size_t runs, const VariedValues& varied);

/// "NAME-007-rate1000pps-size64-udp-r1", within what an experiment's name may have.
[[nodiscard]] std::string run_title(const std::string& batch, const BatchRun& run);

}  // namespace groma
