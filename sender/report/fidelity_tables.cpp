#include "sender/report/fidelity_tables.hpp"

#include <fmt/format.h>

#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::size_t kIndent = 2;
constexpr int kRateDigits = 7;
constexpr double kKilo = 1e3;

std::string rate_text(std::optional<double> rate, double unit = 1) {
    return rate ? significant(*rate / unit, kRateDigits) : "-";
}

std::string microseconds(const LogHistogram& histogram, double fraction) {
    return histogram.count() == 0 ? "-" : significant(static_cast<double>(histogram.percentile(fraction)) / 1e3);
}

std::string ratio(const Fidelity& fidelity) {
    const auto asked = fidelity.scheduled_pps();
    const auto sent = fidelity.sent_pps();
    return asked and sent ? fmt::format("{:.5f}", *sent / *asked) : "-";
}

std::string rates(const std::vector<FidelityRow>& rows) {
    Table table({{"flow", Align::left},
                 {"nominal [pps]"},
                 {"asked [pps]"},
                 {"sent [pps]"},
                 {"ratio"},
                 {"asked [kbit/s]"},
                 {"sent [kbit/s]"}});
    for (const FidelityRow& row : rows) {
        const Fidelity& f = *row.fidelity;
        table.add_row({row.name, rate_text(row.nominal_pps), f.greedy ? "max" : rate_text(f.scheduled_pps()),
                       rate_text(f.sent_pps()), ratio(f), f.greedy ? "max" : rate_text(f.scheduled_bps(), kKilo),
                       rate_text(f.sent_bps(), kKilo)});
    }
    return table.to_string(kIndent);
}

std::string lateness(const std::vector<FidelityRow>& rows) {
    Table table({{"flow", Align::left},
                 {"late p50 [us]"},
                 {"p90"},
                 {"p99"},
                 {"p99.9"},
                 {"max"},
                 {"alone"},
                 {"in batches"},
                 {"largest"},
                 {"behind [ms]"}});
    for (const FidelityRow& row : rows) {
        const Fidelity& f = *row.fidelity;
        const auto late = [&f](double fraction) { return f.greedy ? "-" : microseconds(f.lateness_ns, fraction); };
        table.add_row({row.name, late(0.5), late(0.9), late(0.99), late(0.999), late(1), std::to_string(f.alone),
                       std::to_string(f.batched), std::to_string(f.largest_batch),
                       f.greedy ? "-" : significant(static_cast<double>(f.behind.count()) / 1e6)});
    }
    return table.to_string(kIndent);
}

/// Gaps against what was asked for; the last columns are of flows whose gaps follow a continuous distribution.
std::string gaps(const std::vector<FidelityRow>& rows) {
    Table table({{"flow", Align::left},
                 {"gap error p50 [us]"},
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
    for (const FidelityRow& row : rows) {
        const Fidelity& f = *row.fidelity;
        const LogHistogram& off = f.gap_error_ns;
        if (off.count() == 0) {
            table.add_row({row.name, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
            continue;
        }
        std::vector<std::string> cells{row.name,
                                       microseconds(off, 0.5),
                                       microseconds(off, 0.9),
                                       microseconds(off, 0.99),
                                       microseconds(off, 1),
                                       f.gap_variation ? significant(*f.gap_variation) : "-"};
        if (f.fit) {
            cells.insert(
                cells.end(),
                {std::to_string(f.fit->gaps), std::to_string(f.fit->bins), fmt::format("{:.5f}", f.fit->lambda2),
                 fmt::format("{:.5f}", f.fit->lambda2_error), ks_text(*f.fit), significant(f.fit->a2)});
        } else {
            cells.insert(cells.end(), {"-", "-", "-", "-", "-", "-"});
        }
        table.add_row(std::move(cells));
    }
    return table.to_string(kIndent);
}

}  // namespace

std::string fidelity_tables(const std::vector<FidelityRow>& rows) {
    return rates(rows) + '\n' + lateness(rows) + '\n' + gaps(rows);
}

}  // namespace groma
