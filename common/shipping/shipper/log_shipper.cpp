#include "common/shipping/shipper/log_shipper.hpp"

#include <algorithm>
#include <limits>
#include <list>
#include <mutex>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/log/log_name.hpp"
#include "common/os/host.hpp"
#include "common/shipping/shipper/shared_conversation.hpp"
#include "common/shipping/shipper/shipping_thread.hpp"
#include "common/shipping/spool/spool_folders.hpp"

namespace groma {

namespace {

constexpr const char* kWriterEnded = "its writer ended before it closed the log";

LogToken fresh_token() {
    return token_from_hex(random_id());
}

void require_name(std::string_view kind, const std::string& name) {
    if (const std::string error = log_name_error(name); not error.empty()) {
        throw UsageError(std::string(kind) + " '" + name + "' cannot be a name on a log server: it " + error);
    }
}

std::shared_ptr<SpoolBudget> budget_for(const std::optional<Grant>& asker, const std::shared_ptr<SpoolBudget>& all) {
    if (not asker) {
        return all;
    }
    // Also without a limit: what it takes counts for other keys of its name.
    const bool limited = asker->limits.spool_bytes.has_value();
    return std::make_shared<SpoolBudget>(
        SpoolLimit{.key = asker->name,
                   .bytes = limited ? asker->limits.spool_bytes->count : std::numeric_limits<std::uint64_t>::max(),
                   .why = limited ? spool_fullness_in_words(*asker) : ""},
        all);
}

/// What a log has on both sides of the two threads.
struct Consignment {
    std::shared_ptr<SpoolBudget> budget;  ///< of its spool; null: it is read only
    std::unique_ptr<KeptLog> kept;
    LogId id = 0;
};

}  // namespace

struct LogShipper::State {
    State(ShippingSettings given, Clock& its_clock)
        : settings(std::move(given)),
          clock(its_clock),
          budget(settings.budget ? settings.budget : std::make_shared<SpoolBudget>(settings.limits.spool_bytes)),
          conversation(settings, its_clock),
          thread(settings, its_clock, conversation) {}

    /// A log whose sink is gone goes on here as long as the shipper lives.
    void leave(Consignment consignment);
    void say_farewell();

    ShippingSettings settings;
    Clock& clock;
    std::shared_ptr<SpoolBudget> budget;
    std::mutex mutex;             ///< guards left
    std::list<Consignment> left;  ///< given up by their writers, not yet by the shipper
    SharedConversation conversation;
    ShippingThread thread;
};

void LogShipper::State::leave(Consignment consignment) {
    const std::scoped_lock lock(mutex);
    left.push_back(std::move(consignment));
}

void LogShipper::State::say_farewell() {
    for (Consignment& each : left) {
        try {
            conversation.await_end(each.id, settings.limits.times.farewell);
            if (Spool* spool = each.kept->spool()) {
                spool->discard();
            }
        } catch (const std::exception&) {
            // Its spool stays for the next who delivers it.
        }
        conversation.forget(each.id);
    }
}

class LogShipper::Log final : public ShippedLog {
public:
    Log(State& shipper, LogToShip log, std::unique_ptr<Spool> spool, std::shared_ptr<SpoolBudget> budget = nullptr)
        : shipper_(shipper), place_(log.open.experiment + '/' + log.open.name) {
        kept_.budget = std::move(budget);
        kept_.kept = std::make_unique<KeptLog>(shipper.settings.limits.memory_bytes, std::move(spool));
        kept_.id = shipper_.conversation.add(std::move(log), *kept_.kept);
    }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    ~Log() override {
        if (ended_) {
            shipper_.conversation.forget(kept_.id);
            return;
        }
        const KeptCounts counts = kept_.kept->counts();
        if (counts.handed_pieces == 0) {
            discard_spool();
        }
        shipper_.conversation.end(kept_.id, GiveUpLog{0, counts.handed_pieces, kWriterEnded});
        shipper_.leave(std::move(kept_));
    }

    /// Throws: why it is not open; then nothing of it stays.
    void await_opened() {
        try {
            shipper_.conversation.await_opened(kept_.id);
        } catch (...) {
            ended_ = true;
            discard_spool();
            throw;
        }
    }

    void append(std::span<const std::byte> piece) override {
        while (not piece.empty()) {
            const auto part = piece.first(std::min(piece.size(), kMaxPieceBytes));
            shipper_.conversation.handed(kept_.id, kept_.kept->append(part));
            piece = piece.subspan(part.size());
        }
    }

    void close() override {
        if (delivered_) {
            return;
        }
        if (not std::exchange(ended_, true)) {
            shipper_.conversation.end(kept_.id, kept_.kept->seal());
        }
        await_end();
    }

