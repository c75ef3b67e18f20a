#include "joint/reverse_part.hpp"

#include <filesystem>
#include <utility>

#include "common/model/flow/flow_text.hpp"
#include "receiver/receiver_server.hpp"
#include "sender/plan/directions.hpp"

namespace groma {

std::string ReversePart::who() const {
    return "the receiver at " + to_string(peer());
}

/// What the host that sends is asked for: what is near here is far there.
SenderOptions ReversePart::far_options() const {
    SenderOptions far = options();
    far.log = options().receiver_log;
    far.receiver_log = log_file_here();
    far.log_server = options().receiver_log_server;
    far.receiver_log_server = options().log_server;
    far.log_transport = options().receiver_log_transport;
    far.receiver_log_transport = options().log_transport;
    far.experiment.required.clear();
    return far;
}

std::string ReversePart::log_file_here() const {
    return std::filesystem::path(options().log).filename().string();
}

decltype(JointRun::call) ReversePart::call() {
    return [this](const SocketAddress& sender, const std::string& name) { receive(sender, name); };
}

std::string ReversePart::end() {
    receiver_.reset();
    return last_said_.empty() ? "" : "the receiver here last said: " + last_said_;
}

void ReversePart::receive(const SocketAddress& sender, const std::string& name) {
    ReceiverServerOptions here;
    AskedSession asked{.run_id = run_id(),
                       .experiment = options().experiment.name,
                       .log_file = log_file_here(),
                       .log_transport = std::string(to_string(options().log_transport.value_or(LogTransport::tcp))),
                       .log_name_begins = std::string(kReceiverInReverse)};
    for (FlowSpec flow : options().experiment.flows) {
        flow.from_host.clear();  // which do not travel
        flow.to_host.clear();
        asked.flows.emplace(flow.id, std::move(flow));
    }
    if (options().log_server) {
        asked.log_server = to_string(*options().log_server);
    }
    here.max_flows = asked.flows.size();
    here.dial = DialOptions{
        .host = sender.host_to_string(),
        .port = sender.port(),
        .name = name,
        .once = true,
        .key = options().key ? options().key->offered_to(options().experiment.flows.front().target.host, sender)
                             : std::nullopt,
        .asked = std::move(asked)};
    const std::filesystem::path folder = std::filesystem::path(options().log).parent_path();
    here.log_dir = folder.empty() ? "." : folder;
    here.replace_logs = options().replace_log;
    here.threads.pin = options().pin;
    here.threads.realtime = options().realtime == Realtime::on ? Realtime::on : Realtime::off;
    here.say = [this](const std::string& line) {
        const std::lock_guard lock(said_mutex_);
        last_said_ = line;
    };
    here.block_records = options().block_records;
    here.times = options().times;
    here.spool = options().spool_dir;
    here.offer = options().offers();
    here.shipping.spool_bytes = options().shipping.spool_bytes;
    receiver_.emplace(std::move(here), clock());
}

}  // namespace groma
