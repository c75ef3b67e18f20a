#include "common/log/run_metadata.hpp"

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/log/json_fields.hpp"
#include "common/log/log_json.hpp"
#include "common/model/flow_json.hpp"

namespace groma {

std::string_view to_string(LogRole role) {
    return role == LogRole::sender ? "sender" : "receiver";
}

namespace {

LogRole role_field(const nlohmann::json& object) {
    const std::string role = text_field(object, "role");
    if (role != "sender" and role != "receiver") {
        throw UsageError("field \"role\" is neither \"sender\" nor \"receiver\"");
    }
    return role == "sender" ? LogRole::sender : LogRole::receiver;
}

nlohmann::json to_json(const FlowSetup& flow) {
    return {{"spec", to_json(flow.spec)},
            {"local_address", cut_text(flow.local_address)},
            {"remote_address", cut_text(flow.remote_address)}};
}

FlowSetup flow_setup_from_json(const nlohmann::json& object) {
    if (not object.is_object() or not object.contains("spec")) {
        throw UsageError("field \"flows\" holds something that is not a flow");
    }
    return {.spec = flow_spec_from_json(object.at("spec")),
            .local_address = text_field(object, "local_address"),
            .remote_address = text_field(object, "remote_address")};
}

nlohmann::json without_flows(const RunMetadata& metadata) {
    nlohmann::json object = {{"run_id", cut_text(metadata.run_id)},
                             {"experiment", cut_text(metadata.experiment)},
                             {"role", to_string(metadata.role)},
                             {"host", cut_text(metadata.host)},
                             {"boot_id", cut_text(metadata.boot_id)},
                             {"program", cut_text(metadata.program)},
                             {"timestamps", cut_text(metadata.timestamps)},
                             {"started_at_ns", ns_since_epoch(metadata.started_at)},
                             {"seed", metadata.seed},
                             {"flows", nlohmann::json::array()}};
    if (metadata.clock) {
        object["clock"] = to_json(*metadata.clock);
    }
    return object;
}

}  // namespace

nlohmann::json to_json(const RunMetadata& metadata) {
    nlohmann::json object = without_flows(metadata);
    for (const FlowSetup& flow : metadata.flows) {
        object["flows"].push_back(to_json(flow));
    }
    return object;
}

void append_json(const RunMetadata& metadata, std::vector<std::byte>& out) {
    append_json_of_flows(
        without_flows(metadata), metadata.flows.size(),
        [&metadata](std::size_t i) { return to_json(metadata.flows[i]); }, out);
}

RunMetadata run_metadata_from_json(const nlohmann::json& object) {
    RunMetadata metadata{.run_id = text_field(object, "run_id"),
                         .experiment = text_field(object, "experiment"),
                         .role = role_field(object),
                         .host = text_field(object, "host"),
                         .boot_id = text_field(object, "boot_id"),
                         .program = text_field(object, "program"),
                         .timestamps = text_field(object, "timestamps"),
                         .started_at = time_field(object, "started_at_ns"),
                         .seed = count_field(object, "seed"),
                         .flows = {}};
    if (object.contains("clock")) {
        metadata.clock = clock_health_from_json(object["clock"]);
    }
    for (const auto& flow : array_field(object, "flows", kMaxLogFlows)) {
        metadata.flows.push_back(flow_setup_from_json(flow));
    }
    return metadata;
}

}  // namespace groma
