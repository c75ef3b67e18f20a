// What a description says of a value besides its name (json_record.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace groma {

/// A text has at most so many bytes. Written, a longer one is cut.
struct CutTo {
    std::size_t bytes;
};
/// A text has at most so many bytes. Written, a longer one stays whole, and the peer refuses it: a name, cut, is
/// another.
struct UpTo {
    std::size_t bytes;
};
/// A list, or an object with a name for each value, has at most so many elements. Bounds after it are those of the
/// elements.
struct Most {
    std::size_t elements;
};
/// The same; written, further elements are left out.
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

/// Records in a list are arrays of their values in the order of the description, to save space; default values at the
/// end are left out.
enum class JsonForm : std::uint8_t { object, row };

}  // namespace groma
