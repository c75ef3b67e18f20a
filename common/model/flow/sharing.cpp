#include "common/model/flow/sharing.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "common/model/flow/flow_text.hpp"

namespace groma {

namespace {

constexpr std::uint32_t kLastNumber = 65535;

using Receiver = std::pair<std::string, std::uint16_t>;  // host and control port

Receiver receiver_of(const FlowSpec& flow) {
    return {flow.target.host, flow.target.control_port};
}

/// Listed sizes are sent exactly or refused; a draw of another distribution could be too small, and would be raised.
bool sizes_are_written_out(const Distribution& size) {
    return std::holds_alternative<Constant>(size) or std::holds_alternative<Uniform>(size) or
           std::holds_alternative<Discrete>(size);
}

bool may_share(const FlowSpec& flow) {
    if (traits(flow.transport).sharing != SocketSharing::by_header or flow.options.association or
        flow.options.source_port or flow.options.own_socket.value_or(false) or flow.target.data_port or
        not flow.also_to.empty() or not sizes_are_written_out(flow.size)) {
        return false;
    }
    FlowSpec sharing = flow;
    sharing.options.association = 1;
    return validate(sharing).empty();
}

/// The flows of one receiver, while they are assigned to sockets.
struct Sharing {
    std::vector<FlowSpec*> flows{};
    std::set<std::uint32_t> taken{};  ///< numbers that the user chose
};

/// The smallest number above `number` that is not taken.
std::uint32_t next_number(std::uint32_t number, const std::set<std::uint32_t>& taken) {
    do {
        ++number;
    } while (taken.contains(number));
    return number;
}

std::size_t give_numbers(Sharing& receiver, std::size_t flows_per_socket) {
    std::uint32_t number = 0;
    TransportOptions options;  // of the flows on the socket
    Sealing seal{};            // and whether they are sealed
    std::size_t room = 0;      // flows that still fit
    std::size_t given = 0;
    for (FlowSpec* const flow : receiver.flows) {
        if (room == 0 or flow->options != options or flow->seal != seal) {
            number = next_number(number, receiver.taken);
            if (number > kLastNumber) {
                break;
            }
            options = flow->options;
            seal = flow->seal;
            room = flows_per_socket;
        }
        flow->options.association = number;
        --room;
        ++given;
    }
    return given;
}

}  // namespace

std::vector<std::string> sharing_errors(const FlowSpec& spec) {
    std::vector<std::string> errors;
    if (spec.options.association and spec.meter == Meter::round_trip) {
        errors.emplace_back("the round-trip meter takes an association, or a socket, of the flow's own");
    }
    if (not shares_datagrams(spec)) {
        return errors;
    }
    if (spec.header != HeaderLevel::full) {
        errors.emplace_back(
            "flows that share a socket (association) are told apart by their packets' header: it must be full");
    }
    if (not spec.options.group.empty()) {
        errors.emplace_back("a flow to a multicast group has a socket of its own: leave association out");
    }
    if (spec.options.sent_stamps.value_or(StampSource::user) != StampSource::user) {
        errors.emplace_back(
            "the kernel tells times of departure (sent_stamps) by socket: leave them or association out");
    }
    return errors;
}

std::size_t share_sockets(std::vector<FlowSpec>& flows, std::size_t most_own, std::size_t flows_per_socket) {
    if (flows.size() <= most_own) {
        return 0;
    }
    std::map<Receiver, Sharing> receivers;
    for (FlowSpec& flow : flows) {
        Sharing& receiver = receivers[receiver_of(flow)];
        if (flow.options.association) {
            receiver.taken.insert(*flow.options.association);
        } else if (may_share(flow)) {
            receiver.flows.push_back(&flow);
        }
    }
    std::size_t given = 0;
    for (auto& [name, receiver] : receivers) {
        given += receiver.flows.size() > most_own ? give_numbers(receiver, flows_per_socket) : 0;
    }
    return given;
}

std::size_t sockets_of(const std::vector<FlowSpec>& flows) {
    std::size_t sockets = 0;
    std::set<std::tuple<Transport, Receiver, std::uint32_t>> shared;
    for (const FlowSpec& flow : flows) {
        const bool own = not flow.options.association;
        sockets += own or shared.emplace(flow.transport, receiver_of(flow), *flow.options.association).second ? 1 : 0;
    }
    return sockets;
}

}  // namespace groma
