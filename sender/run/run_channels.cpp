#include "sender/run/run_channels.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/net/channel/channel.hpp"
#include "common/net/channel/multicast.hpp"
#include "common/net/device/device_queues.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/stamp_worker.hpp"
#include "sender/report/pacing_report.hpp"

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

/// Opens channels to where receivers await the flows: those of one association together, those of a range of ports one
/// behind the other.
class FlowChannels {
public:
    /// `queues` outlives this, and the clock the channels.
    FlowChannels(Nanos limit, DeviceQueues& queues, Clock& clock) : limit_(limit), queues_(queues), clock_(clock) {}

    /// `to`: where the receiver awaits each flow. `give_up`: whether the user has lost patience. Returns: a channel for
    /// each flow, in their order. Throws: SystemError, UsageError; RunError when it was given up.
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open(const std::vector<FlowSpec>& flows,
                                                             std::span<const SocketAddress> to,
                                                             const std::function<bool()>& give_up);

private:
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open_together(std::vector<ChannelSpec> specs);

    Nanos limit_;
    DeviceQueues& queues_;
    Clock& clock_;
    PortSearch port_search_;
};

std::vector<std::unique_ptr<Channel>> FlowChannels::open_together(std::vector<ChannelSpec> specs) {
    const auto open = [&specs, this] { return open_channels(specs, clock_); };
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
            spec.requests_per_connection = flows[place].requests_per_connection;
            spec.connection_seed = seed_of(flows[place], Process::connection);
        }
        std::vector<std::unique_ptr<Channel>> opened = open_together(std::move(specs));
        for (std::size_t k = 0; k < places.size(); ++k) {
            channels[places[k]] = std::move(opened[k]);
        }
    }
    return channels;
}

}  // namespace

RunChannels::RunChannels(const SenderOptions& options, Clock& clock, ReceiverLinks& links, const GiveUp& give_up)
    : times_(options.times),
      punches_from_(options.passive and options.passive->any_source ? FlowListeners::PunchesFrom::anywhere
                                                                    : FlowListeners::PunchesFrom::caller),
      clock_(clock),
      links_(links),
      give_up_(give_up) {
    if (not options.signal_line.empty()) {
        signal_line_.emplace(options.signal_line);
    }
}

void RunChannels::open_listeners(const std::vector<ReceiverPlan>& plans) {
    listeners_.emplace(clock_, queues_, times_.token, punches_from_);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        std::vector<DialTarget> dial;
        dial.reserve(plans[i].flows.size());
        for (const FlowSpec& flow : plans[i].flows) {
            dial.push_back(traits(flow.transport).dialled
                               ? listeners_->open(flow, links_.local_address(i), plans[i].address)
                               : DialTarget{});
        }
        links_.await_flows_at(i, std::move(dial));
    }
}

std::vector<std::unique_ptr<Channel>> RunChannels::open(const std::vector<FlowSpec>& flows,
                                                        const std::map<FlowId, SocketAddress>& to) {
    std::vector<std::unique_ptr<Channel>> channels = listeners_ ? meet(flows, to) : connect(flows, to);
    if (signal_line_) {
        for (std::unique_ptr<Channel>& channel : channels) {
            channel = signalling(std::move(channel), *signal_line_);
        }
    }
    return channels;
}

std::vector<std::unique_ptr<Channel>> RunChannels::connect(const std::vector<FlowSpec>& flows,
                                                           const std::map<FlowId, SocketAddress>& to) {
    std::vector<SocketAddress> addresses;
    addresses.reserve(flows.size());
    for (const FlowSpec& spec : flows) {
        addresses.push_back(to.at(spec.id));
    }
    return FlowChannels(times_.connecting, queues_, clock_).open(flows, addresses, give_up_);
}

std::vector<std::unique_ptr<Channel>> RunChannels::meet(const std::vector<FlowSpec>& flows,
                                                        const std::map<FlowId, SocketAddress>& to) {
    std::map<FlowId, std::unique_ptr<Channel>> met = listeners_->meet(times_.meeting, [this] {
        if (give_up_()) {
            throw RunError("interrupted before anything was sent");
        }
        for (std::size_t i = 0; i < links_.size(); ++i) {
            if (const auto why = links_.lost(i)) {
                throw RunError(*why);
            }
        }
    });
    std::vector<FlowSpec> undialled;
    std::ranges::copy_if(flows, std::back_inserter(undialled),
                         [](const FlowSpec& flow) { return not traits(flow.transport).dialled; });
    std::vector<std::unique_ptr<Channel>> connected = connect(undialled, to);
    for (std::size_t i = 0; i < undialled.size(); ++i) {
        met.emplace(undialled[i].id, std::move(connected[i]));
    }
    std::vector<std::unique_ptr<Channel>> channels;
    channels.reserve(flows.size());
    for (const FlowSpec& spec : flows) {
        channels.push_back(std::move(met.at(spec.id)));
    }
    return channels;
}

std::vector<std::string> departure_times_in_words(const FlowSpec& spec, const Channel& channel) {
    std::vector<std::string> words;
    if (const auto held = channel.held_departures()) {
        words.push_back(", departures by the " + departure_in_words(held->queue));
    }
    if (wants_transmit_stamps(spec)) {
        const std::vector<std::string> warnings = channel.warnings();
        const bool refused =
            std::ranges::any_of(warnings, [](const std::string& warning) { return warning.starts_with(kNoHardware); });
        const StampSource source = refused ? StampSource::kernel : *spec.options.sent_stamps;
        words.push_back(", departures also " + std::string(stamps_in_words(source)));
    }
    return words;
}

}  // namespace groma
