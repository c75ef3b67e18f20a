#include "sender/plan/send_bounds.hpp"

#include "common/base/errors.hpp"
#include "common/net/channel/multicast.hpp"

namespace groma {

namespace {

void require(const SendBounds& bounds, const SocketAddress& to) {
    if (std::string why = bounds.refusal(to); not why.empty()) {
        throw RunError(why);
    }
}

}  // namespace

std::string SendBounds::refusal(const SocketAddress& to) const {
    if (not allow.contain(to) and (to.is_multicast() or not allow.all.empty())) {
        return "this daemon sends nothing to " + to.host_to_string() + ": " +
               (allow.all.empty() ? "it sends to no multicast group that it was not told" : "it was not told to") +
               " (groma-send --daemon --allow NETWORK,...)";
    }
    if (not client) {
        const std::string excess = misdirection_in_words(Limits{.to = allow}, to);
        return excess.empty() ? excess : "for who has no key, this daemon allows " + excess;
    }
    return refusal_in_words(*client, to);
}

void check_bounds(const SendBounds& bounds, std::span<const ReceiverPlan> plans) {
    for (const ReceiverPlan& plan : plans) {
        if (not plan.address.valid()) {
            continue;  // it has not called in yet
        }
        require(bounds, plan.address);
        if (bounds.only_to_proved and not plan.key) {
            throw RunError("this daemon sends only to receivers that prove a key of yours, and there is none for " +
                           plan.address.to_string() + ": give yours with --key FILE");
        }
        for (const FlowSpec& flow : plan.flows) {
            check_bounds(bounds, flow, plan.address.with_port(flow.target.data_port.value_or(0)));
        }
    }
}

ResolveName within(const SendBounds& bounds, ResolveName resolve) {
    return [bounds, resolve = std::move(resolve)](std::string_view host, std::uint16_t port) {
        const SocketAddress found = resolve(host, port);
        require(bounds, found);
        return found;
    };
}

void check_bounds(const SendBounds& bounds, const FlowSpec& flow, const SocketAddress& to) {
    const std::uint16_t port = traits(flow.transport).ports ? to.port() : 0;
    require(bounds, flow.options.group.empty() ? to.with_port(port) : group_of(flow.options, port));
}

}  // namespace groma
