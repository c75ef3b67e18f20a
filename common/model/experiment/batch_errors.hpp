// The errors of all combinations of a batch, each once. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/experiment/batch_axes.hpp"

namespace groma {

class BatchErrors {
public:
    explicit BatchErrors(const std::vector<BatchKey>& keys);

    /// The errors of one combination, which has this text (combination_text()).
    void add(const std::vector<TextError>& errors, const std::string& combination);

    [[nodiscard]] bool empty() const { return found_.empty(); }

    /// In the order of their places. An error that only some of the combinations have names the first of them,
    /// unless its place, that of a value in [batch], says enough.
    [[nodiscard]] std::vector<TextError> of(std::size_t combinations) const;

private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::string>;  ///< line, column, what
    struct Seen {
        std::size_t times;
        std::string combination;  ///< the first
    };

    std::set<std::pair<std::uint32_t, std::uint32_t>> value_places_;
    std::map<Key, Seen> found_;
};

}  // namespace groma
