#include "sender/report/pacing_report.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/thread_options.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

std::string threads_in_words(const PacingFacts& facts) {
    std::string text = "  sent by " + counted(facts.threads, "thread");
    if (not facts.pinned.empty()) {
        text += fmt::format(" on core{} {}", facts.pinned.size() == 1 ? "" : "s", cores_to_string(facts.pinned));
    }
    return text.append(facts.realtime ? ", in real time\n" : "\n");
}

std::string cost_in_words(const CpuUsage& usage) {
    std::uint64_t switches = usage.voluntary_switches;
    add_count(switches, usage.involuntary_switches);
    return fmt::format("{} user, {} system, {} context switches ({} of them involuntary)", human_time(usage.user),
                       human_time(usage.system), switches, usage.involuntary_switches);
}

/// The flows whose packets a kernel queue times, grouped by queue.
std::string departures_in_words(const std::vector<FlowReport>& flows) {
    struct Held {
        std::uint64_t packets = 0;
        std::uint64_t held = 0;
    };
    std::map<std::string, Held> queues;
    for (const FlowReport& flow : flows) {
        if (not flow.outcome.queue.empty()) {
            Held& sum = queues[flow.outcome.queue];
            sum.packets += flow.outcome.fidelity.packets;
            sum.held += flow.outcome.counts.held_by_kernel;
        }
    }
    std::string out;
    for (const auto& [queue, sum] : queues) {
        out += fmt::format("  departure by the {}: {} of {} packets were handed over ahead of their times\n",
                           departure_in_words(queue), sum.held, sum.packets);
    }
    return out;
}

}  // namespace

std::string departure_in_words(const std::string& queue) {
    return queue.empty() ? "user" : "kernel (" + plain_text(queue) + ")";
}

std::string pacing_text(const SendReport& report) {
    std::string out;
    if (report.pacing.threads > 0) {
        out += threads_in_words(report.pacing);
    }
    out += departures_in_words(report.flows);
    for (const std::string& warning : report.pacing.warnings) {
        out += fmt::format("  {}\n", plain_text(warning));
    }
    if (report.usage) {
        out += fmt::format("  CPU of the sender: {}\n", cost_in_words(*report.usage));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (receiver.usage) {
            out += fmt::format("  CPU of the receiver {}: {}\n", receiver.address, cost_in_words(*receiver.usage));
        }
    }
    return out;
}

nlohmann::ordered_json to_json(const PacingFacts& facts) {
    return {{"threads", facts.threads},
            {"pinned", facts.pinned},
            {"realtime", facts.realtime},
            {"warnings", facts.warnings}};
}

}  // namespace groma
