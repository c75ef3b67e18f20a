#include "mpi/job_leader.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/json_fields.hpp"
#include "common/log/log_name.hpp"
#include "common/os/host.hpp"
#include "mpi/lent_files.hpp"
#include "mpi/meeting_address.hpp"
#include "mpi/report_codec.hpp"
#include "mpi/send_order.hpp"

namespace groma {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Nanos kMeetLimit = seconds(60);
constexpr Nanos kPrepareLimit = seconds(20);
/// A sender that is about to fail says so itself before this.
constexpr Nanos kReadyLimit = seconds(40);
constexpr Nanos kAnswerLimit = seconds(20);
constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kLongestText = 4096;
constexpr Nanos kForever = std::chrono::hours(24 * 365);
/// For a message to reach every rank before the common start.
constexpr Nanos kStartMargin = milliseconds(50);
/// From the first bad news until others have had time to tell theirs.
constexpr Nanos kMoreNews = milliseconds(300);
/// So often what was measured so far is kept.
constexpr Nanos kKeepInterval = seconds(1);
/// How long the steps of the end may take, one after the other: after all went well (logs may still be on their way),
/// after something failed, and when mpirun is about to end the job (it gives a rank a second).
struct EndLimits {
    Nanos results;
    Nanos senders;
    Nanos receivers;
    Nanos log_server;
};
constexpr EndLimits kAfterSuccess{seconds(60), seconds(60), seconds(60), seconds(20)};
constexpr EndLimits kAfterFailure{seconds(2), seconds(2), seconds(2), seconds(2)};
constexpr EndLimits kInAHurry{milliseconds(250), milliseconds(150), milliseconds(200), milliseconds(150)};

JobRanks::Patience patience(const EndLimits& limits, Nanos EndLimits::*step) {
    return {limits.*step, kInAHurry.*step};
}

LogTransport shipping_transport(JobLogTransport transport) {
    return transport == JobLogTransport::mpi   ? LogTransport::mpi
           : transport == JobLogTransport::udp ? LogTransport::udp
                                               : LogTransport::tcp;
}

/// One run, on its way.
class Run {
public:
    Run(JobRanks& ranks, const std::vector<RankIdentity>& identities, const JobRun& run)
        : ranks_(ranks), identities_(identities), run_(run), folder_(RunFolder::make(run.folder, run.run_id)) {
        for (const auto& [host, rank] : run.roles.rank_of) {
            rank_names_[rank].push_back(host.empty() ? "rank" + std::to_string(rank) : host);
        }
        for (const FlowSpec& flow : run.experiment.flows) {
            senders_.insert(rank_of(sender_of(flow)));
            receivers_.insert(rank_of(receiver_of(flow)));
        }
    }

    [[nodiscard]] JobReport run() {
        ranks_.forget();
        if (prepare() and begin() and start()) {
            send();
        }
        end();
        return report();
    }

    /// A rank did not end in time.
    [[nodiscard]] bool stuck() const { return stuck_; }

private:
    [[nodiscard]] int rank_of(const std::string& host) const { return run_.roles.rank_of.at(host); }
    [[nodiscard]] const RankIdentity& identity(int rank) const { return identities_[static_cast<std::size_t>(rank)]; }

    [[nodiscard]] std::vector<RankIdentity> identities_of(const std::set<int>& ranks) const {
        std::vector<RankIdentity> found;
        found.reserve(ranks.size());
        for (const int rank : ranks) {
            found.push_back(identity(rank));
        }
        return found;
    }

    /// "rank 2 (beta, on node7)".
    [[nodiscard]] std::string call(int rank) const {
        std::string names;
        if (const auto found = rank_names_.find(rank); found != rank_names_.end()) {
            for (const std::string& name : found->second) {
                names += name + ", ";
            }
        }
        return "rank " + std::to_string(rank) + " (" + plain_text(names) + "on " + plain_text(identity(rank).host) +
               ')';
    }

    void trouble(int rank, const std::string& what) { troubles_.push_back(call(rank) + ": " + with_ranks_named(what)); }

    /// Says which rank is meant by the address of a receiver.
    [[nodiscard]] std::string with_ranks_named(std::string text) const {
        for (const auto& [address, rank] : receiver_ranks_) {
            if (const std::size_t at = text.find(address); at != std::string::npos) {
                text.insert(at + address.size(), " (" + call(rank) + ")");
                break;
            }
        }
        return text;
    }

    void hear_failures() {
        while (const auto failed = ranks_.take_any("failed")) {
            trouble(failed->first, failed->second.value("what", "failed"));
        }
        for (const std::string& kind : {std::string("closed"), std::string("log_server_closed")}) {
            for (int rank = 0; rank < ranks_.size() and not ending_; ++rank) {
                if (auto body = ranks_.take(rank, kind)) {
                    trouble(rank, body->value("error", "ended before the run did"));
                }
            }
        }
    }

