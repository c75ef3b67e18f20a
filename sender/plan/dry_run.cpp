#include "sender/plan/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/json/json_text.hpp"
#include "common/model/flow/schedule.hpp"
#include "common/model/text/human.hpp"
#include "common/time/time_span.hpp"

namespace groma {

namespace {

/// A flow of a dry run: its schedule up to the limit, and the counts so far.
class PaperFlow {
public:
    PaperFlow(const FlowSpec& spec, std::uint64_t most_packets)
        : id_(spec.id),
          greedy_(is_greedy(spec.idt)),
          pace_(spec.in_flight > 0 ? "as replies come" : "as fast as possible"),
          rate_over_time_(spec.rate_over_time ? plain_text(to_string(*spec.rate_over_time), 200) : ""),
          schedule_(spec),
          packets_left_(most_packets) {}

    /// None of a flow that goes as fast as possible, or as replies come: it has no schedule.
    [[nodiscard]] std::optional<Departure> next() {
        if (greedy_) {
            return std::nullopt;
        }
        std::optional<Departure> departure = schedule_.next();
        if (not departure or packets_left_ == 0) {
            complete_ = not departure.has_value();
            return std::nullopt;
        }
        --packets_left_;
        span_.include({departure->offset, departure->offset});
        ++packets_;
        bytes_ += departure->size;
        return departure;
    }

    [[nodiscard]] FlowId id() const { return id_; }
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] bool greedy() const { return greedy_; }
    /// How it goes. Requires: greedy().
    [[nodiscard]] std::string_view pace() const { return pace_; }
    [[nodiscard]] const std::string& rate_over_time() const { return rate_over_time_; }
    [[nodiscard]] DrawCounts draws() const { return schedule_.draw_counts(); }

    [[nodiscard]] std::optional<double> mean_pps() const { return span_.rate(packets_); }
    [[nodiscard]] std::optional<double> mean_bps() const { return bit_rate(mean_pps(), packets_, bytes_); }

private:
    FlowId id_;
    bool greedy_;
    std::string_view pace_;
    std::string rate_over_time_;  ///< empty: it does not change
    Schedule schedule_;
    std::uint64_t packets_left_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    TimeSpan span_;
    bool complete_ = false;
};

std::string seconds(Nanos offset) {
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    return fmt::format("{}.{:09}", offset.count() / kNsPerSecond, offset.count() % kNsPerSecond);
}

std::string remark_on(const PaperFlow& flow) {
    const std::string rate = flow.rate_over_time().empty() ? "" : "rate " + flow.rate_over_time();
    const std::string_view between = rate.empty() or flow.complete() ? "" : "; ";
    return rate + std::string(between) + (flow.complete() ? "" : "cut at the limit");
}

std::string number_or_null(std::optional<double> value) {
    return value ? fmt::format("{}", *value) : "null";
}

class TextPrinter {
public:
    TextPrinter(std::ostream& out, const Experiment& experiment) : out_(out) {
        for (const FlowSpec& spec : experiment.flows) {
            names_.push_back(plain_text(spec.name));
            width_ = std::max(width_, names_.back().size());
        }
        out_ << fmt::format("{:>16}  {:<{}}  {:>10}  {:>8}\n", "offset [s]", "flow", width_, "seq", "size [B]");
    }

    void departure(std::size_t flow, FlowId /*id*/, const Departure& departure) {
        out_ << fmt::format("{:>16}  {:<{}}  {:>10}  {:>8}\n", seconds(departure.offset), names_[flow], width_,
                            departure.seq, departure.size);
    }

