// The state that all connections of a log server share: the store, its free space, its counters, and the sweeps that
// make logs durable. Independent of sockets. Thread: the server's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "common/control/admission.hpp"
#include "common/time/clock.hpp"
#include "logserver/background.hpp"
#include "logserver/conversation.hpp"
#include "logserver/log_server_settings.hpp"
#include "logserver/server_counters.hpp"
#include "logserver/store/key_rooms.hpp"
#include "logserver/store/log_store.hpp"
#include "logserver/store/room.hpp"
#include "logserver/store_work.hpp"

namespace groma {

class LogConversation;
struct ShippingPeer;
struct WatchedLogServer;

class LogServerCore final : public ConversationHost {
public:
    /// Opens the store. The clock outlives the core. Throws: SystemError, RunError.
    LogServerCore(LogServerSettings settings, Clock& clock, std::unique_ptr<Background> background);
    ~LogServerCore() override;

    [[nodiscard]] std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& answers,
                                                      MonoTime now) override;

    /// What a key that was proved gives now. Otherwise what it gave then.
    using GrantNow = std::function<Grant(const Grant& proved)>;
    void take_grants_of(GrantNow grant_for_logs) { grant_for_logs_ = std::move(grant_for_logs); }

    /// Call about every tick_period(). Syncs what is due, checks for free space, reports counters.
    void tick(MonoTime now);
    [[nodiscard]] Nanos tick_period() const;

    /// Ends all conversations. Calls `stopped` when all received data is durable.
    void stop(std::function<void()> stopped);

    [[nodiscard]] ServerCounters& counters() { return counters_; }
    /// All but what is known of UDP.
    [[nodiscard]] WatchedLogServer watched(MonoTime now);
    [[nodiscard]] const LogServerTimes& times() const { return settings_.times; }
    /// One line for the operator.
    void report(const std::string& line) const noexcept;
    /// Of a connection that is refused, a line a second for each host.
    void report_refusal(const std::string& host, const std::string& line) noexcept;
    /// `subject`: the log; empty: the whole connection. `why`: it is refused; empty: it is allowed.
    void audit(const std::string& from, const std::optional<Grant>& grant, const std::string& subject,
               const std::string& why) const noexcept;

    // For conversations and their logs.

    void joined(LogConversation& conversation) { conversations_.insert(&conversation); }
    void left(LogConversation& conversation) noexcept { conversations_.erase(&conversation); }
    /// As LogStore::open(). Throws: LogRefusal, SystemError, RunError. The share of the shipper's host is charged.
    [[nodiscard]] StoredLog* open(const OpenLog& request, const ShippingPeer& shipper, RemoteWriter& writer);
    void leave(StoredLog& log, const std::string& reason) noexcept;
    void leave(const RemoteWriter& writer) noexcept { store_.leave(writer); }
    /// As StoredLog::append(). Without free space, holds all logs, or those of its owner; the piece is then a gap. The
    /// log may be destroyed afterwards.
    StoredLog::Took append(StoredLog& log, const LogPiece& piece);
    /// Makes everything durable as soon as possible.
    void sweep_now() noexcept { work_.sweep_now(); }
    /// Why the server takes no data of this owner now; empty: it does.
    [[nodiscard]] std::string shortage(const std::string& owner) const;
    [[nodiscard]] MonoTime read_again_at() const { return read_again_at_; }

private:
    void swept(const std::string& error);
    void measure_room() noexcept;
    /// Why the server takes no data at all; empty: it does.
    [[nodiscard]] const std::string& shortage() const;
    /// What may have filled the room.
    struct Filler {
        std::string from{};    ///< the host
        std::string log{"*"};  ///< EXPERIMENT/NAME; several
    };
    [[nodiscard]] static Filler filler(const StoredLog& log);
    void hold_or_go_on(const Filler& by);
    void hold_or_go_on() { hold_or_go_on(Filler()); }
    StoredLog::Took store(StoredLog& log, const LogPiece& piece);
    void slow_down(std::size_t bytes);
    void keep_counters() noexcept;

    LogServerSettings settings_;
    Clock& clock_;
    LogStore store_;
    StoreWork work_;
    Room room_;
    KeyRooms key_rooms_;
    RefusalLines refusal_lines_;
    GrantNow grant_for_logs_ = [](const Grant& proved) { return proved; };
    Admission admission_;
    Admission open_logs_;
    ServerCounters counters_;
    ServerCounters kept_counters_;
    CounterValues earlier_counters_;  ///< of earlier servers in this directory
    std::set<LogConversation*> conversations_;
    std::string error_;                         ///< the last sweep's error
    std::map<std::string, std::string> holds_;  ///< of which writers know: why, by owner; that of nobody is for all
    MonoTime sweep_due_;
    MonoTime measure_due_;
    MonoTime report_due_;
    MonoTime read_again_at_ = MonoTime::min();
    std::optional<LogsByState> logs_by_state_;  ///< when the catalogue was asked last
    MonoTime ask_catalogue_at_ = MonoTime::min();
};

}  // namespace groma
