#include "decoder/results/figures.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/stats/fidelity/requirement_figures.hpp"
#include "decoder/results/flow_tables.hpp"
#include "tests/figure_pages.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

const std::string kReference = std::string(GROMA_TEST_DATA) + "/../docs/reference/";

constexpr std::string_view kHead = R"(# Figures: names and meanings

Names, types and meanings of the figures of groma-dec. They are the same in results files
([sqlite-schema.md](sqlite-schema.md)), JSON, JSON lines and Octave
([decoder-output.md](decoder-output.md)); CSV has those of series. This page is made of the tables of
figures in the sources: `decoder_tests` fails where it differs, and writes it if `GROMA_WRITE_DOCS`
is set. [metrics.md](metrics.md) has formulas and sources. A name ends with the unit: `_ns`, `_s`,
`_bps` (bits per second), `_pps` (packets per second), `_ppm`, `_bytes`. What is unknown is `NULL` in
SQLite, `null` in JSON, empty in CSV: never zero.
)";

std::string page() {
    std::string page(kHead);
    describe_table(page, "Flows: which one, and its figures", flow_result_figures());
    describe_table(page, "Groups, and all flows together", total_figures());
    describe_table(page, "Series: an interval of a flow", series_figures());
    describe_table(page, "Runs", run_figures());
    describe_table(page, "Logs", log_figures());
    describe_table(page, "Unreadable pieces of logs", log_gap_figures());
    describe_table(page, "Events in logs", log_event_figures());
    describe_table(page, "Requirements", requirement_figures());
    describe_table(page, "Round trips", round_trip_figures());
    describe_table(page, "Transmit stamps", transmit_figures());
    describe_table(page, "Connections: a side of one", connection_figures());
    describe_table(page, "Samples of connections", sample_figures());
    describe_table(page, "Header fields of arrivals", header_count_figures());
    describe_table(page, "n-reordering", n_reordering_figures());
    describe_table(page, "Reorder density", reorder_density_figures());
    describe_table(page, "Gaps of departures and arrivals, by how many", gap_scale_figures());
    describe_table(page, "Steps of clocks", clock_step_figures());
    describe_table(page, "Counters", counter_figures());
    describe_table(page, "Histograms: a bin of one", histogram_figures());
    describe_table(page, "Gaps as asked for", asked_gap_figures());
    return page;
}

template <typename Record>
Schema list_schema(const FigureTable<Record>& figures) {
    return array_schema(figures_schema(figures));
}

Schema counters_schema() {
    return {{"type", {"object", "null"}}, {"additionalProperties", {{"type", "integer"}}}};
}

Schema connections_schema() {
    Schema connection = figure_properties(connection_figures());
    connection["samples"] = list_schema(sample_figures());
    return array_schema(object_schema(connection));
}

Schema flow_schema() {
    Schema flow = figure_properties(flow_result_figures());
    flow["sent_counters"] = counters_schema();
    flow["received_counters"] = counters_schema();
    flow["notes"] = array_schema(text_schema());
    for_each_flow_table([&](const FlowTableName& name, const auto& figures, auto records_of) {
        if (name.json != nullptr) {
            constexpr bool kOne = std::is_pointer_v<std::invoke_result_t<decltype(records_of), const FlowResult&>>;
            flow[name.json] = kOne ? figures_schema(figures, true) : list_schema(figures);
        }
    });
    flow["connections"] = connections_schema();
    return object_schema(flow);
}

Schema total_properties() {
    Schema total = figure_properties(total_figures());
    total["series"] = list_schema(series_figures());
    return total;
}

Schema group_schema() {
    const Schema member = {{"flow", {{"type", "integer"}}}, {"receiver", {{"type", "integer"}}}};
    Schema group{{"name", text_schema()}, {"members", array_schema(object_schema(member))}};
    group.update(total_properties());
    Schema schema = object_schema(group);
    for (const GroupKey key : {GroupKey::hosts, GroupKey::transport, GroupKey::profile, GroupKey::label}) {
        schema["properties"][std::string(to_string(key))] = text_schema();
    }
    return schema;
}

Schema run_schema() {
    Schema run = figure_properties(run_figures());
    run["clock_steps"] = list_schema(clock_step_figures());
    Schema log = figure_properties(log_figures());
    log["gaps"] = list_schema(log_gap_figures());
    log["events"] = list_schema(log_event_figures());
    run["logs"] = array_schema(object_schema(log));
    run["flows"] = array_schema(flow_schema());
    run["total"] = object_schema(total_properties());
    run["groups"] = array_schema(group_schema());
    run["requirements"] = list_schema(requirement_figures());
    return object_schema(run);
}

TEST(FigureTables, AreWhatTheirPageSays) {
    expect_written(kReference + "figures.md", page());
}

TEST(FigureTables, AreInTheSchemaOfTheJsonReport) {
    expect_written(kReference + "groma-dec.schema.json",
                   schema_text("groma-dec --json", {{"schema", {{"const", "groma-dec 2"}}},
                                                    {"program", text_schema()},
                                                    {"complete", {{"type", "boolean"}}},
                                                    {"warnings", array_schema(text_schema())},
                                                    {"runs", array_schema(run_schema())}}));
}

TEST(FigureTables, HaveEachNameOnce) {
    std::set<std::string> names;
    for (const Figure<FlowResult>& figure : flow_result_figures()) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        EXPECT_FALSE(figure.meaning.empty()) << figure.name;
    }
}

TEST(FigureTables, KnowNothingOfAFlowWithoutLogs) {
    const FlowFigures nothing;
    for (const Figure<FlowFigures>& figure : flow_figures()) {
        if (figure.name != "clock") {
            EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.of(nothing))) << figure.name;
        }
    }
}

}  // namespace
}  // namespace groma
