#include "decoder/html/html_origin.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "common/base/counted.hpp"
#include "common/json/json_record.hpp"
#include "common/model/flow/flow_json.hpp"
#include "decoder/html/html.hpp"
#include "decoder/text/shown_flows.hpp"
#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostLines = 100;
constexpr std::size_t kMostLogs = 200;
constexpr std::size_t kMostSpecBytes = 200'000;

std::string clock_text(const std::optional<ClockHealth>& clock) {
    if (not clock) {
        return kUnknown;
    }
    return fmt::format("{}, error at most {}", clock->synchronised ? "synchronised" : "not synchronised",
                       human_time(clock->maximum_error));
}

std::string logs(const RunResult& run) {
    HtmlTable table({"log", "role", "host", "program", "timestamps", "kernel clock", "records", "end"},
                    {0, 1, 2, 3, 4, 5, 7});
    for (std::size_t i = 0; i < std::min(run.logs.size(), kMostLogs); ++i) {
        const LogResult& log = run.logs[i];
        table.add_row({log.path, std::string(to_string(log.metadata.role)), log.metadata.host, log.metadata.program,
                       log.metadata.timestamps, clock_text(log.metadata.clock), std::to_string(log.records),
                       log.describe_end()});
    }
    return table.to_string() +
           (run.logs.size() > kMostLogs ? fmt::format("<p>and {} more logs</p>\n", run.logs.size() - kMostLogs) : "");
}

/// Each state of the flows' clocks once, with how many flows have it.
std::string clocks(const RunResult& run) {
    std::map<std::string, std::size_t> states;
    for (const FlowResult& flow : run.flows) {
        ++states[describe(flow.clock)];
    }
    HtmlTable table({"receiver's clock against the sender's", "flows"});
    std::size_t rows = 0;
    for (const auto& [state, flows] : states) {
        if (++rows <= kMostLines) {
            table.add_row({state, std::to_string(flows)});
        }
    }
    return table.to_string();
}

/// A list of sentences, cut.
class Lines {
public:
    void add(const std::string& line) {
        if (++lines_ <= kMostLines) {
            text_ += "<li>" + html_text(line) + "</li>\n";
        }
    }
    [[nodiscard]] std::string under(const char* heading) const {
        if (lines_ == 0) {
            return {};
        }
        const std::string more =
            lines_ > kMostLines ? fmt::format("<li>and {} more</li>\n", lines_ - kMostLines) : std::string();
        return fmt::format("<h3>{}</h3>\n<ul>\n{}{}</ul>\n", heading, text_, more);
    }

private:
    std::string text_;
    std::size_t lines_ = 0;
};

}  // namespace

std::string html_origin(const RunResult& run) {
    HtmlTable about({"run", ""}, {0, 1});
    about.add_row({"id", run.run_id});
    about.add_row({"experiment", run.experiment});
    about.add_row({"started", utc_text(run.started_at)});
    about.add_row({"seed", std::to_string(run.seed)});
    about.add_row({"interval of the series", human_time(run.interval)});
    return html_section("How it was measured",
                        about.to_string() + "<h3>Logs</h3>\n" + logs(run) + "<h3>Clocks</h3>\n" + clocks(run));
}

std::string html_errors(const RunResult& run) {
    Lines damage;
    Lines events;
    Lines notes;
    for (const LogResult& log : run.logs) {
        if (not log.totals) {
            damage.add(log.path + ": cut short, totals missing");
        }
        for (const LogGap& gap : log.gaps) {
            damage.add(fmt::format("{}: {} at {} cannot be read: {}", log.path, counted(gap.bytes, "byte"), gap.offset,
                                   gap.reason));
        }
        for (const LogEvent& event : log.events) {
            events.add(fmt::format("{} {}{}: {}: {}", utc_text(event.at), log.path,
                                   event.flow ? fmt::format(", flow {}", event.flow->value) : "", event.kind,
                                   event.text));
        }
    }
    for (const FlowResult& flow : run.flows) {
        for (const std::string& note : flow.notes) {
            notes.add("flow " + label(flow) + ": " + note);
        }
    }
    return html_section("To know", damage.under("Damage") + notes.under("Notes") + events.under("Events"));
}

std::string html_flow_specs(const RunResult& run) {
    if (run.flows.size() > kMostShownFlows) {
        return {};
    }
    std::string text;
    for (const FlowResult& flow : run.flows) {
        if (flow.receiver_number == 1) {
            text += json_text(to_json(flow.spec), 2) + '\n';
        }
    }
    return fmt::format(
        "<details><summary>Flows with all their options, as the logs have them</summary>\n<pre>{}</pre>\n"
        "</details>\n",
        html_lines(text, kMostSpecBytes));
}

}  // namespace groma
