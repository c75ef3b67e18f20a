#include "joint/reverse_runs.hpp"

#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "sender/daemon/daemon_runs.hpp"

namespace groma {

namespace {

/// Why the key does not allow a run, which the connection that asks for it and the one that calls in are a session each
/// of; empty: it does.
std::string excess_of_sessions(const std::optional<Grant>& grant) {
    const std::string why = grant ? refusal_in_words(*grant, Load{.sessions = 2}, Load{.sessions = 0}) : std::string();
    return why.empty() ? why : "a run in reverse takes two sessions: " + why;
}

class ReverseRuns final : public ReverseDesk {
public:
    ReverseRuns(DaemonRunsOptions options, boost::asio::io_context& io, Resolver& resolver, Clock& clock)
        : runs_(std::move(options), io, resolver, clock) {}

    boost::asio::awaitable<void> serve(ControlConnection& connection) override {
        return runs_.serve(connection, excess_of_sessions(connection.grant()));
    }
    std::string take_call(ControlConnection& connection, const std::string& name) override {
        return runs_.take_call(connection, name);
    }
    void stop() override { runs_.stop(); }

private:
    DaemonRuns runs_;
};

}  // namespace

OpenReverseDesk reverse_desk(const ReceiverOptions& options, Clock& clock) {
    if (options.reverse_runs == 0) {
        return nullptr;
    }
    const ReceiverServerOptions& server = options.server;
    const DaemonRunsOptions runs{.max_runs = options.reverse_runs,
                                 .limits = {.log_dir = server.log_dir,
                                            .spool = server.spool,
                                            .max_flows = server.max_flows,
                                            .reverse = true,
                                            .replace_logs = server.replace_logs,
                                            .log_servers = server.log_servers,
                                            .data_ports = server.data_ports},
                                 .who = "receiver",
                                 .serves = server.reach.in_words(),
                                 .max_runs_option = "groma-recv --reverse-runs N",
                                 .times = server.times,
                                 .shipping = server.shipping.times,
                                 .spool_budget = server.spool_budget,
                                 .key_logs = server.key_logs,
                                 .say = server.say,
                                 .audit = server.audit};
    return [runs, &clock](boost::asio::io_context& io, Resolver& resolver) -> std::unique_ptr<ReverseDesk> {
        return std::make_unique<ReverseRuns>(runs, io, resolver, clock);
    };
}

}  // namespace groma
