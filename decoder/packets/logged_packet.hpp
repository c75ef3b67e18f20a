// Packets of a log as they looked on an Ethernet, from their records: the flow's addresses and ports, lengths, and
// Groma's header, of which a record knows every field. What else stands in a packet is made up
// (docs/guide/wireshark.md).
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

/// "10.0.0.1:41234", "[fd99::1]:5000", or either without a port, which is 0 then. Nothing: it is no address.
[[nodiscard]] std::optional<PacketEnd> parse_packet_end(std::string_view text);

class LoggedPackets {
public:
    /// Of a log with these metadata. `senders`: metadata of senders' logs, asked for the ports that a receiver does
    /// not know.
    LoggedPackets(const RunMetadata& metadata, const std::vector<const RunMetadata*>& senders);

    struct Image {
        std::uint32_t length = 0;  ///< on the wire
        PcapngDirection direction = PcapngDirection::unknown;
    };
    /// Replaces what is in `out`. In the order of the log: positions in a TCP stream are counted here.
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
