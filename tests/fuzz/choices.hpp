// Choices by a fuzzer's bytes: the next event, and the values of its fields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace groma {

/// Returns the input byte by byte; zeros after its end.
class Choices {
public:
    explicit Choices(std::span<const std::uint8_t> input) : input_(input) {}
    [[nodiscard]] bool more() const { return not input_.empty(); }
    std::uint8_t next() {
        if (input_.empty()) {
            return 0;
        }
        const std::uint8_t value = input_.front();
        input_ = input_.subspan(1);
        return value;
    }
    unsigned below(unsigned limit) { return next() % limit; }
    bool one_in(unsigned count) { return below(count) == count - 1; }  ///< seldom where the input is zero

    /// Small, or close to the largest of its type.
    template <typename Number>
    Number number() {
        const std::uint8_t value = next();
        return value < 128 ? Number{value} : static_cast<Number>(std::numeric_limits<Number>::max() - (255U - value));
    }

    /// Bytes of the input, sometimes repeated until limits are reached.
    std::string text() {
        const std::uint8_t length = next();
        const auto bytes = input_.first(std::min<std::size_t>(length % 32, input_.size()));
        input_ = input_.subspan(bytes.size());
        std::string once(bytes.begin(), bytes.end());
        std::string all;
        for (unsigned i = 0; i <= (length < 224 ? 0U : 80U); ++i) {
            all += once;
        }
        return all;
    }

private:
    std::span<const std::uint8_t> input_;
};

}  // namespace groma
