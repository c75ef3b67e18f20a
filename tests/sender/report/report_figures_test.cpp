#include "sender/report/report_figures.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "common/stats/clock/clock_step_figures.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "tests/figure_pages.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

const std::string kReference = std::string(GROMA_TEST_DATA) + "/../docs/reference/";

constexpr std::string_view kHead = R"(# Figures of the sender's report

Names, types and meanings of the figures in `groma-send --json` ([report-json.md](report-json.md)).
Where groma-dec has the same figure, it has the same name ([figures.md](figures.md)). This page is
made of the tables of figures in the sources: `sender_tests` fails where it differs, and writes it if
`GROMA_WRITE_DOCS` is set. What is unknown is `null`, never zero.
)";

std::string page() {
    std::string page(kHead);
    describe_table(page, "A flow, and all flows together", outcome_figures());
    describe_table(page, "A receiver of a flow to several", received_figures());
    describe_table(page, "Round trips", returned_figures());
    describe_table(page, "The run", send_run_figures());
    describe_table(page, "Steps of this host's clock", own_step_figures());
    describe_table(page, "Drops by the sender's queues", queue_drop_figures());
    describe_table(page, "Receivers", receiver_figures());
    describe_table(page, "Steps of a receiver's clock", clock_step_figures());
    describe_table(page, "Requirements", requirement_figures());
    return page;
}

Schema integer() {
    return {{"type", "integer"}};
}

Schema or_null(Schema schema) {
    schema["type"] = {schema["type"], "null"};
    return schema;
}

Schema texts(std::initializer_list<const char*> names) {
    Schema properties = Schema::object();
    for (const char* name : names) {
        properties[name] = text_schema();
    }
    return properties;
}

Schema gro() {
    return object_schema({{"packets", integer()}, {"since_ns", integer()}, {"why", text_schema()}}, true);
}

Schema result_of(std::initializer_list<const char*> words) {
    Schema properties = texts({"text"});
    properties["result"] = {{"enum", words}};
    return properties;
}

Schema verdict() {
    return result_of({"as_asked", "within", "not_as_asked"});
}

Schema with_figures(Schema properties) {
    properties.update(figure_properties(outcome_figures()));
    properties["gro"] = gro();
    properties["no_fit_because"] = or_null(text_schema());
    properties["round_trip"] = figures_schema(returned_figures(), true);
    return properties;
}

Schema flow() {
    Schema properties = texts({"name", "transport", "profile", "idt", "size", "target", "from_host", "direction",
                               "local_address", "remote_address", "departure", "lateness_policy", "error"});
    properties["flow"] = integer();
    properties["sealed"] = {{"type", "boolean"}};
    properties["end"] = {{"enum", {"complete", "cut_short", "interrupted", "failed"}}};
    properties["warnings"] = array_schema(text_schema());
    properties["verdict"] = object_schema(verdict());
    properties["state"] = properties["on_periods"] = properties["off_periods"] = properties["rate_over_time"] =
        or_null(text_schema());
    properties["response"] = properties["think"] = properties["requests_per_connection"] = or_null(text_schema());
    properties["in_flight"] = properties["response_timeout_ns"] = or_null(integer());
    properties["nominal_pps"] = properties["realised_pps"] = or_null({{"type", "number"}});
    properties["no_schedule_because"] = or_null(text_schema());
    properties["notes"] = array_schema(text_schema());
    Schema receiver{{"address", text_schema()}, {"state", or_null(text_schema())}, {"gro", gro()}};
    receiver.update(figure_properties(received_figures()));
    properties["receivers"] = array_schema(object_schema(receiver));
    return object_schema(with_figures(properties));
}

Schema shipment() {
    Schema properties = texts({"to", "last_error"});
    for (const char* count : {"reconnections", "largest_backlog_bytes", "not_spooled_pieces"}) {
        properties[count] = integer();
    }
    return object_schema(properties, true);
}

Schema run() {
    Schema properties = figure_properties(send_run_figures());
    properties["clock_steps"] = array_schema(figures_schema(own_step_figures()));
    properties["queue_drops"] = array_schema(figures_schema(queue_drop_figures()));
    properties["pacing"] = object_schema({{"threads", integer()},
                                          {"pinned", array_schema(integer())},
                                          {"realtime", {{"type", "boolean"}}},
                                          {"warnings", array_schema(text_schema())}});
    return object_schema(properties);
}

Schema receiver() {
    Schema properties = figure_properties(receiver_figures());
    properties["clock_steps"] = array_schema(figures_schema(clock_step_figures()));
    properties["shipment"] = shipment();
    return object_schema(properties);
}

Schema log(bool or_none) {
    Schema properties = texts({"name", "error"});
    properties["records"] = integer();
    properties["bytes"] = integer();
    properties["shipment"] = shipment();
    return object_schema(properties, or_none);
}

Schema report() {
    Schema whole = verdict();
    whole["causes"] = array_schema(text_schema());
    return {{"schema", {{"const", "groma-send 2"}}},
            {"program", text_schema()},
            {"run", run()},
            {"verdict", object_schema(whole)},
            {"network", object_schema(result_of({"unknown", "all", "lossy", "nothing"}))},
            {"result", text_schema()},
            {"requirements", array_schema(figures_schema(requirement_figures()))},
            {"errors", array_schema(text_schema())},
            {"total", object_schema(with_figures({{"flows", integer()}}))},
            {"flows", array_schema(flow())},
            {"receivers", array_schema(receiver())},
            {"log", log(true)},
            {"remote_logs", array_schema(log(false))}};
}

TEST(ReportFigures, AreWhatTheirPageSays) {
    expect_written(kReference + "report-figures.md", page());
}

TEST(ReportFigures, AreInTheSchemaOfTheJsonReport) {
    expect_written(kReference + "groma-send.schema.json", schema_text("groma-send --json", report()));
}

TEST(ReportFigures, HaveEachNameOnce) {
    std::set<std::string> names;
    for (const Figure<OutcomeCounts>& figure : outcome_figures()) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        EXPECT_FALSE(figure.meaning.empty()) << figure.name;
    }
}

TEST(ReportFigures, OfReceiversAreUnknownWithoutTheirResults) {
    for (const Figure<ReceivedCounts>& figure : received_figures()) {
        EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.of({}))) << figure.name;
    }
}

}  // namespace
}  // namespace groma
