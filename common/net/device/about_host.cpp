#include "common/net/device/about_host.hpp"

#include "common/net/device/network_device.hpp"
#include "common/os/host.hpp"
#include "common/os/machine.hpp"

namespace groma {

namespace {

/// "eth0 (veth, MTU 1500)".
std::string in_words(const NetworkDevice& device) {
    std::string text = device.name;
    text.append(" (").append(device.driver.empty() ? "driver unknown" : device.driver);
    if (not device.mtu.empty()) {
        text.append(", MTU ").append(device.mtu);
    }
    return text.append(")");
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text.append(text.empty() ? "" : " ").append(word);
    }
    return text;
}

}  // namespace

std::map<std::string, std::string> about_host(const SocketAddress& local) {
    const Machine machine = this_machine();
    std::map<std::string, std::string> about{{"host", host_name()},
                                             {"kernel", machine.kernel},
                                             {"cpu", machine.cpu},
                                             {"cores", machine.cores},
                                             {"clock source", machine.clock_source},
                                             {"frequency governor", machine.governor}};
    const NetworkDevice device = local.valid() ? device_of(local) : NetworkDevice{};
    if (not device.name.empty()) {
        about["network device"] = in_words(device);
        about["queueing discipline"] = device.queueing;
        about["offloads"] = joined(device.offloads);
    }
    std::erase_if(about, [](const auto& fact) { return fact.second.empty(); });
    return about;
}

}  // namespace groma
