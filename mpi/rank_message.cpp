#include "mpi/rank_message.hpp"

#include "common/base/errors.hpp"

namespace groma {

using nlohmann::json;

std::vector<std::byte> serialize(const RankMessage& message) {
    const json whole = {{"kind", message.kind}, {"body", message.body}};
    const std::string text = whole.dump(-1, ' ', false, json::error_handler_t::replace);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

RankMessage parse_rank_message(std::span<const std::byte> bytes, int from) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    json whole = json::parse(text, nullptr, false);
    if (not whole.is_object() or not whole.contains("kind") or not whole["kind"].is_string() or
        not whole.contains("body") or not whole["body"].is_object()) {
        throw ProtocolError("rank " + std::to_string(from),
                            "sent what is no message: install the same release on all hosts");
    }
    return {whole["kind"].get<std::string>(), std::move(whole["body"])};
}

}  // namespace groma
