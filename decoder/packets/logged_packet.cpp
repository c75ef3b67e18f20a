#include "decoder/packets/logged_packet.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "common/base/errors.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/wire/reply.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostBytes = kMaxStreamLengthBytes + kReplyHeaderSize;
constexpr std::uint8_t kUsualTtl = 64;

/// Addresses for documentation (RFC 5737, RFC 3849), where a log has none.
PacketEnd nobody(bool ipv6, unsigned number) {
    PacketEnd end;
    end.ipv6 = ipv6;
    if (ipv6) {
        end.address[0] = std::byte{0x20};
        end.address[1] = std::byte{0x01};
        end.address[2] = std::byte{0x0d};
        end.address[3] = std::byte{0xb8};
        end.address[15] = static_cast<std::byte>(number);
    } else {
        end.address[0] = std::byte{192};
        end.address[2] = std::byte{2};
        end.address[3] = static_cast<std::byte>(number);
    }
    return end;
}

/// Between unassigned addresses (locally administered), one for each side.
constexpr std::size_t kEthernet = 14;

void put_ethernet(bool back, bool ipv6, std::vector<std::byte>& out) {
    const auto put_address = [&out](unsigned number) {
        out.push_back(std::byte{0x02});
        out.insert(out.end(), 4, std::byte{0});
        out.push_back(static_cast<std::byte>(number));
    };
    put_address(back ? 1 : 2);
    put_address(back ? 2 : 1);
    out.push_back(ipv6 ? std::byte{0x86} : std::byte{0x08});
    out.push_back(ipv6 ? std::byte{0xdd} : std::byte{0x00});
}

/// The fields of a packet's header that a record has.
struct KnownPacket {
    std::uint64_t seq = ReceivedRecord::kNoSeq;
    WallTime sent_at = ReceivedRecord::kNoTime;
    ReplyStamps stamps{};
    std::uint32_t size = 0;
    bool reply = false;
};

KnownPacket known(const SentRecord& record) {
    return {.seq = record.seq, .sent_at = record.sent_at, .stamps = {}, .size = record.size, .reply = false};
}
KnownPacket known(const ReceivedRecord& record) {
    return {.seq = record.seq, .sent_at = record.sent_at, .stamps = {}, .size = record.size, .reply = false};
}
KnownPacket known(const RoundTripRecord& record) {
    return {.seq = record.seq,
            .sent_at = record.sent_at,
            .stamps = {record.reflected_at, record.replied_at},
            .size = record.size,
            .reply = true};
}

/// How many bytes of the header fit into the packet and are in the record.
std::size_t known_bytes(const KnownPacket& packet, std::size_t room, HeaderLevel level) {
    std::size_t bytes = packet.reply ? reply_header_size(room, level) : header_size(room, level);
    if (packet.stamps.reflected_at == ReceivedRecord::kNoTime) {
        bytes = std::min(bytes, kPacketHeaderSize);
    }
    if (packet.sent_at == ReceivedRecord::kNoTime) {
        bytes = std::min<std::size_t>(bytes, 4);
    }
    return packet.seq == ReceivedRecord::kNoSeq ? 0 : bytes;
}

/// Writes the beginning of the payload. Returns: its size.
std::size_t write_payload(const KnownPacket& packet, FlowId flow, bool stream, HeaderLevel level,
                          std::span<std::byte, kMostBytes> out) {
    std::size_t prefix = 0;
    if (stream) {
        if (packet.size == 0 or packet.size > kMaxStreamFrame) {
            return 0;  // no frame has this size
        }
        prefix = serialize_stream_length(packet.size, out.first<kMaxStreamLengthBytes>());
    }
    const std::size_t bytes = known_bytes(packet, packet.size - prefix, level);
    const Reply reply{
        .header = {.seq = static_cast<std::uint32_t>(packet.seq), .sent_at = packet.sent_at, .flow = flow},
        .stamps = packet.stamps};
    if (packet.reply) {
        serialize(reply, out.subspan(prefix), bytes);
    } else {
        serialize(PacketHeader{*reply.header.seq, packet.sent_at, flow}, out.subspan(prefix), bytes);
    }
    return prefix + bytes;
}

