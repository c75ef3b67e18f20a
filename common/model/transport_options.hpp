// What a flow asks of its sockets beside the protocol: addresses, header fields, buffers, and what single transports
// offer. One table names each option once, for the command line, the experiment file, the control channel and the log.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/units.hpp"
#include "common/model/transport.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// What was not asked for stays as the kernel has it.
struct TransportOptions {
    // Where the packets leave from.
    std::string source;  ///< address of the sender's host
    std::optional<std::uint32_t> source_port;
    std::string device;  ///< interface of the sender's host

    // Fields of the IP header.
    std::optional<std::uint32_t> ttl;         ///< TTL, or hop limit of IPv6
    std::optional<std::uint32_t> ds_byte;     ///< differentiated services and ECN, all 8 bits (RFC 2474, RFC 3168)
    std::optional<std::uint32_t> flow_label;  ///< IPv6, 20 bits (RFC 6437)
    std::optional<bool> dont_fragment;

    // This host's queues.
    std::optional<std::uint32_t> priority;  ///< SO_PRIORITY
    std::optional<Bytes> send_buffer;
    std::optional<Bytes> receive_buffer;  ///< of the receiver's socket

    // TCP and MPTCP.
    std::optional<bool> nagle;  ///< off otherwise: a packet leaves when it is due
    std::string congestion;     ///< congestion control by the kernel's name
    std::optional<std::uint32_t> mss;

    // SCTP.
    std::optional<std::uint32_t> streams;          ///< of the association, which the flow's packets take in turn
    std::optional<bool> ordered;                   ///< otherwise on
    std::optional<Nanos> lifetime;                 ///< given up after so long (RFC 3758)
    std::optional<std::uint32_t> retransmissions;  ///< given up after so many (RFC 7496)

    // DCCP.
    std::optional<std::uint32_t> ccid;
    std::optional<std::uint32_t> service;  ///< service code (RFC 4340, 8.1.2)

    // UDP-Lite.
    std::optional<std::uint32_t> coverage;  ///< bytes that the checksum covers (RFC 3828)

    bool operator==(const TransportOptions&) const = default;
};

/// One option of the table.
struct TransportOptionRow {
    std::string_view key;    ///< in experiment files and logs: "send_buffer"; as an option "--send-buffer"
    std::string_view value;  ///< what stands for the value in the help
    std::string_view help;
    std::span<const Transport> only;  ///< transports that know it; empty: all
    /// Throws: UsageError for text that is none.
    void (*set)(TransportOptions& options, std::string_view text);
    /// The text that set() takes; nothing when it was not asked for.
    std::optional<std::string> (*get)(const TransportOptions& options);
};

[[nodiscard]] std::span<const TransportOptionRow> transport_option_rows() noexcept;

/// What is asked for and cannot be with this transport, a sentence each.
[[nodiscard]] std::vector<std::string> faults(const TransportOptions& options, Transport transport);

}  // namespace groma
