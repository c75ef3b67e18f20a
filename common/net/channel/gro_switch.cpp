#include "common/net/channel/gro_switch.hpp"

#include <string_view>
#include <utility>

namespace groma {

namespace {

/// Why the packets of a flow are not to be coalesced; empty: they may be.
std::string_view reason_against_gro(const InboxSpec& spec) {
    if (spec.meter == Meter::round_trip) {
        return "the replies tell each packet's own time of arrival";
    }
    if (spec.options.arrival_header.value_or(false)) {
        return "the TTL and DS byte of each packet are recorded";
    }
    if (spec.options.arrival_stamps == StampSource::hardware) {
        return "the interface's time of each packet is recorded";
    }
    return {};
}

}  // namespace

void GroSwitch::prepare(const InboxSpec& spec, std::vector<std::string>& warnings) {
    const std::string_view reason = reason_against_gro(spec);
    watches_ = spec.gro == GroMode::automatic and reason.empty();
    if (spec.gro == GroMode::on and reason.empty()) {
        start(GroReason::asked_for);
    }
    if (spec.gro == GroMode::on and not started_) {
        std::string warning = "no GRO: ";
        warnings.push_back(std::move(warning.append(reason.empty() ? "the kernel has none" : reason)));
    }
}

bool GroSwitch::check(const SocketMemory& memory) noexcept {
    if (not watches_) {
        return false;
    }
    if (const auto why = falls_behind(last_, memory)) {
        start(*why);
    }
    last_ = memory;
    return started_.has_value();
}

void GroSwitch::start(GroReason why) noexcept {
    if (switch_gro_on(socket_)) {
        started_ = GroStart{.since = clock_.wall_now(), .why = why};
    }
    watches_ = false;
}

}  // namespace groma
