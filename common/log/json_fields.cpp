#include "common/log/json_fields.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"

namespace groma {

namespace {

[[noreturn]] void refuse(const char* name, const std::string& wanted) {
    throw UsageError(std::string("field \"") + name + "\" is not " + wanted);
}

const nlohmann::json& field(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);  // of something that is no object: nothing
    if (found == object.end()) {
        throw UsageError(std::string("field \"") + name + "\" is missing");
    }
    return *found;
}

}  // namespace

std::string text_field(const nlohmann::json& object, const char* name) {
    const auto& value = field(object, name);
    if (not value.is_string() or value.get_ref<const std::string&>().size() > kMaxLogText) {
        refuse(name, "a text of at most " + std::to_string(kMaxLogText) + " bytes");
    }
    return value.get<std::string>();
}

std::uint64_t count_field(const nlohmann::json& object, const char* name) {
    const auto& value = field(object, name);
    if (not value.is_number_unsigned()) {
        refuse(name, "a whole number from 0");
    }
    return value.get<std::uint64_t>();
}

WallTime time_field(const nlohmann::json& object, const char* name) {
    const auto& value = field(object, name);
    const bool too_large = value.is_number_unsigned() and
                           value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    if (not value.is_number_integer() or too_large) {
        refuse(name, "a time in whole nanoseconds");
    }
    return wall_time_from_ns(value.get<std::int64_t>());
}

FlowId flow_field(const nlohmann::json& object, const char* name) {
    const std::uint64_t value = count_field(object, name);
    if (value > std::numeric_limits<std::uint32_t>::max()) {
        refuse(name, "a flow's number");
    }
    return FlowId{static_cast<std::uint32_t>(value)};
}

const nlohmann::json& array_field(const nlohmann::json& object, const char* name, std::size_t limit) {
    const auto& value = field(object, name);
    if (not value.is_array() or value.size() > limit) {
        refuse(name, "a list of at most " + std::to_string(limit));
    }
    return value;
}

std::string cut_text(std::string_view text) {
    return std::string(text.substr(0, kMaxLogText));
}

}  // namespace groma