    void end(LogEnding ending) {
        ended_ = true;
        shipper_.conversation.end(kept_.id, std::move(ending));
    }

    [[nodiscard]] std::string describe() const override { return shipper_.settings.peer + " as " + place_; }

    [[nodiscard]] ShippedLogState state() const override {
        const auto [held, reconnections] = shipper_.conversation.errors(kept_.id);
        Spool* const spool = kept_.kept->spool();
        return {.kept = kept_.kept->counts(),
                .reconnections = reconnections,
                .held = held,
                .spool = spool != nullptr ? spool->folder() : std::filesystem::path(),
                .delivered = delivered_};
    }

private:
    void await_end() {
        try {
            shipper_.conversation.await_end(kept_.id, shipper_.settings.limits.times.patience);
        } catch (const std::exception& error) {
            throw RunError("the log " + place_ + " is incomplete on its server: " + error.what() + "; " +
                           what_is_left());
        }
        delivered_ = true;
        discard_spool();
    }

    [[nodiscard]] std::string what_is_left() const {
        const KeptCounts counts = kept_.kept->counts();
        const std::string bytes = counted(counts.handed_bytes - counts.durable_bytes, "byte");
        Spool* const spool = kept_.kept->spool();
        if (spool == nullptr) {
            return bytes + " were not confirmed and are lost";
        }
        return bytes + " are kept in " + spool->folder().string() +
               "; deliver them with: groma-send --resume-spool --spool-dir " + spool->folder().parent_path().string() +
               shipper_.settings.key_option;
    }

    void discard_spool() {
        if (Spool* const spool = kept_.kept->spool()) {
            spool->discard();
        }
    }

    State& shipper_;
    std::string place_;
    Consignment kept_;
    bool ended_ = false;
    bool delivered_ = false;
};

LogShipper::LogShipper(ShippingSettings settings, Clock& clock)
    : state_(std::make_unique<State>(std::move(settings), clock)) {}

LogShipper::~LogShipper() {
    state_->say_farewell();
}

std::unique_ptr<ShippedLog> LogShipper::open_log(const std::string& experiment, const std::string& name,
                                                 const std::optional<Grant>& asker) {
    require_name("the experiment", experiment);
    require_name("the log", name);
    const ShippingSettings& settings = state_->settings;
    const LogToken token = fresh_token();
    const std::shared_ptr<SpoolBudget> budget = budget_for(asker, state_->budget);
    std::unique_ptr<Spool> spool;
    if (not settings.spool.empty()) {
        if (const MonoTime now = state_->clock.now(); settings.budget and settings.budget->is_to_be_measured(now)) {
            settings.budget->measured(bytes_on_disk(spools_in(settings.spool)), now);
        }
        spool = Spool::create(settings.spool,
                              {.server = settings.server,
                               .transport = settings.transport,
                               .experiment = experiment,
                               .name = name,
                               .token = token,
                               .program = settings.program,
                               .started = state_->clock.wall_now(),
                               .asker = asker ? asker->name : ""},
                              *budget);
    }
    auto log =
        std::make_unique<Log>(*state_, LogToShip{OpenLog{0, token, experiment, name}, 0, 0}, std::move(spool), budget);
    log->await_opened();
    return log;
}

std::unique_ptr<ShippedLog> LogShipper::resume(std::unique_ptr<Spool> spool) {
    const SpoolDescription& about = spool->description();
    const LogToShip to_ship{OpenLog{0, about.token, about.experiment, about.name}, spool->first(), spool->end()};
    const std::optional<CloseLog> totals = spool->totals();
    const std::string reason = spool->damage().empty() ? kWriterEnded : spool->damage();
    auto log = std::make_unique<Log>(*state_, to_ship, std::move(spool));
    log->end(totals ? LogEnding(*totals) : LogEnding(GiveUpLog{0, to_ship.handed, reason}));
    return log;
}

void LogShipper::stop() {
    state_->conversation.stop_logs();
}

ShippingState LogShipper::state() const {
    ShippingState state = state_->conversation.state();
    state.spool_bytes = state_->budget->used();
    return state;
}

LogShipment shipment_of(const ShippedLog& log) {
    const ShippedLogState state = log.state();
    LogShipment shipment{.to = log.describe(),
                         .reconnections = state.reconnections,
                         .largest_backlog = state.kept.largest_backlog,
                         .not_spooled = state.kept.not_spooled,
                         .error = {}};
    if (not state.held.empty()) {
        shipment.error = "the server took nothing for a while: " + state.held;
    }
    if (state.kept.not_spooled > 0) {
        shipment.error += (shipment.error.empty() ? "" : "; ") + state.kept.spool_error;
    }
    return shipment;
}

}  // namespace groma
