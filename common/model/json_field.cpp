#include "common/model/json_field.hpp"

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"

namespace groma {

namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
    throw UsageError("field '" + std::string(name) + "' " + what);
}

double as_number(const nlohmann::json& value, std::string_view name) {
    if (not value.is_number()) {
        refuse(name, "is not a number");
    }
    return value.get<double>();
}

}  // namespace

const nlohmann::json* optional_field(const nlohmann::json& object, std::string_view name) {
    if (not object.is_object()) {
        refuse(name, "is looked for in something that is not an object");
    }
    const auto found = object.find(name);
    return found == object.end() or found->is_null() ? nullptr : &*found;
}

const nlohmann::json& required_field(const nlohmann::json& object, std::string_view name) {
    const nlohmann::json* field = optional_field(object, name);
    if (field == nullptr) {
        refuse(name, "is missing");
    }
    return *field;
}

double number_field(const nlohmann::json& object, std::string_view name) {
    return as_number(required_field(object, name), name);
}

std::uint64_t unsigned_field(const nlohmann::json& object, std::string_view name, std::uint64_t least,
                             std::uint64_t most) {
    const nlohmann::json& field = required_field(object, name);
    // Whole numbers that are not negative are "unsigned" when they were parsed and may be signed when made by a
    // program.
    const bool whole = field.is_number_unsigned() or (field.is_number_integer() and field.get<std::int64_t>() >= 0);
    if (not whole or field.get<std::uint64_t>() < least or field.get<std::uint64_t>() > most) {
        refuse(name, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return field.get<std::uint64_t>();
}

std::string string_field(const nlohmann::json& object, std::string_view name, std::size_t most_bytes) {
    const nlohmann::json& field = required_field(object, name);
    if (not field.is_string()) {
        refuse(name, "is not a string");
    }
    const auto& text = field.get_ref<const std::string&>();
    if (text.size() > most_bytes) {
        refuse(name, "is longer than " + std::to_string(most_bytes) + " bytes");
    }
    return text;
}

std::vector<double> numbers_field(const nlohmann::json& object, std::string_view name, std::size_t most) {
    const nlohmann::json& field = required_field(object, name);
    if (not field.is_array() or field.size() > most) {
        refuse(name, "is not an array of at most " + std::to_string(most) + " numbers");
    }
    std::vector<double> numbers;
    for (const nlohmann::json& element : field) {
        numbers.push_back(as_number(element, name));
    }
    return numbers;
}

}  // namespace groma
