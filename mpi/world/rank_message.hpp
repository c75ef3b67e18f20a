// A message between rank 0 and other ranks: a kind, and a JSON object whose fields depend on it (docs/guide/mpi.md).
// Encoded as CBOR (RFC 8949), since some fields are bytes.
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

/// The largest message in bytes.
inline constexpr std::size_t kLongestRankMessage = std::size_t{256} << 20U;

[[nodiscard]] std::vector<std::byte> serialize(const RankMessage& message);

/// Throws: ProtocolError for invalid bytes.
[[nodiscard]] RankMessage parse_rank_message(std::span<const std::byte> bytes, int from);

}  // namespace groma
