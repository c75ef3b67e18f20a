// Packets of a log as on an Ethernet, made from their records: the flow's addresses and ports, lengths, and Groma's
// header, of which a record has every field. Everything else is synthetic (docs/guide/wireshark.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "common/capture/pcapng_writer.hpp"
#include "common/log/run_metadata.hpp"
#include "common/wire/packet_image.hpp"
#include "decoder/logs/record_merge.hpp"

namespace groma {

/// "10.0.0.1:41234", "[fd99::1]:5000", or either without a port, which is then 0. Empty: not an address.
[[nodiscard]] std::optional<PacketEnd> parse_packet_end(std::string_view text);

class LoggedPackets {
public:
    /// Of a log with these metadata. `senders`: metadata of senders' logs, for ports that a receiver's log does not
    /// have.
    LoggedPackets(const RunMetadata& metadata, const std::vector<const RunMetadata*>& senders);

    struct Image {
        std::uint32_t length = 0;  ///< on the wire
        PcapngDirection direction = PcapngDirection::unknown;
    };
    /// Replaces the contents of `out`. To be called in the order of the log: positions in a TCP stream are counted
    /// here.
    Image draw(const MergedPacket& packet, std::vector<std::byte>& out);

private:
    struct Flow {
        Transport transport = Transport::udp;
        HeaderLevel header = HeaderLevel::full;
        PacketEnd sender;
        PacketEnd receiver;
        std::uint32_t stream_at = 1;        ///< of the next packet to the receiver
        std::uint32_t reply_stream_at = 1;  ///< of the next one back
    };

    [[nodiscard]] Flow& flow_of(FlowId id);

    std::map<FlowId, Flow> flows_;
};

}  // namespace groma
