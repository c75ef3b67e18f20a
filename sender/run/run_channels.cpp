#include "sender/run/run_channels.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "sender/engine/stamp_worker.hpp"
#include "sender/links/flow_channels.hpp"
#include "sender/report/pacing_report.hpp"

namespace groma {

RunChannels::RunChannels(const SenderOptions& options, Clock& clock, ReceiverLinks& links, const GiveUp& give_up)
    : times_(options.times),
      knocks_from_(options.passive and options.passive->any_source ? Doors::KnocksFrom::anywhere
                                                                   : Doors::KnocksFrom::caller),
      clock_(clock),
      links_(links),
      give_up_(give_up) {
    if (not options.signal_line.empty()) {
        signal_line_.emplace(options.signal_line);
    }
}

void RunChannels::open_doors(const std::vector<ReceiverPlan>& plans) {
    doors_.emplace(clock_, queues_, times_.token, knocks_from_);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        std::vector<DialTarget> dial;
        dial.reserve(plans[i].flows.size());
        for (const FlowSpec& flow : plans[i].flows) {
            dial.push_back(doors_->open(flow, links_.local_address(i), plans[i].address));
        }
        links_.await_flows_at(i, std::move(dial));
    }
}

std::vector<std::unique_ptr<Channel>> RunChannels::open(const std::vector<FlowSpec>& flows,
                                                        const std::map<FlowId, SocketAddress>& to) {
    std::vector<std::unique_ptr<Channel>> channels = doors_ ? meet(flows) : connect(flows, to);
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

std::vector<std::unique_ptr<Channel>> RunChannels::meet(const std::vector<FlowSpec>& flows) {
    std::map<FlowId, std::unique_ptr<Channel>> met = doors_->meet(times_.meeting, [this] {
        if (give_up_()) {
            throw RunError("interrupted before anything was sent");
        }
        for (std::size_t i = 0; i < links_.size(); ++i) {
            if (const auto why = links_.lost(i)) {
                throw RunError(*why);
            }
        }
    });
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
        const std::vector<std::string> remarks = channel.remarks();
        const bool refused =
            std::ranges::any_of(remarks, [](const std::string& remark) { return remark.starts_with(kNoHardware); });
        const StampSource source = refused ? StampSource::kernel : *spec.options.sent_stamps;
        words.push_back(", departures also " + std::string(stamps_in_words(source)));
    }
    return words;
}

}  // namespace groma
