#include "common/model/families/family_text.hpp"

#include "common/base/errors.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

std::vector<std::string_view> pieces(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    std::size_t end = 0;
    while ((end = text.find(separator)) != std::string_view::npos) {
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    pieces.push_back(text);
    return pieces;
}

std::vector<std::string_view> FamilyText::parameters(std::size_t least, std::size_t most, std::string_view form) const {
    std::vector<std::string_view> parts = pieces(text, ':');
    if (parts.size() < least or parts.size() > most or text.empty()) {
        throw UsageError("'" + std::string(family) + "' needs " + std::string(form));
    }
    return parts;
}

double FamilyText::value(std::string_view written, bool alone) const {
    const std::string prefix = alone ? std::string(family) + ":" : std::string();
    return kind == DrawnKind::size ? parse_byte_value(written) : parse_time_ns(written, prefix);
}

double FamilyText::value_or_rate(std::string_view written, bool alone) const {
    const std::string prefix = alone ? std::string(family) + ":" : std::string();
    return kind == DrawnKind::gap ? parse_gap_ns(written, prefix) : value(written, alone);
}

std::string value_to_string(double value, DrawnKind kind) {
    return kind == DrawnKind::size ? number_to_string(value) : time_to_string(value);
}

std::string value_or_rate_to_string(double value, DrawnKind kind) {
    return kind == DrawnKind::gap ? gap_to_string(value) : value_to_string(value, kind);
}

}  // namespace groma
