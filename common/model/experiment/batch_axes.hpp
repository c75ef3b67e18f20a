// Contents of [batch]: the axes of the grid, the repetitions among them, and the order of the runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/text/experiment_text.hpp"

namespace groma {

inline constexpr std::uint32_t kMaxBatchRuns = 10'000;

/// One key of [batch] with its values and their places.
struct BatchKey {
    std::string name;  ///< as users write it: "flows"
    std::vector<Setting> values;
};

struct BatchAxes {
    std::vector<BatchKey> keys;  ///< in the order of the file
    std::uint32_t repetitions = 1;
    std::size_t repetitions_before = 0;  ///< number of keys before 'repetitions', which change less often
    bool shuffled = false;
    std::vector<TextError> errors;
};

[[nodiscard]] BatchAxes read_batch_axes(const ListSection& section);

/// Sets a key of [batch] in a flow; it overrides the flow and the defaults.
void put_batch_value(std::string_view key, const Setting& value, Section& flow);

}  // namespace groma
