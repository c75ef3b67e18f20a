#include "sender/targets.hpp"

#include <map>
#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// Descriptors besides a socket for each flow: standard streams, sessions, logs, and what the libraries open.
constexpr std::uint64_t kSpareFds = 64;

}  // namespace

std::vector<ReceiverPlan> plan_receivers(const std::vector<FlowSpec>& flows) {
    std::map<std::pair<std::string, std::uint16_t>, SocketAddress> known;
    std::vector<SocketAddress> addresses;
    for (const FlowSpec& flow : flows) {
        const std::pair name(flow.target.host, flow.target.control_port);
        auto found = known.find(name);
        if (found == known.end()) {
            found = known.emplace(name, resolve(flow.target.host, flow.target.control_port)).first;
        }
        addresses.push_back(found->second);
    }
    return group_by_receiver(flows, addresses);
}

void make_room_for_sockets(std::size_t flows) {
    const std::uint64_t room = raise_fd_limit();
    if (room < flows + kSpareFds) {
        throw RunError("cannot open " + std::to_string(flows) + " flows: this process may open " +
                       std::to_string(room) + " files and sockets (ulimit -n), and needs " +
                       std::to_string(flows + kSpareFds) + ": raise the limit, or use fewer flows");
    }
}

}  // namespace groma
