#include "common/net/socket/kernel_stamps.hpp"

#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr unsigned kSoftwareArriving = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
constexpr unsigned kHardwareArriving = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
constexpr unsigned kSoftwareLeaving = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
constexpr unsigned kHardwareLeaving = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;

/// The interface that has this address; empty: none has.
std::string interface_of(const SocketAddress& local) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) < 0) {
        return {};
    }
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, &::freeifaddrs);
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr or one->ifa_addr->sa_family != local.family()) {
            continue;
        }
        const socklen_t size = local.family() == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
        if (SocketAddress(one->ifa_addr, size).host_key() == local.host_key()) {
            return one->ifa_name;
        }
    }
    return {};
}

ifreq request_to(const std::string& interface, void* data) {
    ifreq request{};
    const std::size_t size = std::min(interface.size(), sizeof request.ifr_name - 1);
    std::copy_n(interface.data(), size, static_cast<char*>(request.ifr_name));
    request.ifr_data = static_cast<char*>(data);
    return request;
}

/// Returns: why the interface gives no stamps of its own; empty: it does from now on.
std::string hardware_error(const FileDescriptor& socket, StampDirection direction, const std::string& interface) {
    ethtool_ts_info info{};
    info.cmd = ETHTOOL_GET_TS_INFO;
    ifreq request = request_to(interface, &info);
    if (::ioctl(socket.get(), SIOCETHTOOL, &request) < 0) {
        return std::generic_category().message(errno);
    }
    const unsigned needed = direction == StampDirection::arriving ? kHardwareArriving : kHardwareLeaving;
    if ((info.so_timestamping & needed) != needed) {
        return "it has none";
    }
    hwtstamp_config config{};
    config.tx_type = direction == StampDirection::leaving ? HWTSTAMP_TX_ON : HWTSTAMP_TX_OFF;
    config.rx_filter = direction == StampDirection::arriving ? HWTSTAMP_FILTER_ALL : HWTSTAMP_FILTER_NONE;
    hwtstamp_config now{};
    request = request_to(interface, &now);
    if (::ioctl(socket.get(), SIOCGHWTSTAMP, &request) == 0) {  // the other direction stays as it is
        config.tx_type = std::max(config.tx_type, now.tx_type);
        config.rx_filter = std::max(config.rx_filter, now.rx_filter);
    }
    request = request_to(interface, &config);
    if (::ioctl(socket.get(), SIOCSHWTSTAMP, &request) < 0) {
        return std::string(std::generic_category().message(errno)) + " (it takes CAP_NET_ADMIN)";
    }
    return {};
}

std::optional<WallTime> time_of(const timespec& time) noexcept {
    if (time.tv_sec == 0 and time.tv_nsec == 0) {
        return std::nullopt;
    }
    return WallTime{std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec)};
}

}  // namespace

StampSettings switch_on_stamps(const FileDescriptor& socket, StampDirection direction, StampSource asked,
                               const SocketAddress& local) {
    const bool arriving = direction == StampDirection::arriving;
    StampSettings settings{.source = asked};
    unsigned flags = arriving ? kSoftwareArriving : kSoftwareLeaving;
    if (asked == StampSource::hardware) {
        const std::string interface = interface_of(local);
        const std::string error = interface.empty() ? "no interface has the address " + local.host_to_string()
                                                    : hardware_error(socket, direction, interface);
        if (error.empty()) {
            flags |= arriving ? kHardwareArriving : kHardwareLeaving;
        } else {
            settings.source = StampSource::kernel;
            settings.warning = std::string(kNoHardware) + " of packets that ";
            settings.warning.append(arriving ? "arrive" : "leave");
            settings.warning.append(interface.empty() ? "" : " at " + interface);
            settings.warning.append(": " + error + "; the kernel's are recorded");
        }
    }
    set_option(socket, SOL_SOCKET, SO_TIMESTAMPING, static_cast<int>(flags), "SO_TIMESTAMPING");
    return settings;
}

std::optional<StampPair> stamps_of(const cmsghdr& part) noexcept {
    std::array<timespec, 3> times{};
    if (part.cmsg_level != SOL_SOCKET or part.cmsg_type != SCM_TIMESTAMPING or part.cmsg_len < CMSG_LEN(sizeof times)) {
        return std::nullopt;
    }
    std::memcpy(times.data(), CMSG_DATA(&part), sizeof times);
    return StampPair{.software = time_of(times[0]), .hardware = time_of(times[2])};
}

std::string_view stamps_in_words(StampSource source) noexcept {
    switch (source) {
        case StampSource::user:
            return "user";
        case StampSource::hardware:
            return "hardware";
        case StampSource::kernel:
            break;
    }
    return "kernel software";
}

}  // namespace groma