    void summary(const std::vector<PaperFlow>& flows) {
        Table table({{"flow", Align::left},
                     {"packets"},
                     {"bytes"},
                     {"mean rate"},
                     {"payload rate"},
                     {"gaps raised"},
                     {"redrawn"},
                     {"sizes raised"},
                     {"lowered"},
                     {"", Align::left}});
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const DrawCounts draws = flows[i].draws();
            if (flows[i].greedy()) {
                table.add_row({names_[i], "?", "?", "max", "max", "-", "-", "-", "-", std::string(flows[i].pace())});
                continue;
            }
            table.add_row({names_[i], std::to_string(flows[i].packets()), std::to_string(flows[i].bytes()),
                           flows[i].mean_pps() ? human_rate(*flows[i].mean_pps()) : "-",
                           flows[i].mean_bps() ? human_bits(*flows[i].mean_bps()) : "-",
                           std::to_string(draws.gaps_raised), std::to_string(draws.gaps_redrawn),
                           std::to_string(draws.sizes_raised), std::to_string(draws.sizes_lowered),
                           remark_on(flows[i])});
        }
        out_ << '\n' << table.to_string();
    }

private:
    std::ostream& out_;
    std::vector<std::string> names_;
    std::size_t width_ = 4;
};

class JsonPrinter {
public:
    JsonPrinter(std::ostream& out, const Experiment& experiment) : out_(out) {
        for (const FlowSpec& spec : experiment.flows) {
            // Bytes that are not UTF-8 are replaced: every line stays JSON.
            names_.push_back(json_text(nlohmann::json(spec.name)));
        }
    }

    void departure(std::size_t flow, FlowId id, const Departure& departure) {
        out_ << fmt::format(R"({{"flow":{},"name":{},"seq":{},"offset_s":{},"size":{}}})"
                            "\n",
                            id.value, names_[flow], departure.seq, seconds(departure.offset), departure.size);
    }

    void summary(const std::vector<PaperFlow>& flows) {
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const DrawCounts draws = flows[i].draws();
            if (flows[i].greedy()) {
                out_ << fmt::format(
                    R"({{"summary":true,"flow":{},"name":{},"packets":null,"bytes":null,"mean_pps":null,)"
                    R"("mean_bps":null,"asked":"{}"}})"
                    "\n",
                    flows[i].id().value, names_[i], flows[i].pace());
                continue;
            }
            out_ << fmt::format(
                R"({{"summary":true,"flow":{},"name":{},"packets":{},"bytes":{},"mean_pps":{},"mean_bps":{},)"
                R"("gaps_raised":{},"gaps_redrawn":{},"sizes_raised":{},"sizes_lowered":{},"rate_over_time":{},"complete":{}}})"
                "\n",
                flows[i].id().value, names_[i], flows[i].packets(), flows[i].bytes(),
                number_or_null(flows[i].mean_pps()), number_or_null(flows[i].mean_bps()), draws.gaps_raised,
                draws.gaps_redrawn, draws.sizes_raised, draws.sizes_lowered,
                flows[i].rate_over_time().empty() ? "null" : json_text(nlohmann::json(flows[i].rate_over_time())),
                flows[i].complete());
        }
    }

private:
    std::ostream& out_;
    std::vector<std::string> names_;
};

struct NextDeparture {
    Departure departure;
    std::size_t flow;  ///< index; breaks ties, so that the order is the same every time
    bool operator>(const NextDeparture& other) const {
        return std::pair(departure.offset, flow) > std::pair(other.departure.offset, other.flow);
    }
};

template <typename Printer>
void print(std::ostream& out, const Experiment& experiment, std::uint64_t most_packets) {
    Printer printer(out, experiment);
    std::vector<PaperFlow> flows;
    std::priority_queue<NextDeparture, std::vector<NextDeparture>, std::greater<>> queue;
    for (const FlowSpec& spec : experiment.flows) {
        flows.emplace_back(spec, most_packets);
        if (const auto departure = flows.back().next()) {
            queue.push({*departure, flows.size() - 1});
        }
    }
    while (not queue.empty() and out) {
        const NextDeparture next = queue.top();
        queue.pop();
        printer.departure(next.flow, flows[next.flow].id(), next.departure);
        if (const auto departure = flows[next.flow].next()) {
            queue.push({*departure, next.flow});
        }
    }
    printer.summary(flows);
}

}  // namespace

void print_dry_run(std::ostream& out, const Experiment& experiment, DryRunFormat format,
                   std::uint64_t most_packets_per_flow) {
    if (format == DryRunFormat::text) {
        print<TextPrinter>(out, experiment, most_packets_per_flow);
    } else {
        print<JsonPrinter>(out, experiment, most_packets_per_flow);
    }
}

}  // namespace groma
