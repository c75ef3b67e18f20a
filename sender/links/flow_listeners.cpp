#include "sender/links/flow_listeners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// Interval between checks of callers that have connected but not yet sent anything.
constexpr Nanos kTick = std::chrono::milliseconds(20);
constexpr std::size_t kMostNamed = 5;
/// Descriptors that flows leave to logs and connections.
constexpr std::uint64_t kFdsLeft = 32;

std::uint16_t port_for(const FlowSpec& flow) {
    return flow.target.data_port.value_or(static_cast<std::uint16_t>(flow.options.source_port.value_or(0)));
}

}  // namespace

DialTarget FlowListeners::open(const FlowSpec& flow, const SocketAddress& at, const SocketAddress& caller) {
    const PunchToken token = token_from_hex(random_id());
    auto listener = open_flow_listener({.transport = flow.transport,
                                        .options = flow.options,
                                        .meter = flow.meter,
                                        .bind_to = at.with_port(port_for(flow)),
                                        .token = token,
                                        .caller = punches_from_ == PunchesFrom::caller ? caller : SocketAddress(),
                                        .token_limit = token_limit_,
                                        .queues = &queues_},
                                       clock_);
    if (listener->fd() >= 0 and fds_beyond(listener->fd()) < kFdsLeft) {
        throw SystemError("open one more socket", EMFILE);
    }
    poller_.add(listener->fd(), listeners_.size());
    const std::uint16_t port = listener->local_address().port();
    listeners_.push_back({.flow = flow, .caller = caller, .listener = std::move(listener)});
    return {.port = port, .token = token};
}

std::map<FlowId, std::unique_ptr<Channel>> FlowListeners::meet(Nanos limit, const std::function<void()>& check) {
    std::map<FlowId, std::unique_ptr<Channel>> channels;
    const MonoTime deadline = clock_.now() + limit;
    while (channels.size() < listeners_.size()) {
        check();
        for (OneListener& one : listeners_) {
            if (one.met) {
                continue;
            }
            if (auto channel = one.listener->poll()) {
                one.met = true;
                channels[one.flow.id] = std::move(channel);
            }
        }
        if (clock_.now() >= deadline and channels.size() < listeners_.size()) {
            throw RunError(not_met(limit));
        }
        (void)poller_.wait(channels.size() < listeners_.size() ? kTick : Nanos{0});
    }
    return channels;
}

std::string FlowListeners::not_met(Nanos limit) const {
    std::string advice = "is a firewall in the way of what the receiver sends to these ports?";
    std::string text = "no receiver with its token came for";
    std::size_t count = 0;
    for (const OneListener& one : listeners_) {
        if (one.met) {
            continue;
        }
        if (std::string punches = punches_elsewhere(one); not punches.empty()) {
            advice = std::move(punches);
        }
        if (++count > kMostNamed) {
            continue;
        }
        text.append(count == 1 ? " flow '" : ", '").append(one.flow.name).append("' (");
        text.append(traits(one.flow.transport).title).append(" port ");
        text.append(std::to_string(one.listener->local_address().port())).append(")");
    }
    if (count > kMostNamed) {
        text.append(" and ").append(std::to_string(count - kMostNamed)).append(" more");
    }
    return text + " within " + human_time(limit) + ": " + advice;
}

std::string FlowListeners::punches_elsewhere(const OneListener& one) {
    const std::uint64_t count = one.listener->counts().elsewhere;
    if (count == 0) {
        return {};
    }
    return std::to_string(count) +
           " punches with the flow's token came from another address than the receiver's session (" +
           one.listener->elsewhere().host_to_string() + ", not " + one.caller.host_to_string() +
           ") and were refused; if a NAT of the receiver gives it several addresses, use --passive-any-source";
}

void FlowListeners::follow() noexcept {
    for (const Ready& ready : poller_.wait(Nanos{0})) {
        try {
            (void)listeners_[ready.token].listener->poll();
        } catch (const SystemError&) {
            // Only a first meeting opens a channel, and it has passed.
        }
    }
}

std::vector<std::string> FlowListeners::warnings(FlowId flow) const {
    std::vector<std::string> sentences;
    const auto found = std::ranges::find(listeners_, flow, [](const OneListener& one) { return one.flow.id; });
    if (found == listeners_.end()) {
        return sentences;
    }
    const FlowListenerCounts& counts = found->listener->counts();
    if (counts.moves > 0) {
        sentences.push_back("the receiver's address changed " + counted(counts.moves, "time") + ", now it is " +
                            found->listener->peer().to_string());
    }
    if (std::string punches = punches_elsewhere(*found); not punches.empty()) {
        sentences.push_back(std::move(punches));
    }
    if (counts.strangers > 0) {
        sentences.push_back(
            fmt::format("{} {} of strangers came to the flow's port and {} left without an answer", counts.strangers,
                        by_count(counts.strangers, "datagram or connection", "datagrams or connections"),
                        by_count(counts.strangers, "was", "were")));
    }
    return sentences;
}

}  // namespace groma
