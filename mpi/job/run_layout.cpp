#include "mpi/job/run_layout.hpp"

#include <algorithm>

#include "common/base/plain_text.hpp"
#include "common/json/json_record.hpp"
#include "mpi/roles/meeting_address.hpp"
#include "mpi/roles/sought_hosts.hpp"

namespace groma {

namespace {

LogTransport shipping_transport(JobLogTransport transport) {
    return transport == JobLogTransport::mpi   ? LogTransport::mpi
           : transport == JobLogTransport::udp ? LogTransport::udp
                                               : LogTransport::tcp;
}

}  // namespace

RunLayout::RunLayout(const std::vector<RankIdentity>& identities, const JobRun& run, const std::string& folder)
    : identities_(identities), run_(run) {
    for (const auto& [host, rank] : run.roles.rank_of) {
        rank_names_[rank].push_back(host.empty() ? "rank" + std::to_string(rank) : host);
    }
    for (const FlowSpec& flow : run.experiment.flows) {
        senders_.insert(rank_of(sender_of(flow)));
        receivers_.insert(rank_of(receiver_of(flow)));
        orders_[rank_of(sender_of(flow))].sends = true;
        place_receiver(flow);
    }
    if (with_log_server()) {
        place_log_server();
    }
    for (auto& [rank, order] : orders_) {
        order.run_id = run.run_id;
        order.folder = folder;
        order.mark = run.run_id;
        order.key = run.key;
        order.block_records = run.block_records;
        order.timeout = run.timeout;
    }
}

bool RunLayout::with_log_server() const {
    return run_.log_transport != JobLogTransport::local and run_.roles.log_server;
}

void RunLayout::place_receiver(const FlowSpec& flow) {
    const std::string host = receiver_of(flow);
    if (receiver_at_.contains(host)) {
        return;
    }
    std::set<int> clients;
    for (const FlowSpec& one : run_.experiment.flows) {
        if (receiver_of(one) == host) {
            clients.insert(rank_of(sender_of(one)));
        }
    }
    const std::string at = meeting_address(identity(rank_of(host)), identities_of(clients), flow.target.host);
    receiver_at_[host] = at;
    RankOrder& order = orders_[rank_of(host)];
    if (std::ranges::find(order.receives_at, at) == order.receives_at.end()) {
        order.receives_at.push_back(at);
    }
}

void RunLayout::place_log_server() {
    std::set<int> shippers = senders_;
    shippers.insert(receivers_.begin(), receivers_.end());
    const int server = *run_.roles.log_server;
    log_server_at_ = meeting_address(identity(server), identities_of(shippers), "");
    orders_[server].log_server_at = log_server_at_;
    for (const int shipper : shippers) {
        orders_[shipper].ships_to = run_.log_transport == JobLogTransport::mpi ? server : -1;
    }
}

void RunLayout::take_prepared(int rank, const nlohmann::json& answer) {
    constexpr Within<std::uint16_t> kPorts{1, 65535};
    if (const auto port = json_field<std::optional<std::uint16_t>>(answer, "log_server_port", kPorts)) {
        log_server_port_ = *port;
    }
    const auto port = json_field<std::optional<std::uint16_t>>(answer, "receiver_port", kPorts);
    if (not port) {
        return;
    }
    receiver_ports_[rank] = *port;
    for (const auto& [host, address] : receiver_at_) {
        if (rank_of(host) == rank) {
            receiver_ranks_[SocketAddress::from_literal(address, receiver_ports_.at(rank)).to_string()] = rank;
        }
    }
}

SendOrder RunLayout::send_order(int rank) const {
    SendOrder order{.experiment = experiment_of(rank),
                    .sender = sender_name(rank),
                    .threads = run_.threads,
                    .pin = run_.pin,
                    .realtime = run_.realtime,
                    .wait = run_.wait,
                    .local_logs = run_.local_logs or not with_log_server(),
                    .log_server = std::nullopt,
                    .log_transport = std::nullopt};
    if (with_log_server()) {
        order.log_transport = shipping_transport(run_.log_transport);
        if (order.log_transport != LogTransport::mpi) {
            order.log_server = LogServerAddress{log_server_at_, log_server_port_};
        }
    }
    return order;
}

Experiment RunLayout::experiment_of(int rank) const {
    Experiment experiment;
    experiment.name = run_.experiment.name;
    experiment.seed = run_.experiment.seed;
    for (FlowSpec flow : run_.experiment.flows) {
        if (rank_of(sender_of(flow)) == rank) {
            const std::string host = receiver_of(flow);
            flow.target.host = receiver_at_.at(host);
            flow.target.control_port = receiver_ports_.at(rank_of(host));
            experiment.flows.push_back(std::move(flow));
        }
    }
    return experiment;
}

std::vector<RankIdentity> RunLayout::identities_of(const std::set<int>& ranks) const {
    std::vector<RankIdentity> found;
    found.reserve(ranks.size());
    for (const int rank : ranks) {
        found.push_back(identity(rank));
    }
    return found;
}

std::string RunLayout::call(int rank) const {
    std::string names;
    if (const auto found = rank_names_.find(rank); found != rank_names_.end()) {
        for (const std::string& name : found->second) {
            names += name + ", ";
        }
    }
    return "rank " + std::to_string(rank) + " (" + plain_text(names) + "on " + plain_text(identity(rank).host) + ')';
}

std::string RunLayout::with_ranks_named(std::string text) const {
    for (const auto& [address, rank] : receiver_ranks_) {
        if (const std::size_t at = text.find(address); at != std::string::npos) {
            text.insert(at + address.size(), " (" + call(rank) + ")");
            break;
        }
    }
    return text;
}

}  // namespace groma