    /// Waits for something from each of the ranks; ends early when anything fails.
    bool await_all(const std::set<int>& from, const std::string& kind, Nanos limit) {
        const bool all = ranks_.await(
            [&] {
                hear_failures();
                return not troubles_.empty() or
                       std::ranges::all_of(from, [&](int rank) { return ranks_.has(rank, kind); });
            },
            limit);
        if (not troubles_.empty()) {
            ranks_.await(
                [this] {
                    hear_failures();
                    return false;
                },
                kMoreNews);
            return false;
        }
        if (not all and not ranks_.interrupted()) {
            for (const int rank : from) {
                if (not ranks_.has(rank, kind)) {
                    trouble(rank, "does not answer (waited for '" + kind + "'): is its host overloaded?");
                }
            }
        }
        return all;
    }

    [[nodiscard]] bool with_log_server() const {
        return run_.log_transport != JobLogTransport::local and run_.roles.log_server;
    }

    bool prepare() {
        std::map<int, RankOrder> orders;
        for (const FlowSpec& flow : run_.experiment.flows) {
            orders[rank_of(sender_of(flow))].sends = true;
            place_receiver(flow, orders[rank_of(receiver_of(flow))]);
        }
        if (with_log_server()) {
            std::set<int> shippers = senders_;
            shippers.insert(receivers_.begin(), receivers_.end());
            const int server = *run_.roles.log_server;
            log_server_at_ = meeting_address(identity(server), identities_of(shippers), "");
            orders[server].log_server_at = log_server_at_;
            for (const int shipper : shippers) {
                orders[shipper].ships_to = run_.log_transport == JobLogTransport::mpi ? server : -1;
            }
        }
        for (auto& [rank, order] : orders) {
            order.run_id = run_.run_id;
            order.folder = folder_.path().string();
            order.mark = run_.run_id;
            order.block_records = run_.block_records;
            ordered_.insert(rank);
            ranks_.say(rank, {"prepare", to_json(order)});
        }
        return await_all(ordered_, "prepared", kPrepareLimit) and take_ports();
    }

    void place_receiver(const FlowSpec& flow, RankOrder& order) {
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
        if (std::ranges::find(order.receives_at, at) == order.receives_at.end()) {
            order.receives_at.push_back(at);
        }
    }

    bool take_ports() {
        for (const int rank : ordered_) {
            const json body = ranks_.take(rank, "prepared").value_or(json::object());
            const JsonFields fields(body);
            if (fields.has("receiver_port")) {
                receiver_ports_[rank] = static_cast<std::uint16_t>(fields.number("receiver_port", 1, 65535));
            }
            if (fields.has("log_server_port")) {
                log_server_port_ = static_cast<std::uint16_t>(fields.number("log_server_port", 1, 65535));
            }
            if (not fields.flag("shared")) {
                elsewhere_.insert(rank);
            }
        }
        for (const auto& [host, address] : receiver_at_) {
            const int rank = rank_of(host);
            const auto at = SocketAddress::from_literal(address, receiver_ports_.at(rank));
            receiver_ranks_[at.to_string()] = rank;
        }
        return true;
    }

    [[nodiscard]] std::string sender_name(int rank) const { return rank_names_.at(rank).front(); }

