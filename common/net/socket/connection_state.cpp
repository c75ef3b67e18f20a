#include "common/net/socket/connection_state.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

// Behind those whose types they need.
#include <linux/dccp.h>
#include <linux/sctp.h>
#include <linux/tcp.h>

#include <ctime>
#include <limits>

namespace groma {

namespace {

constexpr int kSolDccp = 269;
/// Of TCP before it has seen a loss.
constexpr std::uint32_t kNoThreshold = 0x7fffffff;
constexpr std::uint64_t kNoRate = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kBitsInByte = 8;

/// What CCID 3 tells (RFC 4342): rates in 1/64 bytes a second, times in microseconds. The kernel's own struct is not
/// among its headers for programs.
struct TfrcSender {
    std::uint64_t rate = 0;
    std::uint64_t received_rate = 0;
    std::uint32_t computed_rate = 0;
    std::uint32_t rtt = 0;
    std::uint32_t loss = 0;
    std::uint32_t timeout = 0;
    std::uint32_t gap = 0;
};
constexpr int kCcid3 = 3;
constexpr std::uint32_t kNoMinRtt = ~std::uint32_t{0};
constexpr std::uint64_t kTfrcUnits = 64;

/// Older kernels fill in less than all of it: the rest stays 0.
template <typename State>
bool ask(int fd, int level, int option, State& state) noexcept {
    socklen_t size = sizeof state;
    return ::getsockopt(fd, level, option, &state, &size) == 0;
}

template <typename Number>
std::optional<std::uint64_t> unless_zero(Number value) noexcept {
    return value == 0 ? std::nullopt : std::optional<std::uint64_t>(value);
}

std::optional<Nanos> microseconds(std::uint32_t span) noexcept {
    return span == 0 ? std::nullopt : std::optional<Nanos>(std::chrono::microseconds(span));
}

std::optional<std::uint64_t> bit_rate(std::uint64_t bytes_per_second) noexcept {
    const bool known = bytes_per_second != 0 and bytes_per_second <= kNoRate / kBitsInByte;
    return known ? std::optional(bytes_per_second * kBitsInByte) : std::nullopt;
}

/// Linux tells the smoothed round trip of SCTP in its own ticks, whatever RFC 6458 (8.2.2) says, and the length of a
/// tick as what its coarse clocks resolve.
Nanos jiffy() noexcept {
    timespec tick{};
    ::clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    return Nanos{tick.tv_nsec};
}

}  // namespace

std::optional<ConnectionSample> tcp_state(int fd) noexcept {
    tcp_info info{};
    if (not ask(fd, IPPROTO_TCP, TCP_INFO, info)) {
        return std::nullopt;
    }
    const std::uint64_t segment = info.tcpi_snd_mss;
    ConnectionSample sample;
    sample.rtt = microseconds(info.tcpi_rtt);
    sample.rtt_variation = microseconds(info.tcpi_rttvar);
    sample.cwnd = info.tcpi_snd_cwnd * segment;
    if (info.tcpi_snd_ssthresh < kNoThreshold) {
        sample.ssthresh = info.tcpi_snd_ssthresh * segment;
    }
    // Of a connection that this host made, the SYN counts as a byte that was acknowledged.
    const std::uint64_t sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    sample.in_flight = sent > info.tcpi_bytes_acked ? sent - info.tcpi_bytes_acked : 0;
    sample.retransmitted = info.tcpi_total_retrans;
    sample.retransmitted_bytes = info.tcpi_bytes_retrans;
    sample.delivery_rate_bps = bit_rate(info.tcpi_delivery_rate);
    sample.pacing_rate_bps = bit_rate(info.tcpi_pacing_rate);
    sample.segment = unless_zero(segment);
    if (info.tcpi_min_rtt != kNoMinRtt) {
        sample.min_rtt = microseconds(info.tcpi_min_rtt);
    }
    if (sample.delivery_rate_bps) {
        sample.application_limited = std::uint64_t{info.tcpi_delivery_rate_app_limited};
    }
    sample.acknowledged_bytes = info.tcpi_bytes_acked;
    return sample;
}

SendLimits& SendLimits::operator+=(const SendLimits& more) noexcept {
    busy += more.busy;
    by_receive_window += more.by_receive_window;
    by_send_buffer += more.by_send_buffer;
    return *this;
}

std::optional<SendLimits> tcp_limits(int fd) noexcept {
    tcp_info info{};
    if (not ask(fd, IPPROTO_TCP, TCP_INFO, info) or info.tcpi_busy_time == 0) {
        return std::nullopt;
    }
    const auto span = [](std::uint64_t us) { return Nanos{std::chrono::microseconds(us)}; };
    return SendLimits{span(info.tcpi_busy_time), span(info.tcpi_rwnd_limited), span(info.tcpi_sndbuf_limited)};
}

std::optional<ConnectionSample> sctp_state(int fd) noexcept {
    sctp_status status{};
    if (not ask(fd, IPPROTO_SCTP, SCTP_STATUS, status)) {
        return std::nullopt;
    }
    ConnectionSample sample;
    if (status.sstat_primary.spinfo_srtt > 0) {
        sample.rtt = status.sstat_primary.spinfo_srtt * jiffy();
    }
    sample.cwnd = unless_zero(status.sstat_primary.spinfo_cwnd);
    sample.segment = unless_zero(status.sstat_fragmentation_point);
    sctp_assoc_stats stats{};
    if (ask(fd, IPPROTO_SCTP, SCTP_GET_ASSOC_STATS, stats)) {
        sample.retransmitted = stats.sas_rtxchunks;
    }
    return sample;
}

std::optional<ConnectionSample> dccp_state(int fd) noexcept {
    int largest = 0;
    if (not ask(fd, kSolDccp, DCCP_SOCKOPT_GET_CUR_MPS, largest) or largest <= 0) {
        return std::nullopt;
    }
    ConnectionSample sample;
    sample.segment = static_cast<std::uint64_t>(largest);
    int ccid = 0;
    TfrcSender tfrc;
    if (ask(fd, kSolDccp, DCCP_SOCKOPT_TX_CCID, ccid) and ccid == kCcid3 and
        ask(fd, kSolDccp, DCCP_SOCKOPT_CCID_TX_INFO, tfrc)) {
        sample.rtt = microseconds(tfrc.rtt);
        sample.pacing_rate_bps = bit_rate(tfrc.rate / kTfrcUnits);
        sample.delivery_rate_bps = bit_rate(tfrc.received_rate / kTfrcUnits);
    }
    return sample;
}

}  // namespace groma
