// What of a WHERE is handed down to a log: comparisons of flow, kind, sequence number and time with values.
#pragma once

#include <sqlite3ext.h>

#include <cstdint>
#include <string>

#include "decoder/extension/packet_file.hpp"

namespace groma {

/// The columns of groma_packets, in their order.
enum class PacketColumn : std::uint8_t {
    flow,
    name,
    kind,
    seq,
    at_ns,
    sent_at_ns,
    size,
    delay_us,
    delay_ns,
    rtt_us,
    lateness_us,
    batch,
    ttl,
    ds_byte,
    reflected_at_ns,
    replied_at_ns,
    file,
    sender_file,
};

inline constexpr const char* kPacketColumns =
    "CREATE TABLE groma_packets(flow INTEGER, name TEXT, kind TEXT, seq INTEGER, at_ns INTEGER, sent_at_ns INTEGER, "
    "size INTEGER, delay_us REAL, delay_ns INTEGER, rtt_us REAL, lateness_us REAL, batch INTEGER, ttl INTEGER, ds_byte "
    "INTEGER, reflected_at_ns INTEGER, replied_at_ns INTEGER, file TEXT HIDDEN, sender_file TEXT HIDDEN)";

[[nodiscard]] const char* kind_text(BlockType kind) noexcept;

/// Chooses what to hand down and what that costs: xBestIndex. Returns: a status of SQLite.
/// Throws: std::bad_alloc.
int choose_constraints(sqlite3_index_info& info);

/// What xBestIndex tells xFilter.
struct PacketPlan {
    int by_flow = 0;
    const char* chosen = "";
};

/// What was handed down, with its values: xFilter.
struct PacketArguments {
    std::string file;
    std::string sender_file;
    PacketQuery query;
};
[[nodiscard]] PacketArguments read_constraints(const PacketPlan& plan, int count, sqlite3_value** values);

}  // namespace groma
