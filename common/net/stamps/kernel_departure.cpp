#include "common/net/stamps/kernel_departure.hpp"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/net/stamps/timed_batch.hpp"

namespace groma {

namespace {

constexpr std::size_t kReportControlSize =
    CMSG_SPACE(sizeof(sock_extended_err) + sizeof(sockaddr_in6)) + 4 * CMSG_SPACE(sizeof(timespec));

void switch_on(const FileDescriptor& socket, const DepartureQueue& queue) {
    sock_txtime settings{};
    settings.clockid = queue.kind == DepartureQueue::Kind::etf ? CLOCK_TAI : CLOCK_MONOTONIC;
    settings.flags = SOF_TXTIME_REPORT_ERRORS;
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_TXTIME, &settings, sizeof settings) < 0) {
        const int error = errno;
        throw SystemError("have the kernel let packets go at their departure times (SO_TXTIME, " + queue.name + ")",
                          error,
                          error == EPERM ? "the clock of etf takes CAP_NET_ADMIN: run as root, or use fq"
                                         : "this kernel cannot: send with --departure user");
    }
}

void check_room(const DepartureQueue& queue, const ChannelSpec& spec) {
    const Nanos ahead = spec.options.departure_lead.value_or(Nanos{0});
    const auto packets = static_cast<std::uint64_t>(std::ceil(to_seconds(ahead) * spec.packets_per_s));
    if (queue.most_of_flow == 0 or packets <= queue.most_of_flow) {
        return;
    }
    const std::string device = queue.name.substr(queue.name.rfind(' ') + 1);
    throw RunError(queue.name + " holds at most " + std::to_string(queue.most_of_flow) + " packets of a flow, and " +
                   duration_to_string(ahead) + " of this one are " + std::to_string(packets) +
                   ": hand them over later (--departure kernel:TIME), or give the queue more room (tc qdisc replace "
                   "dev " +
                   device + " root fq flow_limit " + std::to_string(4 * packets) + ")");
}

std::int64_t nanoseconds_of(clockid_t clock) noexcept {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct TaiTime {
    std::int64_t monotonic_ns = 0;
    std::int64_t ahead_ns = 0;  ///< of CLOCK_TAI before CLOCK_MONOTONIC
};

// The tightest of a few: the thread may lose its core between two clocks.
TaiTime tai_time() noexcept {
    constexpr int kTries = 3;
    TaiTime time;
    std::int64_t tightest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kTries; ++i) {
        const std::int64_t before = nanoseconds_of(CLOCK_MONOTONIC);
        const std::int64_t tai = nanoseconds_of(CLOCK_TAI);
        time.monotonic_ns = nanoseconds_of(CLOCK_MONOTONIC);
        if (const std::int64_t width = time.monotonic_ns - before; width < tightest) {
            tightest = width;
            time.ahead_ns = tai - before - width / 2;
        }
    }
    return time;
}

std::optional<sock_extended_err> error_in(const cmsghdr& part) noexcept {
    const bool v4 = part.cmsg_level == IPPROTO_IP and part.cmsg_type == IP_RECVERR;
    const bool v6 = part.cmsg_level == IPPROTO_IPV6 and part.cmsg_type == IPV6_RECVERR;
    if ((not v4 and not v6) or part.cmsg_len < CMSG_LEN(sizeof(sock_extended_err))) {
        return std::nullopt;
    }
    sock_extended_err error{};
    std::memcpy(&error, CMSG_DATA(&part), sizeof error);
    return error;
}

}  // namespace

KernelDeparture::KernelDeparture(const FileDescriptor& socket, const ChannelSpec& spec, const SocketAddress& local,
                                 DeviceQueues& queues)
    : queue_(
          departure_queue_towards({local, spec.to, spec.options.device}, spec.options.priority.value_or(0), queues)) {
    check_room(queue_, spec);
    switch_on(socket, queue_);
}

// fq lets go what comes late at once, and all others when their times have come. etf gives packets to the device by its
// delta before their times, which a device without offload does not wait for: the delta is added. It throws away what
// comes late, so that a late packet gets the next time that it can still keep.
std::size_t KernelDeparture::send(int fd, std::span<const Frame> frames) const noexcept {
    std::array<std::uint64_t, MessageBatch::kMost> times{};
    const std::size_t count = std::min(frames.size(), times.size());
    std::int64_t shift = 0;
    std::int64_t earliest = 0;
    if (queue_.kind == DepartureQueue::Kind::etf) {
        const TaiTime now = tai_time();
        shift = now.ahead_ns + (queue_.offload ? 0 : queue_.delta.count());
        earliest = now.monotonic_ns + now.ahead_ns + queue_.delta.count();
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t due = frames[i].departs.time_since_epoch().count() + shift;
        times[i] = static_cast<std::uint64_t>(std::max(due, earliest));
    }
    return timed_batch().send(fd, frames.first(count), std::span(times).first(count));
}

std::unique_ptr<KernelDeparture> kernel_departure(const FileDescriptor& socket, const ChannelSpec& spec,
                                                  const SocketAddress& local, DeviceQueues& queues) {
    return spec.options.departure_lead.value_or(Nanos{0}) > Nanos{0}
               ? std::make_unique<KernelDeparture>(socket, spec, local, queues)
               : nullptr;
}

bool is_about_a_missed_departure(const cmsghdr& part) noexcept {
    const auto error = error_in(part);
    return error and error->ee_origin == SO_EE_ORIGIN_TXTIME and error->ee_code == SO_EE_CODE_TXTIME_MISSED;
}

QueueReports take_queue_reports(int fd) noexcept {
    QueueReports reports;
    alignas(cmsghdr) std::array<std::byte, kReportControlSize> control{};
    msghdr message{};
    for (;;) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        if (::recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
            return reports;
        }
        for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
            const auto error = error_in(*part);
            if (is_about_a_missed_departure(*part)) {
                ++reports.missed;
            } else if (error and (error->ee_origin == SO_EE_ORIGIN_ICMP or error->ee_origin == SO_EE_ORIGIN_ICMP6)) {
                reports.refusal = static_cast<int>(error->ee_errno);
            }
        }
    }
}

}  // namespace groma
