#include "common/json/json_reader.hpp"

#include <cmath>

#include "common/base/plain_text.hpp"

namespace groma {

namespace {

using nlohmann::json;

}  // namespace

JsonReader::JsonReader(const json& json, JsonForm form, const JsonPlace& place)
    : json_(json), form_(form), place_(place) {
    if (form == JsonForm::row ? not json.is_array() : not json.is_object()) {
        const std::string wanted = form == JsonForm::row ? "array" : "object";
        if (place.name.empty()) {
            throw UsageError("it is no JSON " + wanted);
        }
        refuse(place, "an " + wanted);
    }
}

void JsonReader::refuse(const JsonPlace& place, const std::string& rule) {
    throw UsageError("'" + place.last() + "' must be " + rule + place.where());
}

void JsonReader::require(bool holds, std::string_view rule) const {
    if (not holds) {
        throw UsageError(std::string(rule) + JsonPlace{&place_}.where());
    }
}

std::size_t JsonReader::index_of(std::string_view tag, JsonNames names) {
    const std::string name = text_of(needed(tag), {&place_, tag}, kLongestWord);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        throw UsageError("unknown " + std::string(tag) + " '" + plain_text(name, 40) + "'" +
                         JsonPlace{&place_, tag}.where());
    }
    return static_cast<std::size_t>(found - names.begin());
}

const json* JsonReader::find(std::string_view name) {
    if (form_ == JsonForm::row) {
        return next_ < json_.size() ? &json_[next_++] : nullptr;
    }
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
}

const json& JsonReader::needed(std::string_view name) {
    const json* const found = find(name);
    if (found == nullptr) {
        throw UsageError("'" + std::string(name) + "' is missing" + JsonPlace{&place_, name}.where());
    }
    return *found;
}

bool JsonReader::flag(const json& json, const JsonPlace& place) {
    if (not json.is_boolean()) {
        refuse(place, "true or false");
    }
    return json.get<bool>();
}

double JsonReader::real(const json& json, const JsonPlace& place) {
    if (not json.is_number() or std::isnan(json.get<double>())) {
        refuse(place, "a number");
    }
    return json.get<double>();
}

std::string JsonReader::text_of(const json& json, const JsonPlace& place, std::size_t longest) {
    if (not json.is_string() or json.get_ref<const std::string&>().size() > longest) {
        refuse(place, "a text of at most " + std::to_string(longest) + " bytes");
    }
    return json.get<std::string>();
}

Token JsonReader::token(const json& json, const JsonPlace& place) {
    if (not json.is_string() or not is_token(json.get_ref<const std::string&>())) {
        refuse(place, "a token of 32 hexadecimal digits");
    }
    return token_from_hex(json.get_ref<const std::string&>());
}

std::uint64_t JsonReader::whole_number(const json& json, const JsonPlace& place, std::uint64_t lowest,
                                       std::uint64_t highest) {
    // What a program made, and no text, may be "signed" without being negative.
    const bool whole = json.is_number_unsigned() or (json.is_number_integer() and json.get<std::int64_t>() >= 0);
    if (not whole or json.get<std::uint64_t>() < lowest or json.get<std::uint64_t>() > highest) {
        refuse(place, "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
    }
    return json.get<std::uint64_t>();
}

std::int64_t JsonReader::signed_number(const json& json, const JsonPlace& place, std::int64_t lowest,
                                       std::int64_t highest) {
    constexpr auto kHighest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const bool fits =
        json.is_number_integer() and not(json.is_number_unsigned() and json.get<std::uint64_t>() > kHighest);
    if (not fits or json.get<std::int64_t>() < lowest or json.get<std::int64_t>() > highest) {
        refuse(place, "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
    }
    return json.get<std::int64_t>();
}

void JsonReader::expect_array(const json& json, const JsonPlace& place, std::size_t most) {
    if (not json.is_array() or json.size() > most) {
        refuse(place, "an array of at most " + std::to_string(most) + " elements");
    }
}

void JsonReader::read(const json& json, std::map<std::string, std::string>& texts, const JsonPlace& place,
                      const Most& most, const CutTo& names, const CutTo& values) {
    if (not json.is_object() or json.empty() or json.size() > most.elements) {
        refuse(place, "an object of 1 to " + std::to_string(most.elements) + " texts");
    }
    texts.clear();
    for (const auto& [name, value] : json.items()) {
        if (name.size() > names.bytes) {
            refuse(place, "texts whose names have at most " + std::to_string(names.bytes) + " bytes");
        }
        texts[name] = text_of(value, {&place, name}, values.bytes);
    }
}

}  // namespace groma
