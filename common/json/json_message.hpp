// Messages of a protocol: each is one of several described records, identified by the field "type".
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "common/json/json_record.hpp"

namespace groma {

/// The types' names, in the order of the alternatives.
template <typename Message>
using MessageTypes = std::array<std::string_view, std::variant_size_v<Message>>;

template <typename Message>
[[nodiscard]] std::string message_text(const Message& message, const MessageTypes<Message>& types) {
    JsonWriter fields(JsonForm::object);
    fields.one_of("type", message, types);
    return json_text(fields.take());
}

/// Throws: ProtocolError(peer, ...) if the text is not one of these messages. The text is untrusted.
template <typename Message>
[[nodiscard]] Message message_from_text(std::string_view text, const std::string& peer,
                                        const MessageTypes<Message>& types, const JsonLimits& limits) {
    std::string called;
    try {
        const nlohmann::json json = parse_json(text, limits);
        JsonReader fields(json, JsonForm::object);
        called = "'" + std::string(types[fields.index_of("type", types)]) + "' ";
        Message message;
        fields.one_of("type", message, types);
        return message;
    } catch (const UsageError& error) {
        throw ProtocolError(peer, "sent a message " + called + "that cannot be read: " + error.what());
    }
}

}  // namespace groma
