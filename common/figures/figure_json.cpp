#include "common/figures/figure_json.hpp"

#include <type_traits>

namespace groma {

nlohmann::ordered_json to_json(const FigureValue& value) {
    return std::visit(
        [](const auto& known) {
            if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>) {
                return nlohmann::ordered_json(nullptr);
            } else {
                return nlohmann::ordered_json(known);
            }
        },
        value);
}

}  // namespace groma
