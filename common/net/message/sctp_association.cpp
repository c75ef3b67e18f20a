#include "common/net/message/sctp_association.hpp"

#include <linux/sctp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/net/channel/meeting.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;

template <typename Value>
void require(const FileDescriptor& socket, int option, const Value& value, const char* what) {
    if (::setsockopt(socket.get(), IPPROTO_SCTP, option, &value, sizeof value) < 0) {
        const int error = errno;
        throw SystemError(std::string("set ") + what + " on a socket of SCTP", error);
    }
}

/// What both ends have agreed on.
std::uint32_t streams_of(const FileDescriptor& socket) {
    sctp_status status{};
    socklen_t size = sizeof status;
    checked("ask for the state of an SCTP association",
            ::getsockopt(socket.get(), IPPROTO_SCTP, SCTP_STATUS, &status, &size));
    return std::max<std::uint32_t>(1, status.sstat_outstrms);
}

bool gives_up(const ChannelSpec& flow) {
    return flow.options.lifetime or flow.options.retransmissions;
}

/// What flows that share a socket must have in common: all but what each message carries by itself.
TransportOptions of_the_socket(const TransportOptions& options) {
    TransportOptions common = options;
    common.streams.reset();
    common.ordered.reset();
    common.lifetime.reset();
    common.retransmissions.reset();
    return common;
}

std::uint32_t streams_asked(std::span<const ChannelSpec> flows) {
    std::uint64_t streams = 0;
    for (const ChannelSpec& flow : flows) {
        streams += sctp_streams(flow.options);
        if (of_the_socket(flow.options) != of_the_socket(flows.front().options)) {
            throw UsageError(
                "flows of one association share its socket: give them the same options, but for streams, "
                "ordered, lifetime and retransmissions");
        }
    }
    if (streams > kMostSctpStreams) {
        throw UsageError("the flows of one association ask for " + std::to_string(streams) +
                         " streams, and it has 65535 at most");
    }
    return static_cast<std::uint32_t>(streams);
}

}  // namespace

std::uint32_t sctp_streams(const TransportOptions& options) noexcept {
    return options.streams.value_or(1);
}

void ask_for_sctp_streams(const FileDescriptor& socket, std::uint32_t out) {
    sctp_initmsg streams{};
    streams.sinit_num_ostreams = static_cast<std::uint16_t>(out);
    streams.sinit_max_instreams = kMostSctpStreams;
    require(socket, SCTP_INITMSG, streams, "the number of streams");
}

void allow_partial_reliability(const FileDescriptor& socket) {
    const sctp_assoc_value on{.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
    require(socket, SCTP_PR_SUPPORTED, on, "partial reliability");
}

SctpAssociation::SctpAssociation(std::span<const ChannelSpec> flows, Clock& clock)
    : socket_(channel_socket(flows.front())), flows_(flows.size()) {
    const ChannelSpec& first = flows.front();
    const std::uint32_t asked = streams_asked(flows);
    ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    set_option(socket_, IPPROTO_SCTP, SCTP_NODELAY, 1, "SCTP_NODELAY");  // a packet leaves when it is due
    warnings_ = apply_options(socket_, {first.transport, first.to.family(), SocketSide::sending}, first.options);
    ask_for_sctp_streams(socket_, asked);
    if (std::ranges::any_of(flows, gives_up)) {
        allow_partial_reliability(socket_);
    }
    reach(socket_, first, clock);
    streams_ = std::min(asked, streams_of(socket_));
    if (streams_ == asked) {
        return;
    }
    const std::string allowed = "of " + counted(asked, "stream") + " the receiver allowed " + std::to_string(streams_);
    if (flows.size() > 1) {
        throw UsageError(allowed + ": these flows cannot share one association");
    }
    warnings_.push_back(allowed);
}

bool SctpAssociation::leave() noexcept {
    return flows_.fetch_sub(1) > 1 or ::shutdown(socket_.get(), SHUT_WR) == 0;
}

}  // namespace groma
