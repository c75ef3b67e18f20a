#include "common/net/device/network_device.hpp"

#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/pkt_sched.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/device/queueing_discipline.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::array<std::string_view, 9> kTelling{"tx-tcp-segmentation",
                                                   "tx-udp-segmentation",
                                                   "tx-generic-segmentation",
                                                   "tx-scatter-gather",
                                                   "rx-gro",
                                                   "rx-gro-list",
                                                   "rx-udp-gro-forwarding",
                                                   "rx-lro",
                                                   "tx-udp_tnl-segmentation"};

std::string name_of_device(const SocketAddress& address) {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) {
        return {};
    }
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, ::freeifaddrs);
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr) {
            continue;
        }
        const int family = each->ifa_addr->sa_family;
        if (family != AF_INET and family != AF_INET6) {
            continue;
        }
        const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        if (SocketAddress(each->ifa_addr, size).same_host(address)) {
            return each->ifa_name;
        }
    }
    return {};
}

/// A request about a device through ethtool's ioctl. `request` begins with the number of a command.
bool ask(const FileDescriptor& socket, const std::string& device, void* request) {
    ifreq message{};
    device.copy(message.ifr_name, IFNAMSIZ - 1);
    message.ifr_data = static_cast<char*>(request);
    return ::ioctl(socket.get(), SIOCETHTOOL, &message) == 0;
}

std::string driver_of(const FileDescriptor& socket, const std::string& device) {
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    return ask(socket, device, &info) ? std::string(info.driver, ::strnlen(info.driver, sizeof info.driver)) : "";
}

/// Memory for a request with an array behind it, aligned for all of them.
class Request {
public:
    explicit Request(std::size_t bytes) : words_((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)) {}
    template <typename Header>
    Header* as() {
        return reinterpret_cast<Header*>(words_.data());
    }

private:
    std::vector<std::uint64_t> words_;
};

std::size_t number_of_features(const FileDescriptor& socket, const std::string& device) {
    Request request(sizeof(ethtool_sset_info) + sizeof(__u32));
    auto* sizes = request.as<ethtool_sset_info>();
    sizes->cmd = ETHTOOL_GSSET_INFO;
    sizes->sset_mask = 1ULL << ETH_SS_FEATURES;
    return ask(socket, device, sizes) and sizes->sset_mask != 0 ? sizes->data[0] : 0;
}

std::vector<std::string> offloads_of(const FileDescriptor& socket, const std::string& device) {
    const std::size_t count = number_of_features(socket, device);
    if (count == 0) {
        return {};
    }
    Request names_request(sizeof(ethtool_gstrings) + count * ETH_GSTRING_LEN);
    auto* names = names_request.as<ethtool_gstrings>();
    names->cmd = ETHTOOL_GSTRINGS;
    names->string_set = ETH_SS_FEATURES;
    names->len = static_cast<__u32>(count);
    const std::size_t blocks = (count + 31) / 32;
    Request features_request(sizeof(ethtool_gfeatures) + blocks * sizeof(ethtool_get_features_block));
    auto* features = features_request.as<ethtool_gfeatures>();
    features->cmd = ETHTOOL_GFEATURES;
    features->size = static_cast<__u32>(blocks);
    if (not ask(socket, device, names) or not ask(socket, device, features)) {
        return {};
    }
    std::vector<std::string> on;
    for (std::size_t i = 0; i < count; ++i) {
        const char* text = reinterpret_cast<const char*>(names->data) + i * ETH_GSTRING_LEN;
        const std::string_view name(text, ::strnlen(text, ETH_GSTRING_LEN));
        const bool active = (features->features[i / 32].active >> (i % 32) & 1U) != 0;
        if (active and std::ranges::find(kTelling, name) != kTelling.end()) {
            on.emplace_back(name);
        }
    }
    return on;
}

/// Of the device itself, not of its queues.
std::string queueing_of(int device) {
    try {
        const std::vector<QueueingDiscipline> all = disciplines_of(device);
        const auto root = std::ranges::find(all, TC_H_ROOT, &QueueingDiscipline::parent);
        return root == all.end() ? std::string() : root->kind;
    } catch (const SystemError&) {
        return {};
    }
}

std::string mtu_of(const FileDescriptor& socket, const std::string& device) {
    ifreq message{};
    device.copy(message.ifr_name, IFNAMSIZ - 1);
    return ::ioctl(socket.get(), SIOCGIFMTU, &message) == 0 ? std::to_string(message.ifr_mtu) : std::string();
}

}  // namespace

NetworkDevice device_of(const SocketAddress& address) {
    NetworkDevice device;
    device.name = name_of_device(address);
    const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (device.name.empty() or not socket.valid()) {
        return device;
    }
    device.driver = driver_of(socket, device.name);
    device.mtu = mtu_of(socket, device.name);
    device.offloads = offloads_of(socket, device.name);
    device.queueing = queueing_of(static_cast<int>(::if_nametoindex(device.name.c_str())));
    return device;
}

SocketAddress local_address_towards(const SocketAddress& peer) {
    // Connecting a datagram socket sends nothing: the kernel looks for the way.
    const FileDescriptor socket(::socket(peer.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (not socket.valid() or ::connect(socket.get(), peer.data(), peer.size()) != 0) {
        return {};
    }
    return local_address_of(socket.get()).with_port(0);
}

}  // namespace groma
