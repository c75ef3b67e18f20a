#include <array>
#include <utility>

#include "common/log/asked_rate.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/stats/fidelity/fidelity_figures.hpp"
#include "common/stats/fidelity/missing_fit.hpp"
#include "common/stats/histograms/spread_figures.hpp"
#include "decoder/results/figures.hpp"
#include "decoder/results/voice_quality.hpp"

namespace groma {

namespace {

using FlowTable = FigureTable<FlowFigures>;

/// Those of a spread, and their fractions.
constexpr std::array kPercentiles = {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99),
                                     std::pair("p999", 0.999)};

/// Of a part of the figures that may be absent.
template <typename Part, typename Get>
auto of_part(std::optional<Part> FlowFigures::*part, Get get) {
    using Known = WhenKnown<std::invoke_result_t<Get, const Part&>>;
    return [part, get](const FlowFigures& it) -> std::optional<Known> {
        return it.*part ? std::optional<Known>(std::invoke(get, *(it.*part))) : std::nullopt;
    };
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

template <typename Get>
auto of_sent(Get get) {
    return of_part(&FlowFigures::sent, get);
}

template <typename Get>
auto of_received(Get get) {
    return of_part(&FlowFigures::received, get);
}

void add_received_spread(FlowTable& table, std::string_view what, std::string_view unit, std::string_view meaning,
                         Spread ReceivedFigures::*spread) {
    add_spread(table, what, unit, meaning, [spread](const FlowFigures& it) -> const Spread* {
        return it.received ? &((*it.received).*spread) : nullptr;
    });
}

/// Of the pattern of losses, where it is known.
template <typename Get>
auto of_losses(Get get) {
    using Known = WhenKnown<std::invoke_result_t<Get, const LossPatternCounts&>>;
    return [get](const FlowFigures& it) -> std::optional<Known> {
        const auto& counts = it.loss_pattern.counts;
        return counts ? std::optional<Known>(std::invoke(get, *counts)) : std::nullopt;
    };
}

auto in_losses(LogHistogram LossPatternCounts::*values) {
    return [values](const FlowFigures& it) -> const LogHistogram* {
        return it.loss_pattern.counts ? &((*it.loss_pattern.counts).*values) : nullptr;
    };
}

auto share_value(std::optional<Proportion> (LossPatternCounts::*share)() const) {
    return of_losses([share](const LossPatternCounts& it) {
        const auto found = (it.*share)();
        return found ? std::optional(found->value) : std::nullopt;
    });
}

auto share_error(std::optional<Proportion> (LossPatternCounts::*share)() const) {
    return of_losses([share](const LossPatternCounts& it) {
        const auto found = (it.*share)();
        return found ? found->error : std::nullopt;
    });
}

auto loss_end(double LossPatternCounts::Interval::*end) {
    return of_losses([end](const LossPatternCounts& it) {
        const auto interval = it.interval();
        return interval ? std::optional((*interval).*end) : std::nullopt;
    });
}

void add_counts(FlowTable& table) {
    using R = ReceivedFigures;
    table.add("sent_packets", "packets that left", of_sent(&SentFigures::packets))
        .add("sent_bytes", "their payload, bytes", of_sent(&SentFigures::bytes))
        .add("sent_duration_s", "first to last departure", of_sent([](const SentFigures& it) {
                 return it.duration ? std::optional(to_seconds(*it.duration)) : std::nullopt;
             }))
        .add("due_packets", "packets that left, once for each receiver: those that could be lost",
             &FlowFigures::due_packets)
        .add("received_packets", "packets that arrived, every copy", of_received(&R::packets))
        .add("received_bytes", "their payload, bytes", of_received(&R::bytes))
        .add("lost", "packets that left and never arrived", [](const FlowFigures& it) { return it.loss.packets; })
        .add("lost_ratio", "lost / due_packets", &FlowFigures::lost_ratio)
        .add("lost_before_host",
             "lost packets without those that the receiver's kernel dropped because the socket's buffer was full",
             [](const FlowFigures& it) { return it.loss.before_host; })
        .add("lost_at_least", "packets that are known to be lost, where `lost` is unknown",
             [](const FlowFigures& it) { return it.loss.at_least; })
        .add("lost_unknown_because", "why `lost` is unknown",
             [](const FlowFigures& it) { return unless_empty(it.loss.unknown_because); })
        .add("duplicates", "further copies of packets that had arrived", of_received(&R::duplicates))
        .add("packets_with_copies", "packets of which more than one copy arrived", of_received(&R::copied))
        .add("reordered", "packets with a smaller number than one that arrived before (RFC 4737)",
             of_received(&R::reordered))
        .add("duration_s", "first to last arrival", of_received([](const R& it) {
                 const auto duration = it.duration();
                 return duration ? std::optional(to_seconds(*duration)) : std::nullopt;
             }))
        .add("throughput_bps", "bits of payload that arrived per second: packet_rate_pps times the mean payload",
             of_received(&R::throughput_bps))
        .add("packet_rate_pps",
             "packets that arrived per second: gaps over the time from the first arrival to the last",
             of_received(&R::packet_rate_pps))
        .add("goodput_bps", "throughput of first copies only (RFC 2647, 3.17)", of_received(&R::goodput_bps))
        .add("rates_unknown_because", "why duration and rates are unknown, if packets arrived",
             of_received([](const R& it) { return unless_empty(it.rates_unknown_because); }))
        .add("throughput_ip_bps", "throughput with the headers of IP and transport", of_received(&R::throughput_ip_bps))
        .add("throughput_ethernet_bps", "throughput with all that a packet takes of an Ethernet",
             of_received(&R::throughput_ethernet_bps))
        .add("headers_unknown_because", "why the throughput with headers is unknown",
             of_received([](const R& it) { return unless_empty(it.headers_unknown_because); }));
}

/// The records of each log, and what is missing among them.
void add_records(FlowTable& table) {
    using S = SentFigures;
    using R = ReceivedFigures;
    add_spread(table, "sent_gap", "ns", "the gaps between departures",
               [](const FlowFigures& it) { return it.sent ? &it.sent->gaps_ns : nullptr; });
    add_spread(table, "sent_size", "bytes", "the payloads that left",
               [](const FlowFigures& it) { return it.sent ? &it.sent->sizes : nullptr; });
    table.add("sent_log_complete", "the sender's log has its totals", of_sent(&S::whole))
        .add("sent_records_missing", "packets that were sent and have no record in the log",
             of_sent(&S::records_missing));
    add_received_spread(table, "arrival_gap", "ns", "the gaps between arrivals", &R::gaps_ns);
    add_received_spread(table, "received_size", "bytes", "the payloads that arrived", &R::sizes);
    table.add("received_log_complete", "the receiver's log has its totals", of_received(&R::whole))
        .add("received_records_missing", "packets that arrived and have no record in the log",
             of_received(&R::records_missing))
        .add("beyond_window", "packets that came too late to tell a copy from a late packet",
             of_received(&R::beyond_window))
        .add("unnumbered", "packets too small for a sequence number", of_received(&R::unnumbered))
        .add("undated", "packets without a delay: no time of departure, or clocks more than 73 years apart",
             of_received(&R::undated));
}

void add_delays(FlowTable& table) {
    using R = ReceivedFigures;
    add_received_spread(table, "delay", "ns", "the one-way delay (RFC 7679) of packets that arrived", &R::delay_ns);
    add_received_spread(table, "scheduled_delay", "ns",
                        "the delay from the scheduled departure on: the one-way delay, and how late the packet left",
                        &R::scheduled_delay_ns);
    for (const auto& [name, fraction] : kPercentiles) {
        table.add(std::string("delay_of_due_") + name + "_ns",
                  std::string("the same percentile of all packets that were due, lost ones having an infinite delay ") +
                      "(RFC 7679, 5.1); unknown: infinite, or `lost` is unknown",
                  [f = fraction](const FlowFigures& it) { return it.delay_of_due(f); });
    }
    table.add("delay_mean_error_ns", "standard error of its mean, with the dependence of neighbours",
              of_received(&R::delay_mean_error_ns));
    table.add("jitter_ditg_ns", "mean difference between the delays of packets that arrived one after the other",
              of_received(&R::jitter_ditg_ns));
    table
        .add("jitter_rfc3550_ns", "interarrival jitter (RFC 3550, 6.4.1), its last value",
             of_received(&R::jitter_rfc3550_ns))
        .add("jitter_rfc3550_mean_ns", "its mean over the flow", of_received(&R::jitter_rfc3550_mean_ns))
        .add("jitter_rfc3550_max_ns", "its largest value", of_received(&R::jitter_rfc3550_max_ns));
    add_received_spread(table, "pdv", "ns", "the delay less the flow's smallest: PDV (RFC 5481)", &R::pdv_ns);
    add_received_spread(table, "ipdv", "ns", "the difference of the delays of neighbours: IPDV (RFC 3393)",
                        &R::ipdv_ns);
    table.add("ipdv_missed", "neighbours that both arrived and could not be compared", of_received(&R::ipdv_missed));
}

void add_loss_pattern(FlowTable& table) {
    using L = LossPatternCounts;
    using I = LossPatternCounts::Interval;
    table.add("loss_packets", "packets of which it is known whether they were lost", of_losses(&L::packets))
        .add("loss_lost", "those that were", of_losses(&L::lost))
        .add("loss_low", "lower end of the 95 % interval of their share, for a Gilbert channel", loss_end(&I::low))
        .add("loss_high", "its upper end", loss_end(&I::high))
        .add("loss_independent_packets", "independent packets that would tell as much of the share",
             loss_end(&I::independent_packets));
    add_spread(table, "loss_period", "", "the lengths of runs of lost packets (RFC 3357), packets",
               in_losses(&L::periods));
    add_spread(table, "loss_distance", "", "the distances from one lost packet to the next (RFC 3357), packets",
               in_losses(&L::distances));
    table.add("loss_noticeable_ratio", "share of losses at most 99 packets after the one before (RFC 3357, 6.1)",
              of_losses(&L::noticeable));
    table.add("gilbert_p", "share of received packets that a lost one follows", share_value(&L::gilbert_p))
        .add("gilbert_p_error", "its standard error", share_error(&L::gilbert_p))
        .add("gilbert_r", "share of lost packets that a received one follows", share_value(&L::gilbert_r))
        .add("gilbert_r_error", "its standard error", share_error(&L::gilbert_r))
        .add("gilbert_p_value",
             "probability of losses as far from a Gilbert channel by chance: of whether the end of a state depends on "
             "how long it has lasted",
             of_losses(&L::gilbert_chance))
        .add("good_followed", "received packets that another followed", of_losses(&L::good_followed))
        .add("good_to_bad", "of them, those that a lost one followed", of_losses(&L::good_to_bad))
        .add("bad_followed", "lost packets that another followed", of_losses(&L::bad_followed))
        .add("bad_to_good", "of them, those that a received one followed", of_losses(&L::bad_to_good))
        .add("loss_pattern_to_the_end", "false: no further than the highest number that was received",
             [](const FlowFigures& it) {
                 return it.loss_pattern.counts ? std::optional(it.loss_pattern.to_the_end) : std::nullopt;
             })
        .add("loss_pattern_unknown_because", "why there is no pattern",
             [](const FlowFigures& it) { return unless_empty(it.loss_pattern.unknown_because); });
}

void add_order(FlowTable& table) {
    using R = ReceivedFigures;
    table.add("reordered_ratio", "reordered / packets that arrived", of_received(&R::reordered_ratio));
    add_spread(table, "extent", "", "the reordering extent (RFC 4737, 4.2.2), packets",
               [](const FlowFigures& it) { return it.received ? &it.received->reordering.extents : nullptr; });
    table.add("extents_unknown", "reordered packets whose extent is not known",
              of_received([](const R& it) { return it.reordering.beyond; }));
    table.add("three_reordered", "packets that are 3-reordered (RFC 4737, 5.3)",
              of_received([](const R& it) { return it.reordering.n_reordered(3); }));
    add_spread(table, "free_run", "", "the reordering-free runs (RFC 4737, 4.6), packets",
               [](const FlowFigures& it) { return it.received ? &it.received->reordering.free_runs : nullptr; });
    table.add("reorder_density_beyond",
              "packets more than 128 from their place, which the reorder density takes for lost",
              of_received([](const R& it) { return it.density.beyond; }));
}

/// Of such a KS by chance.
auto ks_chance_of(double (*distance)(const DistributionFit& fit)) {
    return [distance](const FlowFigures& it) {
        const auto& fit = it.sent ? it.sent->fidelity.fit : std::nullopt;
        return fit ? std::optional(ks_chance(distance(*fit), fit->gaps)) : std::nullopt;
    };
}

FlowTable make_flow_table() {
    FlowTable table;
    add_counts(table);
    add_delays(table);
    table.add_all(fidelity_figures(), [](const FlowFigures& it) { return it.sent ? &it.sent->fidelity : nullptr; });
    table
        .add("ks_p_low",
             "probability of such a KS by chance, if gaps are independent and of the distribution asked for: the "
             "smallest that it can be, of the upper bound",
             ks_chance_of([](const DistributionFit& fit) { return fit.ks_most(); }))
        .add("ks_p_high", "the largest that it can be, of the lower bound",
             ks_chance_of([](const DistributionFit& fit) { return fit.ks; }));
    table.add("no_schedule_because", "why nothing of it is compared with a schedule",
              of_sent([](const SentFigures& it) { return unless_empty(std::string(why_no_schedule(it.fidelity))); }));
    table.add("no_fit_because", "why the gaps were not compared with a distribution",
              of_sent([](const SentFigures& it) { return unless_empty(it.no_fit_because); }));
    add_records(table);
    add_loss_pattern(table);
    add_order(table);
    return table.add_all(clock_figures(), [](const FlowFigures& it) { return &it.clock; });
}

/// What is known of single flows only.
FigureTable<FlowResult> make_flow_results() {
    const auto of_spec = [](auto text_of) { return [text_of](const FlowResult& it) { return text_of(it.spec); }; };
    const auto of_received = [](auto get) {
        using Known = WhenKnown<std::invoke_result_t<decltype(get), const ReceivedFigures&>>;
        return [get](const FlowResult& it) -> std::optional<Known> {
            return it.received ? std::invoke(get, *it.received) : std::nullopt;
        };
    };
    FigureTable<FlowResult> table;
    table.add("flow", "its number in the run, from 1", of_spec([](const FlowSpec& it) { return it.id.value; }))
        .add("receiver", "number of the receiver among the flow's whose logs are there, from 1",
             &FlowResult::receiver_number)
        .add("receivers", "how many they are", &FlowResult::receivers)
        .add("receiver_host", "the receiver's host, with its address where several have one name",
             [](const FlowResult& it) { return unless_empty(it.receiver); })
        .add("name", "the flow's name", of_spec([](const FlowSpec& it) { return it.name; }))
        .add("transport", "the transport protocol", of_spec([](const FlowSpec& it) { return to_string(it.transport); }))
        .add("profile", "the application profile that it was made from",
             of_spec([](const FlowSpec& it) { return it.profile; }))
        .add("idt", "the distribution of inter-departure times that was asked for",
             of_spec([](const FlowSpec& it) { return idt_to_string(it.idt); }))
        .add("on_periods", "the distribution of ON periods that was asked for; unknown: always on",
             of_spec([](const FlowSpec& it) {
                 return it.on_off ? std::optional(period_to_string(it.on_off->on)) : std::nullopt;
             }))
        .add("off_periods", "that of the OFF periods between them", of_spec([](const FlowSpec& it) {
                 return it.on_off ? std::optional(period_to_string(it.on_off->off)) : std::nullopt;
             }))
        .add("response", "the distribution of sizes of responses that was asked for; unknown: as large as requests",
             of_spec([](const FlowSpec& it) {
                 return it.response ? std::optional(size_to_string(*it.response)) : std::nullopt;
             }))
        .add("in_flight", "how many packets could wait for their replies at a time; unknown: they left without waiting",
             of_spec([](const FlowSpec& it) {
                 return it.in_flight > 0 ? std::optional(std::uint64_t{it.in_flight}) : std::nullopt;
             }))
        .add("think", "the distribution of times from a reply to the next packet; unknown: at once",
             of_spec([](const FlowSpec& it) {
                 return it.think ? std::optional(period_to_string(*it.think)) : std::nullopt;
             }))
        .add("requests_per_connection", "the distribution of how many packets a connection took; unknown: one took all",
             of_spec([](const FlowSpec& it) {
                 return it.requests_per_connection ? std::optional(size_to_string(*it.requests_per_connection))
                                                   : std::nullopt;
             }))
        .add("response_timeout_ns", "after how long a request was given up; unknown: as is usual over the transport",
             of_spec([](const FlowSpec& it) { return it.response_timeout; }))
        .add("rate_over_time",
             "the rate over time that was asked for, for whose highest rate `idt` holds; unknown: it did not change",
             of_spec([](const FlowSpec& it) {
                 return it.rate_over_time ? std::optional(to_string(*it.rate_over_time)) : std::nullopt;
             }))
        .add("nominal_pps",
             "packets per second by that distribution: 1 / mean, draws below 0 raised to 0, times the share of ON "
             "periods; of a rate over time its mean over the duration; unknown: it has no mean",
             of_spec([](const FlowSpec& it) { return nominal_pps(it); }))
        .add("realised_pps", "packets that left over the duration that was asked for, if nothing else ends the flow",
             [](const FlowResult& it) {
                 return it.sent and it.sent->is_whole_run() ? realised_pps(it.spec, it.sent->packets) : std::nullopt;
             })
        .add("size", "the distribution of payload sizes that was asked for",
             of_spec([](const FlowSpec& it) { return size_to_string(it.size); }))
        .add("target", "the receiver that was asked for: its host and control port",
             of_spec([](const FlowSpec& it) { return to_string(it.target); }))
        .add("voice_rating", "of a profile of voice: the rating R of the E-model (ITU-T G.107)",
             [](const FlowResult& it) { return voice_rating(it); })
        .add("voice_mos", "its mean opinion score, 1 to 4.5", [](const FlowResult& it) {
            const auto rating = voice_rating(it);
            return rating ? std::optional(opinion_score(*rating)) : std::nullopt;
        });
    table.add("mapdv2_ns", "of a profile of voice: MAPDV2, the delay variation around a running mean (ITU-T G.1020)",
              of_received([](const ReceivedFigures& it) { return it.mapdv2_ns; }));
    table.add("delay_independent_packets", "independent packets that would tell as much of the mean delay",
              of_received(&ReceivedFigures::delay_independent_packets));
    table.add("delay_autocorrelation", "correlation of the delays of neighbours in the order of sending",
              of_received(&ReceivedFigures::delay_autocorrelation));
    for (const auto& [name, fraction] : kPercentiles) {
        const auto end = [&](std::int64_t PercentileInterval::*which) {
            return of_received([which, f = fraction](const ReceivedFigures& it) {
                const auto interval = it.delay_interval(f);
                return interval ? std::optional((*interval).*which) : std::nullopt;
            });
        };
        table.add(std::string("delay_") + name + "_low_ns",
                  "lower end of the 95 % interval of this percentile of delay", end(&PercentileInterval::low));
        table.add(std::string("delay_") + name + "_high_ns", "its upper end", end(&PercentileInterval::high));
    }
    return table.add_all(flow_figures(), [](const FlowResult& it) -> const FlowFigures* { return &it; });
}

}  // namespace

const FigureTable<FlowFigures>& flow_figures() {
    static const FlowTable kTable = make_flow_table();
    return kTable;
}

const FigureTable<FlowResult>& flow_result_figures() {
    static const FigureTable<FlowResult> kTable = make_flow_results();
    return kTable;
}

const FigureTable<TotalResult>& total_figures() {
    static const FigureTable<TotalResult> kTable =
        FigureTable<TotalResult>()
            .add("flows", "how many flows, each once however many receivers it has", &TotalResult::flows)
            .add_all(flow_figures(), [](const TotalResult& it) -> const FlowFigures* { return &it; });
    return kTable;
}

}  // namespace groma
