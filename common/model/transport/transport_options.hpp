// Options of a flow's sockets besides the protocol: addresses, header fields, buffers, and options of single
// transports. One table names each option once, for the command line, the experiment file, the control channel and the
// log.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/units.hpp"
#include "common/model/transport/transport.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Both ends included.
struct PortRange {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    bool operator==(const PortRange&) const = default;
};

/// Which of a packet's times is recorded (docs/reference/transports.md).
enum class StampSource : std::uint8_t { user, kernel, hardware };

/// Whether packets of one size that are due together may pass the sender's kernel as one
/// (docs/reference/transports.md).
enum class Segmentation : std::uint8_t { automatic, off };

/// Options that are not set keep the kernel's values.
struct TransportOptions {
    // Where the packets leave from.
    std::string source;  ///< address of the sender's host
    std::optional<std::uint32_t> source_port;
    std::optional<PortRange> source_ports;  ///< the first free one
    std::optional<PortRange> ports;         ///< of the receiver, which takes the first free one
    std::string device;                     ///< interface of the sender's host

    // Fields of the IP header.
    std::optional<std::uint32_t> ttl;         ///< TTL, or hop limit of IPv6
    std::optional<std::uint32_t> ds_byte;     ///< differentiated services and ECN, all 8 bits (RFC 2474, RFC 3168)
    std::optional<std::uint32_t> flow_label;  ///< IPv6, 20 bits (RFC 6437)
    std::optional<bool> dont_fragment;

    // This host's queues.
    std::optional<std::uint32_t> priority;  ///< SO_PRIORITY
    std::optional<Bytes> send_buffer;
    std::optional<Bytes> receive_buffer;  ///< of the receiver's socket

    // When packets are handed to the kernel.
    /// How long before their departures; the kernel's queue holds them. 0 or not set: at their departures.
    std::optional<Nanos> departure_lead;

    // How batches leave.
    std::optional<Segmentation> segmentation;  ///< otherwise automatic
    std::optional<bool> own_socket;            ///< even where very many flows would share sockets

    // What is recorded beside the packets.
    std::optional<StampSource> sent_stamps;     ///< when a packet left: kernel or hardware; otherwise only the user's
    std::optional<StampSource> arrival_stamps;  ///< when it arrived: otherwise the kernel's
    std::optional<bool> arrival_header;         ///< TTL and DS byte as they arrived
    std::optional<Nanos> state_interval;        ///< between two records of a connection's state; 0: none

    // Multicast.
    std::string group;                    ///< the packets' destination address; the flow's receivers join it
    std::optional<bool> source_specific;  ///< they join for the sender's address only (RFC 4607)

    // TCP and MPTCP.
    std::optional<bool> nagle;  ///< off otherwise: a packet leaves when it is due
    std::string congestion;     ///< congestion control by the kernel's name
    std::optional<std::uint32_t> mss;

    // SCTP.
    std::optional<std::uint32_t> streams;          ///< of the association, which the flow's packets take in turn
    std::optional<bool> ordered;                   ///< otherwise on
    std::optional<Nanos> lifetime;                 ///< give up after this time (RFC 3758)
    std::optional<std::uint32_t> retransmissions;  ///< give up after this number (RFC 7496)

    std::optional<std::uint32_t> association;    ///< flows of one number to one receiver share an association
    std::optional<std::uint32_t> encapsulation;  ///< UDP port for SCTP in user space (RFC 6951); 0: over IP

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
    std::string_view value;  ///< placeholder of the value in the help
    std::string_view help;
    std::span<const Transport> only;  ///< transports that support it; empty: all
    /// Throws: UsageError for an invalid text.
    void (*set)(TransportOptions& options, std::string_view text);
    /// The text that set() takes; empty if the option is not set.
    std::optional<std::string> (*get)(const TransportOptions& options);
    std::string_view more = {};  ///< sentences that only the man page has, after `help`
};

[[nodiscard]] std::span<const TransportOptionRow> transport_option_rows() noexcept;

/// Options that are set but not possible with this transport, a sentence each.
[[nodiscard]] std::vector<std::string> option_errors(const TransportOptions& options, Transport transport);

}  // namespace groma