    /// The flows of a sender's, with where their receivers are.
    [[nodiscard]] Experiment experiment_of(int rank) const {
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

    bool begin() {
        for (const int rank : senders_) {
            SendOrder order{.experiment = experiment_of(rank),
                            .sender = sender_name(rank),
                            .threads = run_.threads,
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
            ranks_.say(rank, {"begin", to_json(order)});
            sending_.insert(rank);
        }
        return await_ready();
    }

    /// A sender that cannot begin says "sent", with the reason, instead of "ready".
    bool await_ready() {
        ranks_.await(
            [this] {
                hear_failures();
                return not troubles_.empty() or
                       std::ranges::any_of(senders_, [this](int rank) { return ranks_.has(rank, "sent"); }) or
                       std::ranges::all_of(senders_, [this](int rank) { return ranks_.has(rank, "ready"); });
            },
            kReadyLimit);
        const bool some_ended = std::ranges::any_of(senders_, [this](int rank) { return ranks_.has(rank, "sent"); });
        if (some_ended) {
            ranks_.await([this] { return all_sent(); }, kMoreNews);
            return false;
        }
        return troubles_.empty() and await_all(senders_, "ready", Nanos(0));
    }

    bool start() {
        std::map<int, Nanos> differences;
        Nanos margin{0};
        for (const int rank : senders_) {
            differences[rank] = ranks_.clock_difference(rank, identities_);
            const json ready = ranks_.take(rank, "ready").value_or(json::object());
            margin = std::max(margin, Nanos(JsonFields(ready).signed_number("margin_ns")));
        }
        const MonoTime start = ranks_.clock().now() + std::min<Nanos>(margin, seconds(60)) + kStartMargin;
        for (const int rank : senders_) {
            ranks_.say(rank, {"start", {{"mono_ns", (start + differences[rank]).time_since_epoch().count()}}});
        }
        return true;
    }

    [[nodiscard]] bool all_sent() const {
        return std::ranges::all_of(sending_, [this](int rank) { return ranks_.has(rank, "sent"); });
    }

    void send() {
        ranks_.await(
            [this] {
                hear_failures();
                show_progress();
                keep_so_far();
                return not troubles_.empty() or all_sent();
            },
            kForever);
    }

    void show_progress() {
        while (const auto progress = ranks_.take_any("progress")) {
            if (run_.show_progress) {
                const std::string line = progress->second.value("line", "");
                const bool several = senders_.size() > 1;
                run_.show_progress(several ? progress->second.value("sender", "") + ": " + line : line);
            }
        }
    }

    /// Whatever kills the job leaves the last of these.
    void keep_so_far() {
        while (auto told = ranks_.take_any("so_far")) {
            so_far_[told->first] = std::move(told->second);
        }
        const MonoTime now = ranks_.clock().now();
        if (run_.keep_so_far and now >= keep_next_) {
            keep_next_ = now + kKeepInterval;
            JobReport report = empty_report();
            for (const int rank : sending_) {
                take_so_far(rank, report);
            }
            put_together(report);
            run_.keep_so_far(report);
        }
    }

    void take_so_far(int rank, JobReport& report) const {
        if (const auto told = so_far_.find(rank); told != so_far_.end()) {
            report.parts.push_back({rank, sender_name(rank), decode_report(told->second.at("report")), true});
        }
    }

    /// Whatever happened: senders first, then receivers, which close their logs, then the log server, which has them.
    void end() {
        ending_ = true;
        const bool well = troubles_.empty() and all_sent() and not ranks_.interrupted();
        const EndLimits& limits = well ? kAfterSuccess : kAfterFailure;
        if (not all_sent()) {
            say_to(sending_, {"stop", {{"level", 1}}});
            if (not ranks_.await([this] { return all_sent(); }, patience(limits, &EndLimits::results))) {
                say_to(sending_, {"stop", {{"level", 2}}});
                await_end(sending_, "sent", patience(limits, &EndLimits::senders));
            }
        }
        if (not receiver_ports_.empty()) {
            say_to(receivers_, {"close_receiver"});
            await_end(receivers_, "closed", patience(limits, &EndLimits::receivers));
        }
        if (log_server_port_ != 0) {
            const std::set<int> server = {*run_.roles.log_server};
            say_to(server, {"close_log_server"});
            await_end(server, "log_server_closed", patience(limits, &EndLimits::log_server));
        }
        if (not ranks_.interrupted()) {
            fetch_all();
        }
        folder_.remove_mark();
        if (not ranks_.interrupted()) {
            say_to(ordered_, {"end_run"});
            await_end(ordered_, "run_ended", patience(limits, &EndLimits::log_server));
        }
    }

    /// From the disks that this rank does not see.
    void fetch_all() {
        for (const int rank : elsewhere_) {
            try {
                fetch_from(rank);
            } catch (const std::exception& error) {
                if (ranks_.interrupted()) {
                    return;
                }
                trouble(rank, std::string("its logs could not be fetched: ") + error.what());
            }
        }
    }

    void fetch_from(int rank) {
        const json listed = ask(rank, {"list_files"}, "files");
        for (const json& one : JsonFields(listed).array("files", kMostFiles)) {
            const std::string name = text_at(one, 0, "files", kLongestText);
            std::uint64_t offset = 0;
            for (bool more = true; more;) {
                const json piece = ask(rank, {"read_file", {{"name", name}, {"offset", offset}}}, "piece");
                const std::vector<std::uint8_t>& bytes = JsonFields(piece).at("bytes").get_binary();
                write_fetched(folder_.path(), name, offset, bytes);
                offset += bytes.size();
                more = bytes.size() == kMaxLentPiece;
            }
        }
    }

    [[nodiscard]] json ask(int rank, const RankMessage& question, const std::string& kind) {
        ranks_.say(rank, question);
        ranks_.await([&] { return ranks_.has(rank, kind) or ranks_.has(rank, "failed"); }, kAnswerLimit);
        if (auto answer = ranks_.take(rank, kind)) {
            return std::move(*answer);
        }
        const auto failed = ranks_.take(rank, "failed");
        throw RunError(failed ? failed->value("what", "failed") : "it does not answer");
    }

    void say_to(const std::set<int>& ranks, const RankMessage& message) {
        for (const int rank : ranks) {
            ranks_.say(rank, message);
        }
    }

    void await_end(const std::set<int>& from, const std::string& kind, JobRanks::Patience patience) {
        ranks_.await([&] { return std::ranges::all_of(from, [&](int rank) { return ranks_.has(rank, kind); }); },
                     patience);
        for (const int rank : from) {
            if (not ranks_.has(rank, kind) and not ranks_.interrupted()) {
                trouble(rank, "did not end in time (waited for '" + kind + "')");
                stuck_ = true;
            }
        }
    }

    [[nodiscard]] JobReport empty_report() const {
        JobReport report;
        report.ranks = ranks_.size();
        report.interrupted = ranks_.interrupted();
        report.folder = folder_.path();
        return report;
    }

    JobReport report() {
        hear_failures();
        JobReport report = empty_report();
        report.complete = not sending_.empty() and all_sent();
        for (const int rank : sending_) {
            take_part(rank, report);
        }
        put_together(report);
        return report;
    }

    void put_together(JobReport& report) const {
        report.troubles = troubles_;
        if (not report.parts.empty()) {
            report.whole = merge_parts(report.parts);
        }
        if (log_server_port_ != 0) {
            report.log_places.push_back(
                "log server, " + call(*run_.roles.log_server) + ": " +
                (folder_.log_server() / experiment_folder(run_.experiment.name, run_.run_id)).string());
        }
    }

    /// What a rank said; or, when the job was ended, left in the folder for want of a way to say it.
    [[nodiscard]] std::optional<json> last_word(int rank, const std::string& kind) {
        auto said = ranks_.take(rank, kind);
        if (said or not ranks_.interrupted()) {
            return said;
        }
        json left = json::parse(folder_.take_left_behind(kind + "-" + std::to_string(rank)), nullptr, false);
        return left.is_object() ? std::optional(std::move(left)) : std::nullopt;
    }

    void take_part(int rank, JobReport& report) {
        const auto sent = last_word(rank, "sent");
        const auto counted = last_word(rank, "counted");
        if (not sent and counted) {
            SenderPart part{rank, sender_name(rank), decode_report((*counted)["report"]), false};
            part.report.log = LogReport{.name = "log", .error = "the job ended before it could be closed"};
            report.parts.push_back(std::move(part));
        }
        if (not sent) {
            if (not counted) {
                take_so_far(rank, report);
            }
            return;
        }
        if (sent->contains("report")) {
            report.parts.push_back({rank, sender_name(rank), decode_report((*sent)["report"]), false});
        } else {
            const std::string error = sent->value("error", "");
            const bool called_off = error.starts_with("the run was called off");
            if (not called_off or troubles_.empty()) {
                trouble(rank, error);
            }
        }
    }

    JobRanks& ranks_;
    const std::vector<RankIdentity>& identities_;
    const JobRun& run_;
    RunFolder folder_;
    std::map<int, std::vector<std::string>> rank_names_;
    std::set<int> senders_;
    std::set<int> receivers_;
    std::set<int> ordered_;
    std::set<int> sending_;                           ///< told to begin
    std::set<int> elsewhere_;                         ///< ranks that do not see this folder
    std::map<std::string, std::string> receiver_at_;  ///< address of each host that receives
    std::map<int, std::uint16_t> receiver_ports_;
    std::map<std::string, int> receiver_ranks_;  ///< by address and port
    std::string log_server_at_;
    std::uint16_t log_server_port_ = 0;
    std::vector<std::string> troubles_;
    std::map<int, json> so_far_;  ///< by sender: the latest
    MonoTime keep_next_{};
    bool ending_ = false;
    bool stuck_ = false;
};

}  // namespace

void JobLeader::meet() {
    identities_.clear();
    const auto all_here = [this] {
        for (int rank = 0; rank < ranks_.size(); ++rank) {
            if (not ranks_.has(rank, "identity")) {
                return false;
            }
        }
        return true;
    };
    if (not ranks_.await(all_here, kMeetLimit)) {
        throw RunError("not all ranks of this job have come up within a minute");
    }
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        identities_.push_back(rank_identity_from_json(*ranks_.take(rank, "identity")));
    }
}

JobReport JobLeader::run(const JobRun& run) {
    Run one(ranks_, identities_, run);
    JobReport report = one.run();
    stuck_ = stuck_ or one.stuck();
    return report;
}

void JobLeader::dismiss() {
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        ranks_.say(rank, {"leave"});
    }
    ranks_.flush();
}

}  // namespace groma
