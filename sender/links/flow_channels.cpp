#include "sender/links/flow_channels.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/net/channel/multicast.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/message/sctp_channel.hpp"
#include "common/net/udp/udp_channel.hpp"

namespace groma {

namespace {

using Places = std::vector<std::size_t>;

/// Of flows of one number to one port of one receiver, all at the place of the first; of a flow by itself its own.
std::vector<Places> places_together(const std::vector<FlowSpec>& flows, std::span<const SocketAddress> to) {
    std::map<std::tuple<Transport, std::uint32_t, std::string>, std::size_t> firsts;
    std::vector<Places> together(flows.size());
    for (std::size_t i = 0; i < flows.size(); ++i) {
        std::size_t first = i;
        if (const auto number = flows[i].options.association) {
            first = firsts.emplace(std::tuple(flows[i].transport, *number, to[i].to_string()), i).first->second;
        }
        together[first].push_back(i);
    }
    return together;
}

}  // namespace

std::vector<std::unique_ptr<Channel>> FlowChannels::open_together(std::vector<ChannelSpec> specs) {
    const auto open = [&specs, this] {
        std::vector<std::unique_ptr<Channel>> channels;
        if (specs.size() > 1) {
            channels = specs.front().transport == Transport::udp ? open_udp_channels(specs)
                                                                 : open_sctp_channels(specs, clock_);
        } else {
            channels.push_back(open_channel(specs.front(), clock_));
        }
        return channels;
    };
    const auto range = specs.front().options.source_ports;
    if (not range) {
        return open();
    }
    return port_search_.open_in(
        specs.front().transport, *range,
        [&](PortRange rest) {
            for (ChannelSpec& spec : specs) {
                spec.options.source_ports = rest;
            }
            return open();
        },
        [](const auto& channels) { return channels.front()->local_address().port(); });
}

std::vector<std::unique_ptr<Channel>> FlowChannels::open(const std::vector<FlowSpec>& flows,
                                                         std::span<const SocketAddress> to,
                                                         const std::function<bool()>& give_up) {
    check(flows.size() == to.size(), "each flow has an address");
    std::vector<std::unique_ptr<Channel>> channels(flows.size());
    for (const Places& places : places_together(flows, to)) {
        if (places.empty()) {
            continue;  // with the first of its association
        }
        if (give_up()) {
            throw RunError("interrupted before anything was sent");
        }
        std::vector<ChannelSpec> specs;
        for (const std::size_t place : places) {
            ChannelSpec& spec = specs.emplace_back();
            spec.transport = flows[place].transport;
            spec.options = flows[place].options;
            spec.to = spec.options.group.empty() ? to[place] : group_of(spec.options, to[place].port());
            spec.limit = limit_;
            spec.queues = &queues_;
            spec.packets_per_s = expected_rate(flows[place]);
        }
        std::vector<std::unique_ptr<Channel>> opened = open_together(std::move(specs));
        for (std::size_t k = 0; k < places.size(); ++k) {
            channels[places[k]] = std::move(opened[k]);
        }
    }
    return channels;
}

}  // namespace groma
