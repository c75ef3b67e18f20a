#include "mpi/send_order.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/core_list.hpp"
#include "common/control/json_fields.hpp"
#include "common/model/flow_json.hpp"
#include "common/model/flow_settings.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestText = 4096;
constexpr std::uint64_t kLongestWaitNs = 60'000'000'000;
constexpr std::uint64_t kMostThreads = 256;

}  // namespace

json to_json(const SendOrder& order) {
    json flows = json::array();
    for (const FlowSpec& flow : order.experiment.flows) {
        flows.push_back({{"spec", to_json(flow)}, {"from", flow.from_host}, {"to", flow.to_host}});
    }
    json object = {{"experiment", order.experiment.name},
                   {"seed", order.experiment.seed},
                   {"flows", std::move(flows)},
                   {"sender", order.sender},
                   {"threads", order.threads},
                   {"pin", cores_to_string(order.pin)},
                   {"realtime", order.realtime},
                   {"wait_ns", order.wait.count()},
                   {"local_logs", order.local_logs}};
    if (order.log_transport) {
        object["log_transport"] = to_string(*order.log_transport);
    }
    if (order.log_server) {
        object["log_server"] = {{"host", order.log_server->host}, {"port", order.log_server->port}};
    }
    return object;
}

SendOrder send_order_from_json(const json& object) {
    const JsonFields fields(object);
    SendOrder order;
    order.experiment.name = fields.text("experiment", kLongestText);
    order.experiment.seed = fields.number("seed", 0, std::numeric_limits<std::uint64_t>::max());
    for (const json& one : fields.array("flows", kMaxFlows)) {
        const JsonFields flow(one);
        FlowSpec spec = flow_spec_from_json(flow.at("spec"));
        spec.from_host = flow.text("from", kLongestText);
        spec.to_host = flow.text("to", kLongestText);
        order.experiment.flows.push_back(std::move(spec));
    }
    order.sender = fields.text("sender", kLongestText);
    if (order.sender.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
        throw UsageError("'" + plain_text(order.sender, 100) + "' cannot be part of a file's name");
    }
    order.threads = static_cast<unsigned>(fields.number("threads", 0, kMostThreads));
    if (const std::string pin = fields.text("pin", kLongestText); not pin.empty()) {
        order.pin = parse_cores(pin);
    }
    order.realtime = fields.flag("realtime");
    order.wait = Nanos(static_cast<std::int64_t>(fields.number("wait_ns", 0, kLongestWaitNs)));
    order.local_logs = fields.flag("local_logs");
    if (fields.has("log_transport")) {
        order.log_transport = parse_log_transport(fields.text("log_transport", kLongestText));
    }
    if (fields.has("log_server")) {
        const JsonFields server(fields.at("log_server"));
        order.log_server = LogServerAddress{server.text("host", kLongestText),
                                            static_cast<std::uint16_t>(server.number("port", 1, 65535))};
    }
    return order;
}

SenderOptions sender_options(const SendOrder& order, const RunFolder& folder) {
    SenderOptions options;
    options.experiment = order.experiment;
    options.threads = order.threads;
    options.pin = order.pin;
    options.realtime = order.realtime;
    options.wait = order.wait;
    if (order.local_logs) {
        options.log = folder.logs() / ("sender-" + order.sender + ".glog");
        options.receiver_log = "receiver.glog";
    }
    options.log_server = order.log_server;
    options.receiver_log_server = order.log_server;
    options.log_transport = order.log_transport;
    options.receiver_log_transport = order.log_transport;
    options.spool_dir = folder.spool();
    return options;
}

}  // namespace groma
