#include "sender/daemon/daemon_session.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "common/access/first_messages.hpp"
#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr Role kRoleOfClients = role_to_begin(Server::daemon, "hello").value();

}  // namespace

DaemonSession::Step DaemonSession::on_message(DaemonMessage message, MonoTime now) {
    if (not greeted_) {
        return greet(message, now);
    }
    if (now >= deadline_) {
        throw RunError("the run was not asked for within " + human_time(starting_) +
                       " after 'hello' (give --timeout to both sides where all takes longer)");
    }
    if (auto* const more = std::get_if<RunFlows>(&message)) {
        take(*more);
        return Step::none;
    }
    if (auto* const request = std::get_if<RunRequest>(&message)) {
        request_ = std::move(*request);
        return Step::run;
    }
    throw UsageError("'" + std::string(type_name(message)) + "' has no place before 'run'");
}

DaemonSession::Step DaemonSession::greet(const DaemonMessage& message, MonoTime now) {
    const auto* const hello = std::get_if<RunHello>(&message);
    if (hello == nullptr) {
        throw UsageError(
            "'" + std::string(type_name(message)) +
            "' has no place before 'hello', which older releases did not send: install the same release on "
            "both hosts");
    }
    if (std::string lack = grant_ ? lack_in_words(*grant_, kRoleOfClients) : ""; not lack.empty()) {
        throw RunError(lack);
    }
    if (hello->version != kDaemonVersion) {
        throw UsageError("the client (" + plain_text(hello->program, 100) + ") speaks version " +
                         std::to_string(hello->version) + " and this daemon (groma-send " GROMA_VERSION ") version " +
                         std::to_string(kDaemonVersion) + ": install the same release on both hosts");
    }
    greeted_ = true;
    deadline_ = now + starting_;
    hello_ = *hello;
    return Step::welcome;
}

void DaemonSession::take(RunFlows& more) {
    if (more.flows.empty() or flows_.size() + more.flows.size() > limits_.max_flows) {
        throw UsageError("this daemon takes at most " + counted(limits_.max_flows, "flow") +
                         " in a run, and none of them empty-handed");
    }
    for (const FlowSpec& flow : more.flows) {
        value_bytes_ += value_bytes(flow);
    }
    if (value_bytes_ > kMaxValueBytes) {
        throw UsageError("the flows of the run have more than " + human_bytes(kMaxValueBytes) +
                         " of values (families 'file' and 'discrete'), which is more than a daemon takes");
    }
    flows_.insert(flows_.end(), std::make_move_iterator(more.flows.begin()), std::make_move_iterator(more.flows.end()));
}

}  // namespace groma