/// Takes the sender's end of a flow from its own log, if the receiver's log has only the host.
void complete(PacketEnd& sender, FlowId flow, const std::vector<const RunMetadata*>& senders) {
    for (const RunMetadata* log : senders) {
        for (const FlowSetup& setup : log->flows) {
            const auto own = setup.spec.id == flow ? parse_packet_end(setup.local_address) : std::nullopt;
            if (own and own->address == sender.address) {
                sender.port = own->port;
                return;
            }
        }
    }
}

}  // namespace

std::optional<PacketEnd> parse_packet_end(std::string_view text) {
    std::string_view host = text;
    std::string_view port;
    const std::size_t colon = text.rfind(':');
    const bool bracketed = text.starts_with('[');
    if (colon != std::string_view::npos and (bracketed ? colon > text.rfind(']') : text.find(':') == colon)) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    PacketEnd end;
    const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), end.port);
    if (not port.empty() and (error != std::errc() or stop != port.data() + port.size())) {
        return std::nullopt;
    }
    try {
        const SocketAddress address = SocketAddress::from_literal(host, end.port);
        const HostKey key = address.host_key();
        end.ipv6 = not address.is_ipv4();
        std::ranges::transform(std::span(key).subspan(end.ipv6 ? 0 : 12), end.address.begin(),
                               [](std::uint8_t byte) { return std::byte{byte}; });
    } catch (const UsageError&) {
        return std::nullopt;
    }
    return end;
}

LoggedPackets::LoggedPackets(const RunMetadata& metadata, const std::vector<const RunMetadata*>& senders) {
    const bool is_sender = metadata.role == LogRole::sender;
    for (const FlowSetup& setup : metadata.flows) {
        const auto local = parse_packet_end(setup.local_address);
        const auto remote = parse_packet_end(setup.remote_address);
        auto sender = is_sender ? local : remote;
        auto receiver = is_sender ? remote : local;
        const bool ipv6 = sender ? sender->ipv6 : receiver and receiver->ipv6;
        if (receiver and receiver->ipv6 != ipv6) {
            receiver.reset();
        }
        Flow& flow = flows_[setup.spec.id];
        flow.transport = setup.spec.transport;
        flow.header = setup.spec.header;
        flow.sender = sender.value_or(nobody(ipv6, 1));
        flow.receiver = receiver.value_or(nobody(ipv6, 2));
        if (flow.sender.port == 0) {
            complete(flow.sender, setup.spec.id, senders);
        }
    }
}

LoggedPackets::Flow& LoggedPackets::flow_of(FlowId id) {
    const auto [found, fresh] = flows_.try_emplace(id);
    if (fresh) {  // the metadata do not name the flow
        found->second.sender = nobody(false, 1);
        found->second.receiver = nobody(false, 2);
    }
    return found->second;
}

LoggedPackets::Image LoggedPackets::draw(const MergedPacket& packet, std::vector<std::byte>& out) {
    Flow& flow = flow_of(packet.flow);
    const KnownPacket about = std::visit([](const auto& record) { return known(record); }, packet.record);
    std::array<std::byte, kMostBytes> payload{};
    const std::size_t bytes = write_payload(about, packet.flow, is_stream(flow.transport), flow.header, payload);
    std::uint32_t& stream_at = about.reply ? flow.reply_stream_at : flow.stream_at;
    PacketImage image{.transport = flow.transport,
                      .from = about.reply ? flow.receiver : flow.sender,
                      .to = about.reply ? flow.sender : flow.receiver,
                      .ttl = kUsualTtl,
                      .ds_byte = 0,
                      .reply = about.reply,
                      .number = about.seq,
                      .stream_at = stream_at,
                      .payload_size = std::min(about.size, kLargestImage),
                      .payload = std::span(payload).first(bytes)};
    if (const auto* arrived = std::get_if<ReceivedRecord>(&packet.record); arrived != nullptr and arrived->ttl != 0) {
        image.ttl = arrived->ttl;
        image.ds_byte = arrived->ds_byte;
    }
    stream_at += image.payload_size;
    out.clear();
    put_ethernet(about.reply, image.from.ipv6, out);
    const std::uint32_t length = kEthernet + append_image(image, out);
    const bool left = std::holds_alternative<SentRecord>(packet.record);
    return {length, left ? PcapngDirection::outbound : PcapngDirection::inbound};
}

}  // namespace groma
