#include "decoder/text/text_fidelity.hpp"

#include <fmt/format.h>

#include <functional>

#include "common/log/asked_rate.hpp"
#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

std::string ratio(const Fidelity& it) {
    const auto asked = it.scheduled_pps();
    const auto sent = it.sent_pps();
    return asked and sent ? significant(*sent / *asked, 6) : kUnknown;
}

std::string fit_figure(const std::optional<DistributionFit>& fit, double DistributionFit::*figure, int decimals) {
    return fit ? fmt::format("{:.{}f}", *fit.*figure, decimals) : kUnknown;
}

/// Calls `add` with the name and the fidelity of each flow, and of all together when they are several; these have no
/// specification.
void for_each_sent(const RunResult& run,
                   const std::function<void(const std::string&, const Fidelity&, const FlowSpec*)>& add) {
    for (const FlowResult& flow : run.flows) {
        if (flow.sent and flow.receiver_number == 1) {
            add(std::to_string(flow.spec.id.value), flow.sent->fidelity, &flow.spec);
        }
    }
    for (const auto& [name, total] : named_totals(run)) {
        if (total->sent) {
            add(name, total->sent->fidelity, nullptr);
        }
    }
}

std::string rates_and_lateness(const RunResult& run) {
    Table table({{"flow"},
                 {"nominal"},
                 {"scheduled"},
                 {"sent"},
                 {"ratio"},
                 {"late p50"},
                 {"p99"},
                 {"p99.9"},
                 {"max"},
                 {"late > 1/10 gap"},
                 {"alone"},
                 {"in batches"},
                 {"largest"},
                 {"behind"}});
    for_each_sent(run, [&](const std::string& name, const Fidelity& it, const FlowSpec* spec) {
        const auto nominal = spec != nullptr ? nominal_pps(*spec) : std::nullopt;
        table.add_row({name, known(nominal, human_rate), known(it.scheduled_pps(), human_rate),
                       known(it.sent_pps(), human_rate), ratio(it), percentile(it.lateness_ns, 0.5),
                       percentile(it.lateness_ns, 0.99), percentile(it.lateness_ns, 0.999),
                       percentile(it.lateness_ns, 1), std::to_string(it.late_packets), std::to_string(it.alone),
                       std::to_string(it.batched), std::to_string(it.largest_batch), human_time(it.behind)});
    });
    return section("The instrument's own error: what was asked for and what was sent", table);
}

std::string gaps(const RunResult& run) {
    Table table({{"flow"},
                 {"gap error p50"},
                 {"p90"},
                 {"p99"},
                 {"max"},
                 {"variation"},
                 {"n"},
                 {"N"},
                 {"lambda2"},
                 {"+-"},
                 {"KS"},
                 {"A2"}});
    bool any = false;
    for_each_sent(run, [&](const std::string& name, const Fidelity& it, const FlowSpec* /*spec*/) {
        const LogHistogram& off = it.gap_error_ns;
        any = any or off.count() > 0;
        table.add_row(
            {name, percentile(off, 0.5), percentile(off, 0.9), percentile(off, 0.99), percentile(off, 1),
             it.gap_variation ? significant(*it.gap_variation) : kUnknown,
             it.fit ? std::to_string(it.fit->gaps) : kUnknown, it.fit ? std::to_string(it.fit->bins) : kUnknown,
             fit_figure(it.fit, &DistributionFit::lambda2, 5), fit_figure(it.fit, &DistributionFit::lambda2_error, 5),
             it.fit ? ks_text(*it.fit) : kUnknown, it.fit ? significant(it.fit->a2) : kUnknown});
    });
    return any ? section("Gaps between departures: what was asked for and what was sent", table) : std::string();
}

}  // namespace

std::string fidelity_text(const RunResult& run) {
    return rates_and_lateness(run) + gaps(run);
}

std::string requirements_text(const RunResult& run) {
    std::string out;
    for (const CheckedRequirement& one : run.requirements) {
        out.append(one.met ? "  met: " : "  not met: ").append(one.sentence()).append("\n");
    }
    return out.empty() ? out : "\nRequired\n" + out;
}

}  // namespace groma
