#include "mpi/rank_message.hpp"

#include "common/base/errors.hpp"

namespace groma {

using nlohmann::json;

std::vector<std::byte> serialize(const RankMessage& message) {
    const json whole = {{"kind", message.kind}, {"body", message.body}};
    std::vector<std::uint8_t> cbor;
    json::to_cbor(whole, cbor);
    const auto bytes = std::as_bytes(std::span(cbor));
    return {bytes.begin(), bytes.end()};
}

RankMessage parse_rank_message(std::span<const std::byte> bytes, int from) {
    json whole = json::from_cbor(bytes, true, false);
    if (not whole.is_object() or not whole.contains("kind") or not whole["kind"].is_string() or
        not whole.contains("body") or not whole["body"].is_object()) {
        throw ProtocolError("rank " + std::to_string(from),
                            "sent what is no message: install the same release on all hosts");
    }
    return {whole["kind"].get<std::string>(), std::move(whole["body"])};
}

}  // namespace groma
