#include "logserver/log_server_core.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "common/access/first_messages.hpp"
#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/os/process.hpp"
#include "logserver/log_conversation.hpp"
#include "logserver/log_server_metrics.hpp"

namespace groma {

namespace {

constexpr Role kRoleOfShippers = role_to_begin(Server::log_server, "hello").value();
constexpr Nanos kMeasureEvery = std::chrono::seconds(1);
constexpr Nanos kReportEvery = std::chrono::minutes(1);
constexpr std::uint64_t kMostReserve = 1ULL << 30U;
constexpr std::uint64_t kReserveShare = 100;
/// Descriptors reserved for the catalogue and connections.
constexpr std::uint64_t kFdsOfServer = 32;

struct FileSystem {
    std::uint64_t free = 0;
    std::uint64_t size = 0;
};

FileSystem measure(const std::filesystem::path& directory) {
    struct statvfs found {};
    checked("ask for the room in " + directory.string(), ::statvfs(directory.c_str(), &found));
    return {found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize};
}

RoomLimits room_limits(const LogServerSettings& settings) {
    const std::uint64_t usual = std::min(kMostReserve, measure(settings.directory).size / kReserveShare);
    return {settings.max_disk, settings.reserve.value_or(usual)};
}

/// In place of an owner. No key has it as its name.
constexpr const char* kOfAll = "";

std::string for_owner(const std::string& owner) {
    return owner == kOfAll ? "" : " for the key " + owner;
}

bool is_full(const SystemError& error) {
    return error.errno_value() == ENOSPC or error.errno_value() == EDQUOT;
}

}  // namespace

LogServerCore::LogServerCore(LogServerSettings settings, Clock& clock, std::unique_ptr<Background> background)
    : settings_(std::move(settings)),
      clock_(clock),
      store_(settings_.directory, clock_),
      work_(store_, settings_, std::move(background), [this](const std::string& error) { swept(error); }),
      room_(room_limits(settings_)),
      key_rooms_([this] { return store_.bytes_by_owner(); }),
      admission_(settings_.max_sessions, settings_.max_per_host.value_or(usual_share(settings_.max_sessions))),
      open_logs_(settings_.max_logs, settings_.max_logs_per_host.value_or(usual_share(settings_.max_logs))),
      earlier_counters_(store_.catalogue().counters()),
      sweep_due_(clock_.now() + settings_.limits.durable_every),
      measure_due_(clock_.now() + kMeasureEvery),
      report_due_(clock_.now() + kReportEvery) {
    measure_room();
}

LogServerCore::~LogServerCore() = default;

std::unique_ptr<Conversation> LogServerCore::begin(const ConversationPeer& peer, AnswerSink& answers, MonoTime now) {
    counters_.count(Counted::connections);
    auto conversation = std::make_unique<LogConversation>(peer, answers, *this, now);
    const auto verdict = admission_.verdict(peer.host);
    const std::string lacks = peer.grant ? lack_in_words(*peer.grant, kRoleOfShippers) : std::string();
    if (not peer.lacks.empty()) {
        conversation->turn_away(peer.lacks);
    } else if (not lacks.empty()) {
        conversation->refuse(Counted::refused_key, lacks, false);
    } else if (not peer.refusal.empty()) {
        conversation->refuse(Counted::refused_full, peer.refusal, true);
    } else if (verdict != Admission::Verdict::admitted) {
        conversation->refuse(Counted::refused_full, refusal_in_words(verdict, admission_, kGateWords), true);
    } else {
        conversation->hold(admission_.admit(peer.host));
    }
    return conversation;
}

StoredLog* LogServerCore::open(const OpenLog& request, const ShippingPeer& shipper, RemoteWriter& writer) {
    const std::string& host = shipper.host;
    const std::string lacks = shipper.grant ? lack_in_words(*shipper.grant, request.experiment) : std::string();
    if (not lacks.empty()) {
        throw LogRefusal(lacks);
    }
    const bool keyless = not shipper.grant;
    const LogOrigin origin{.node = shipper.node,
                           .owner = keyless ? "" : shipper.grant->name,
                           .any_owners = keyless or shipper.grant->roles.has(Role::admin)};
    if (not keyless) {
        key_rooms_.admit(grant_for_logs_(*shipper.grant));
        hold_or_go_on({.from = host, .log = request.experiment + '/' + request.name});
    }
    if (const std::string why = shortage(origin.owner); not why.empty() and not store_.knows(request)) {
        throw LogRefusal("takes no more logs for now: " + why, LogRefusal::Until::later);
    }
    const Admission::Verdict verdict = open_logs_.verdict(host);
    if (verdict == Admission::Verdict::full) {
        throw LogRefusal("as many logs as this server takes are being written (" + std::to_string(settings_.max_logs) +
                             "; see groma-log --max-logs)",
                         LogRefusal::Until::later);
    }
    if (verdict == Admission::Verdict::host_full) {
        throw LogRefusal("as many logs of " + host + " as this server takes of one host are being written (" +
                             std::to_string(open_logs_.slots_of_host()) + "; see groma-log --max-logs-per-host)",
                         LogRefusal::Until::later);
    }
    if (fds_left() < kFdsOfServer) {
        throw LogRefusal("has no file descriptors left for one more log (ulimit -n raises that)",
                         LogRefusal::Until::later);
    }
    StoredLog* const log = store_.open(request, origin, writer, open_logs_.admit(host));
    work_.work_on();
    return log;
}

void LogServerCore::leave(StoredLog& log, const std::string& reason) noexcept {
    store_.leave(log, reason);
    work_.sweep_now();
}

LogServerCore::Filler LogServerCore::filler(const StoredLog& log) {
    return {.from = log.host(), .log = log.entry().experiment + '/' + log.entry().name};
}

StoredLog::Took LogServerCore::append(StoredLog& log, const LogPiece& piece) {
    const std::string owner = log.entry().owner;
    const bool due = piece.number == log.pieces();
    if (due and not(key_rooms_.has_room(owner, piece.bytes.size()) and room_.take(piece.bytes.size()))) {
        counters_.count(Counted::pieces_held);
        hold_or_go_on(filler(log));
        return StoredLog::Took::gap;
    }
    const StoredLog::Took took = store(log, piece);
    if (took == StoredLog::Took::repeat) {
        counters_.count(Counted::pieces_repeated);
    } else if (took == StoredLog::Took::piece) {
        counters_.count(Counted::pieces);
        counters_.count(Counted::bytes, piece.bytes.size());
        key_rooms_.add(owner, piece.bytes.size());
        slow_down(piece.bytes.size());
        work_.took(piece.bytes.size());
    }
    return took;
}

StoredLog::Took LogServerCore::store(StoredLog& log, const LogPiece& piece) {
    try {
        return log.append(piece, settings_.max_log_bytes);
    } catch (const SystemError& error) {
        if (not is_full(error)) {
            throw;
        }
        room_.exhausted(error.what());
        counters_.count(Counted::pieces_held);
        hold_or_go_on(filler(log));
        return StoredLog::Took::gap;
    }
}

void LogServerCore::slow_down(std::size_t bytes) {
    if (settings_.max_rate) {
        const auto cost = Nanos(
            static_cast<std::int64_t>(1e9 * static_cast<double>(bytes) / static_cast<double>(*settings_.max_rate)));
        read_again_at_ = std::max(read_again_at_, clock_.now()) + cost;
    }
}

void LogServerCore::swept(const std::string& error) {
    if (not error.empty() and error_.empty()) {
        counters_.count(Counted::sync_failures);
        report("cannot make logs durable: " + error);
    }
    error_ = error;
    hold_or_go_on();
}

const std::string& LogServerCore::shortage() const {
    return error_.empty() ? room_.shortage() : error_;
}

std::string LogServerCore::shortage(const std::string& owner) const {
    const auto all = holds_.find(kOfAll);
    const auto its = all == holds_.end() ? holds_.find(owner) : all;
    return its == holds_.end() ? std::string() : its->second;
}

void LogServerCore::hold_or_go_on(const Filler& by) {
    std::map<std::string, std::string> holds = key_rooms_.shortages();
    if (not shortage().empty()) {
        holds.emplace(kOfAll, shortage());
    }
    const auto before = std::exchange(holds_, std::move(holds));
    bool changed = false;
    for (const auto& [owner, why] : holds_) {
        if (not before.contains(owner)) {
            changed = true;
            counters_.count(Counted::holds);
            report("takes nothing" + for_owner(owner) + " for now: " + why);
            audit(by.from, owner == kOfAll ? std::nullopt : std::optional(Grant{.name = owner}), by.log, why);
        }
    }
    for (const auto& [owner, why] : before) {
        if (not holds_.contains(owner)) {
            changed = true;
            report("has room again" + for_owner(owner) + ", and goes on");
        }
    }
    if (changed) {
        store_.for_each_writer([this](RemoteWriter& writer, const StoredLog& log) {
            if (const std::string why = shortage(log.entry().owner); why.empty()) {
                writer.go_on(log.pieces());
            } else {
                writer.hold(why);
            }
        });
    }
}

void LogServerCore::measure_room() noexcept {
    try {
        const std::uint64_t free = measure(store_.directory()).free;
        const std::uint64_t of_catalogue = std::min(free, store_.catalogue().keep_room(free));
        room_.measured(store_.catalogue().total_bytes() + store_.unswept_bytes(), free - of_catalogue);
        key_rooms_.recount();
        if (not work_.is_sweeping() and not store_.needs_sweep()) {
            error_.clear();
        }
        hold_or_go_on();
    } catch (const std::exception& error) {
        report(std::string("cannot look for room: ") + error.what());
    }
}

Nanos LogServerCore::tick_period() const {
    return std::clamp<Nanos>(settings_.limits.durable_every, std::chrono::milliseconds(1), kMeasureEvery);
}

void LogServerCore::tick(MonoTime now) {
    if (now >= measure_due_) {
        measure_due_ = now + kMeasureEvery;
        measure_room();
        store_.note_what_is_due();
        store_.drop_unwanted();
    }
    if (now >= sweep_due_ or not error_.empty()) {
        sweep_due_ = now + settings_.limits.durable_every;
        work_.sweep_now();
    }
    if (now >= report_due_) {
        report_due_ = now + kReportEvery;
        keep_counters();
    }
}

WatchedLogServer LogServerCore::watched(MonoTime now) {
    if (now >= ask_catalogue_at_) {  // a catalogue may be long
        ask_catalogue_at_ = now + kMeasureEvery;
        logs_by_state_.reset();
        try {
            logs_by_state_ = store_.catalogue().logs_by_state();
        } catch (const std::exception& error) {
            report(std::string("cannot count the catalogue's logs: ") + error.what());
        }
    }
    return {.counters = counters_,
            .conversations = conversations_.size(),
            .open_logs = store_.open_logs(),
            .catalogue = logs_by_state_,
            .kept_bytes = room_.kept(),
            .room_bytes = room_.left(),
            .not_durable_bytes = store_.unswept_bytes(),
            .holds = {.room = not room_.shortage().empty(),
                      .failure = not error_.empty(),
                      .keys = holds_.size() - holds_.count(kOfAll)}};
}

void LogServerCore::keep_counters() noexcept {
    if (counters_ == kept_counters_) {
        return;
    }
    try {
        store_.catalogue().set_counters(sum(earlier_counters_, counters_.values()));
        kept_counters_ = counters_;
    } catch (const std::exception& error) {
        report(std::string("cannot keep the counters: ") + error.what());
    }
    report("since the start: " + to_string(counters_.values()));
}

void LogServerCore::stop(std::function<void()> stopped) {
    work_.stop_opening();
    const std::vector<LogConversation*> all(conversations_.begin(), conversations_.end());
    for (LogConversation* conversation : all) {
        conversation->end("the log server was stopped");
    }
    keep_counters();
    work_.finish(std::move(stopped));
}

void LogServerCore::audit(const std::string& from, const std::optional<Grant>& grant, const std::string& subject,
                          const std::string& why) const noexcept {
    try {
        if (settings_.audit) {
            settings_.audit({.what = subject.empty() ? "connection" : "log",
                             .allowed = why.empty(),
                             .from = from,
                             .key = grant ? grant->name : "",
                             .subject = subject,
                             .why = why});
        }
    } catch (const std::exception&) {
        // As a line that cannot be printed.
    }
}

void LogServerCore::report_refusal(const std::string& host, const std::string& line) noexcept {
    try {
        refusal_lines_.tell([this](const std::string& one) { report(one); }, host, line, clock_.now());
    } catch (const std::exception&) {
        // As in report().
    }
}

void LogServerCore::report(const std::string& line) const noexcept {
    try {
        if (settings_.report) {
            settings_.report(line);
        }
    } catch (const std::exception&) {
        // A line that cannot be printed must not cost a log.
    }
}

}  // namespace groma
