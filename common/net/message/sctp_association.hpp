// An association of SCTP that a sender has made, for one flow or for several that share it: each then has streams of
// its own, next to each other in the order of the flows, which the receiver counts in the same way.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

inline constexpr std::uint32_t kMostSctpStreams = 65535;

/// What the sockets of both sides are told before there is an association. Throws: SystemError.
void ask_for_sctp_streams(const FileDescriptor& socket, std::uint32_t out);
/// Lets messages be given up, if the peer knows how (RFC 3758). Throws: SystemError.
void allow_partial_reliability(const FileDescriptor& socket);

/// Streams that a flow asks for.
[[nodiscard]] std::uint32_t sctp_streams(const TransportOptions& options) noexcept;

/// Thread: made by one; the channels of its flows may then be used by several, each by one at a time.
class SctpAssociation {
public:
    /// Connects. Requires: at least one flow, all to one address. The first one's options are those of the socket.
    /// Throws: SystemError "connect to 10.0.0.1:8999 over SCTP"; UsageError when the flows cannot share an association.
    SctpAssociation(std::span<const ChannelSpec> flows, Clock& clock);

    [[nodiscard]] int fd() const noexcept { return socket_.get(); }
    /// That the receiver allowed to be sent on, at most as many as the flows ask for.
    [[nodiscard]] std::uint32_t streams() const noexcept { return streams_; }
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

    /// One of the flows sends no more; with the last one the association ends when the kernel has delivered what it has
    /// taken. Returns: false when it cannot be told to. Thread: any.
    [[nodiscard]] bool leave() noexcept;

private:
    FileDescriptor socket_;
    std::vector<std::string> warnings_;
    std::uint32_t streams_ = 1;
    std::atomic<std::size_t> flows_;  ///< that still send
};

}  // namespace groma
