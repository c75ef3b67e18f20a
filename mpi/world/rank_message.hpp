// What rank 0 and the other ranks of a job say to each other: a kind, and a JSON object whose fields depend on it
// (docs/guide/mpi.md). It travels as CBOR (RFC 8949), for some of it is bytes.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace groma {

struct RankMessage {
    std::string kind;
    nlohmann::json body = nlohmann::json::object();
};

/// Bytes of a message at most.
inline constexpr std::size_t kLongestRankMessage = std::size_t{256} << 20U;

[[nodiscard]] std::vector<std::byte> serialize(const RankMessage& message);

/// Throws: ProtocolError when the bytes are no message.
[[nodiscard]] RankMessage parse_rank_message(std::span<const std::byte> bytes, int from);

}  // namespace groma
