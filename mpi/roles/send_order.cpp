#include "mpi/roles/send_order.hpp"

#include "common/cli/thread_options.hpp"
#include "common/control/message_limits.hpp"
#include "common/json/json_record.hpp"
#include "common/model/flow/flow_json.hpp"
#include "common/model/flow/flow_settings.hpp"

namespace groma {

namespace {

constexpr UpTo kOrderText{4096};
constexpr unsigned kMostThreads = 256;
constexpr std::size_t kMostCores = 4096;

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, LogServerAddress>& server) {
    fields("host", server.host, kOrderText);
    fields("port", server.port, Within<std::uint16_t>{1, 65535});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SendOrder>& order) {
    fields("experiment", order.experiment.name, kOrderText);
    fields("seed", order.experiment.seed);
    fields.each("flows", order.experiment.flows, Most{kMaxFlows}, [](auto& one, auto& flow) {
        one("spec", flow);
        one("from", flow.from_host, kOrderText);
        one("to", flow.to_host, kOrderText);
    });
    fields("sender", order.sender, kOrderText);
    fields.require(order.sender.find_first_of(std::string_view("/\0", 2)) == std::string::npos,
                   "'sender' must be a text that can be part of a file's name");
    fields("threads", order.threads, Within{0U, kMostThreads});
    fields("pin", order.pin, Most{kMostCores});
    fields.as("realtime", order.realtime, parse_realtime);
    fields("wait_ns", order.wait, Within{Nanos::rep{0}, kLongestWait.count()});
    fields("local_logs", order.local_logs);
    fields.as_unless({}, "log_transport", order.log_transport, parse_log_transport);
    fields("log_server", order.log_server);
}

template void describe(JsonWriter&, const SendOrder&);
template void describe(JsonReader&, SendOrder&);

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
