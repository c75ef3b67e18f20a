#include "sender/plan/targets.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/channel/multicast.hpp"
#include "common/os/process.hpp"
#include "sender/plan/group_flows.hpp"

namespace groma {

namespace {

/// Descriptors besides a socket for each flow: standard streams, sessions, logs, and what the libraries open.
constexpr std::uint64_t kSpareFds = 64;

}  // namespace

std::vector<FlowSpec> complete_group_flows(std::vector<FlowSpec> flows, std::string_view run_id,
                                           const ResolveName& resolve) {
    for (FlowSpec& flow : flows) {
        if (flow.options.group.empty()) {
            continue;
        }
        const SocketAddress group = group_of(flow.options, 0);
        const SocketAddress first = resolve(flow.target.host, flow.target.control_port);
        if (group.family() != first.family()) {
            throw UsageError("flow '" + flow.name + "': the group " + group.host_to_string() + " and the receiver " +
                             first.host_to_string() + " are of different families: give addresses of one kind");
        }
        flow.target.data_port = flow.target.data_port.value_or(group_port(flow, run_id));
        if (flow.options.source.empty() and flow.options.device.empty()) {
            flow.options.source = address_towards(first).host_to_string();
        }
    }
    return flows;
}

namespace {

void check_receivers_differ(const std::vector<ReceiverPlan>& plans) {
    for (const ReceiverPlan& plan : plans) {
        std::set<FlowId> seen;
        for (const FlowSpec& flow : plan.flows) {
            if (not seen.insert(flow.id).second) {
                throw RunError("flow '" + flow.name + "' names the receiver " + plan.address.to_string() +
                               " twice: name each once");
            }
        }
    }
}

}  // namespace

std::vector<ReceiverPlan> plan_receivers(const std::vector<FlowSpec>& given, const ResolveName& resolve) {
    const std::vector<FlowSpec> flows = one_for_each_receiver(given);
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
    std::vector<ReceiverPlan> plans = group_by_receiver(flows, addresses);
    check_receivers_differ(plans);
    return plans;
}

void make_room_for_sockets(std::size_t sockets) {
    const std::uint64_t room = raise_fd_limit();
    if (room < sockets + kSpareFds) {
        throw RunError("cannot open the flows: this process may open " + std::to_string(room) +
                       " files and sockets (ulimit -n), and needs " + std::to_string(sockets + kSpareFds) +
                       ": raise the limit, use fewer flows, or let flows over UDP share sockets (--association N)");
    }
}

}  // namespace groma
