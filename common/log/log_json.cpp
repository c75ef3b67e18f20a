#include "common/log/log_json.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/json_fields.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxCounters = 1000;
constexpr int kMaxDepth = 16;
/// A value takes some 16 to 100 bytes once it is parsed, and as little as 2 in the text.
constexpr std::size_t kMaxValues = std::size_t{64} * kMaxLogFlows;

double real_field(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() or not found->is_number()) {
        throw UsageError(std::string("\"").append(name).append("\" is not a number"));
    }
    return found->get<double>();
}

nlohmann::json to_json(const FlowTotals& flow) {
    nlohmann::json counters = nlohmann::json::array();  // not an object: they keep their order
    for (const auto& [name, value] : flow.counters) {
        counters.push_back({{"name", cut_text(name)}, {"value", value}});
    }
    nlohmann::json object = {
        {"flow", flow.flow.value}, {"packets", flow.packets},           {"bytes", flow.bytes},
        {"records", flow.records}, {"records_lost", flow.records_lost}, {"counters", std::move(counters)}};
    if (not flow.figures.empty()) {
        nlohmann::json& figures = object["figures"] = nlohmann::json::array();
        for (const auto& [name, value] : flow.figures) {
            figures.push_back({{"name", cut_text(name)}, {"value", value}});
        }
    }
    return object;
}

std::string text_of(const nlohmann::json& object) {
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append(std::string_view text, std::vector<std::byte>& out) {
    const auto bytes = std::as_bytes(std::span(text));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

nlohmann::json without_flows(const LogTotals& totals) {
    return {{"ended_at_ns", ns_since_epoch(totals.ended_at)},
            {"end", cut_text(totals.end)},
            {"flows", nlohmann::json::array()}};
}

FlowTotals flow_totals_from_json(const nlohmann::json& object) {
    FlowTotals flow{.flow = flow_field(object, "flow"),
                    .packets = count_field(object, "packets"),
                    .bytes = count_field(object, "bytes"),
                    .records = count_field(object, "records"),
                    .records_lost = count_field(object, "records_lost"),
                    .counters = {}};
    for (const auto& counter : array_field(object, "counters", kMaxCounters)) {
        flow.counters.emplace_back(text_field(counter, "name"), count_field(counter, "value"));
    }
    if (object.contains("figures")) {
        for (const auto& figure : array_field(object, "figures", kMaxCounters)) {
            flow.figures.emplace_back(text_field(figure, "name"), real_field(figure, "value"));
        }
    }
    return flow;
}

}  // namespace

nlohmann::json to_json(const ClockProbe& probe) {
    return {{"sent_ns", ns_since_epoch(probe.sent)},         {"received_ns", ns_since_epoch(probe.received)},
            {"answered_ns", ns_since_epoch(probe.answered)}, {"returned_ns", ns_since_epoch(probe.returned)},
            {"peer_host", cut_text(probe.peer_host)},        {"peer_boot_id", cut_text(probe.peer_boot_id)}};
}

nlohmann::json to_json(const LogEvent& event) {
    nlohmann::json object{
        {"at_ns", ns_since_epoch(event.at)}, {"kind", cut_text(event.kind)}, {"text", cut_text(event.text)}};
    if (event.flow) {
        object["flow"] = event.flow->value;
    }
    return object;
}

nlohmann::json to_json(const LogTotals& totals) {
    nlohmann::json object = without_flows(totals);
    for (const FlowTotals& flow : totals.flows) {
        object["flows"].push_back(to_json(flow));
    }
    return object;
}

ClockProbe clock_probe_from_json(const nlohmann::json& object) {
    return {.sent = time_field(object, "sent_ns"),
            .received = time_field(object, "received_ns"),
            .answered = time_field(object, "answered_ns"),
            .returned = time_field(object, "returned_ns"),
            .peer_host = text_field(object, "peer_host"),
            .peer_boot_id = text_field(object, "peer_boot_id")};
}

LogEvent log_event_from_json(const nlohmann::json& object) {
    LogEvent event{.at = time_field(object, "at_ns"),
                   .flow = std::nullopt,
                   .kind = text_field(object, "kind"),
                   .text = text_field(object, "text")};
    if (object.contains("flow")) {
        event.flow = flow_field(object, "flow");
    }
    return event;
}

LogTotals log_totals_from_json(const nlohmann::json& object) {
    LogTotals totals{.ended_at = time_field(object, "ended_at_ns"), .end = text_field(object, "end"), .flows = {}};
    for (const auto& flow : array_field(object, "flows", kMaxLogFlows)) {
        totals.flows.push_back(flow_totals_from_json(flow));
    }
    return totals;
}

void append_json(const nlohmann::json& object, std::vector<std::byte>& out) {
    append(text_of(object), out);
}

void append_json_of_flows(const nlohmann::json& object, std::size_t flows,
                          const std::function<nlohmann::json(std::size_t)>& flow, std::vector<std::byte>& out) {
    constexpr std::string_view kNoFlows = "\"flows\":[]";  // nowhere else: quotes within texts are escaped
    const std::string text = text_of(object);
    const std::size_t place = text.find(kNoFlows);
    check(place != std::string::npos, "an object with an empty array of flows");
    const std::size_t inside = place + kNoFlows.size() - 1;
    append(std::string_view(text).substr(0, inside), out);
    for (std::size_t i = 0; i < flows; ++i) {
        append(i == 0 ? "" : ",", out);
        append(text_of(flow(i)), out);
    }
    append(std::string_view(text).substr(inside), out);
}

void append_json(const LogTotals& totals, std::vector<std::byte>& out) {
    append_json_of_flows(
        without_flows(totals), totals.flows.size(), [&totals](std::size_t i) { return to_json(totals.flows[i]); }, out);
}

nlohmann::json parse_log_json(std::span<const std::byte> text) {
    std::size_t values = 0;
    const auto within_bounds = [&values](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        if (depth > kMaxDepth or ++values > kMaxValues) {
            throw UsageError("the JSON is larger than any of a log");
        }
        return true;
    };
    const auto* first = reinterpret_cast<const char*>(text.data());
    try {
        return nlohmann::json::parse(first, first + text.size(), within_bounds);
    } catch (const nlohmann::json::exception& error) {
        throw UsageError(std::string("not JSON: ") + error.what());
    }
}

}  // namespace groma
