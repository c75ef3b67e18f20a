// Bounds of values in descriptions (json_record.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace groma {

/// The largest length of a text in bytes. A longer one is cut when written.
struct CutTo {
    std::size_t bytes;
};
/// The largest length of a text in bytes. A longer one is written uncut, and the peer refuses it: a name that is cut
/// would be another name.
struct UpTo {
    std::size_t bytes;
};
/// The largest number of elements in a list, or in an object with a name for each value. Later bounds apply to the
/// elements.
struct Most {
    std::size_t elements;
};
/// The same; further elements are not written.
struct FirstOf {
    std::size_t elements;
};
using JsonNames = std::span<const std::string_view>;
template <typename Number>
struct Within {
    Number lowest;
    Number highest;
};
template <typename Number>
Within(Number, Number) -> Within<Number>;

/// `row`: each record of a list is an array of its values in the order of the description, to save space; default
/// values at its end are left out.
enum class JsonForm : std::uint8_t { object, row };

}  // namespace groma
