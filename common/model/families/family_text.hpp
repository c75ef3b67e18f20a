// Reads and writes the parameters of a family as text.
#pragma once

#include "common/model/families/family.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// The text after "FAMILY:" and the kind of its values. All members throw UsageError with what is wrong.
struct FamilyText {
    DrawnKind kind;
    const NamedFiles& files;
    std::string_view family;
    std::string_view text;

    /// The parameters between colons. `form` names them ("two values: normal:MEAN:DEVIATION").
    [[nodiscard]] std::vector<std::string_view> parameters(std::size_t least, std::size_t most,
                                                           std::string_view form) const;
    /// A time, or bytes. `alone`: the only parameter; the advice then names its family.
    [[nodiscard]] double value(std::string_view written, bool alone = false) const;
    /// The same; for gaps it may be a rate, which becomes the gap 1/rate.
    [[nodiscard]] double value_or_rate(std::string_view written, bool alone = false) const;
};

[[nodiscard]] std::vector<std::string_view> pieces(std::string_view text, char separator);

// Texts that the members above read back to the same value.
[[nodiscard]] std::string value_to_string(double value, DrawnKind kind);
[[nodiscard]] std::string value_or_rate_to_string(double value, DrawnKind kind);

}  // namespace groma
