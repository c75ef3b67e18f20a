// Where a value stands in a JSON text, for errors: "'port' must be ... (in 'flows[2].target')".
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace groma {

/// What it refers to outlives it.
struct JsonPlace {
    const JsonPlace* in = nullptr;
    std::string_view name = {};
    std::size_t index = kNone;
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    /// "port", "flows[2]": the last part of its path.
    [[nodiscard]] std::string last() const;
    /// " (in 'flows[2].target')": the path of what it is in; empty at the top.
    [[nodiscard]] std::string where() const;
};

}  // namespace groma
