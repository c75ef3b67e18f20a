#include "common/control/json_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"

namespace groma {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& rule) {
    throw UsageError("'" + name + "' must be " + rule);
}

std::uint64_t as_number(const json& value, const std::string& name, std::uint64_t lowest, std::uint64_t highest) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number >= lowest and number <= highest) {
            return number;
        }
    }
    refuse(name, "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
}

std::string as_text(const json& value, const std::string& name, std::size_t longest) {
    if (not value.is_string() or value.get_ref<const std::string&>().size() > longest) {
        refuse(name, "a text of at most " + std::to_string(longest) + " bytes");
    }
    return value.get<std::string>();
}

}  // namespace

std::size_t json_depth(std::string_view text) noexcept {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            in_string = c != '"';
            i += c == '\\' ? 1 : 0;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' or c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == ']' or c == '}') and depth > 0) {
            --depth;
        }
    }
    return deepest;
}

JsonFields::JsonFields(const json& object) : object_(object) {
    if (not object.is_object()) {
        throw UsageError("it is no JSON object");
    }
}

bool JsonFields::has(const char* name) const {
    return object_.contains(name);
}

const json& JsonFields::at(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) {
        throw UsageError("'" + std::string(name) + "' is missing");
    }
    return *found;
}

std::string JsonFields::text(const char* name, std::size_t longest) const {
    return as_text(at(name), name, longest);
}

std::uint64_t JsonFields::number(const char* name, std::uint64_t lowest, std::uint64_t highest) const {
    return as_number(at(name), name, lowest, highest);
}

std::int64_t JsonFields::signed_number(const char* name) const {
    const json& value = at(name);
    constexpr auto kHighest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (not value.is_number_integer() or (value.is_number_unsigned() and value.get<std::uint64_t>() > kHighest)) {
        refuse(name, "a whole number of 64 bits");
    }
    return value.get<std::int64_t>();
}

double JsonFields::real(const char* name) const {
    const json& value = at(name);
    if (not value.is_number() or std::isnan(value.get<double>())) {
        refuse(name, "a number");
    }
    return value.get<double>();
}

bool JsonFields::flag(const char* name) const {
    const json& value = at(name);
    if (not value.is_boolean()) {
        refuse(name, "true or false");
    }
    return value.get<bool>();
}

const json& JsonFields::array(const char* name, std::size_t longest) const {
    const json& value = at(name);
    if (not value.is_array() or value.size() > longest) {
        refuse(name, "an array of at most " + std::to_string(longest) + " elements");
    }
    return value;
}

std::uint64_t number_at(const json& array, std::size_t index, const char* what) {
    if (not array.is_array() or index >= array.size()) {
        throw UsageError("'" + std::string(what) + "' is missing in an element");
    }
    return as_number(array[index], what, 0, std::numeric_limits<std::uint64_t>::max());
}

std::string text_at(const json& array, std::size_t index, const char* what, std::size_t longest) {
    if (not array.is_array() or index >= array.size()) {
        throw UsageError("'" + std::string(what) + "' is missing in an element");
    }
    return as_text(array[index], what, longest);
}

}  // namespace groma
