#include "common/shipping/shipper/shipping_conversation.hpp"

#include <algorithm>
#include <utility>

#include "common/base/plain_text.hpp"

namespace groma {

namespace {

/// Pause before a log is opened again after a temporary refusal.
constexpr Nanos kPutOff = std::chrono::seconds(1);

/// A server's reason, made safe to show.
std::string reason_of(const std::string& given) {
    constexpr std::size_t kLongestReason = 300;
    return plain_text(given, kLongestReason);
}

}  // namespace

ShippingConversation::ShippingConversation(std::string peer, std::string node)
    : peer_(std::move(peer)), node_(std::move(node)) {}

LogId ShippingConversation::add(LogToShip log) {
    const LogId id = next_id_++;
    Log& added = logs_[id];
    added.durable = log.first;
    added.next = log.first;
    added.to_ship = std::move(log);
    return id;
}

void ShippingConversation::handed(LogId log, std::uint64_t pieces) {
    if (const auto found = logs_.find(log); found != logs_.end()) {
        found->second.to_ship.handed = std::max(found->second.to_ship.handed, pieces);
    }
}

void ShippingConversation::end(LogId log, LogEnding ending) {
    if (const auto found = logs_.find(log); found != logs_.end()) {
        found->second.ending = std::move(ending);
    }
}

void ShippingConversation::forget(LogId log) {
    const auto found = logs_.find(log);
    if (found == logs_.end()) {
        return;
    }
    if (due_ and due_->second == log) {
        due_.reset();
    }
    logs_.erase(found);
}

void ShippingConversation::connected() {
    due_.reset();
    greeted_ = false;
    welcome_ = false;
    next_number_ = 0;
    for (auto& [id, log] : logs_) {
        if (log.state != State::over) {
            log.state = State::unopened;
        }
    }
}

bool ShippingConversation::needs_connection() const {
    return std::ranges::any_of(logs_, [](const auto& entry) {
        const Log& log = entry.second;
        return log.state != State::over and (not log.opened_once or log.ending or log.durable < log.to_ship.handed);
    });
}

bool ShippingConversation::awaits_answer() const {
    return (greeted_ and not welcome_) or std::ranges::any_of(logs_, [](const auto& entry) {
               const Log& log = entry.second;
               return log.state == State::opening or log.state == State::closing or
                      (log.state == State::flowing and log.durable < log.next);
           });
}

std::optional<FrameDue> ShippingConversation::next(MonoTime now) {
    if (due_) {
        return due_->first;
    }
    if (not greeted_) {
        due_.emplace(LogFrame(ShipperHello{kLogProtocolVersion, node_}), LogId{0});
        return due_->first;
    }
    if (not welcome_) {
        return std::nullopt;
    }
    // Starts after the log that was served last, once around.
    auto turn = logs_.upper_bound(last_served_);
    for (std::size_t i = 0; i < logs_.size(); ++i, ++turn) {
        if (turn == logs_.end()) {
            turn = logs_.begin();
        }
        if (auto frame = due(turn->first, turn->second, now)) {
            due_.emplace(*std::move(frame), turn->first);
            return due_->first;
        }
    }
    return std::nullopt;
}

std::optional<FrameDue> ShippingConversation::due(LogId id, Log& log, MonoTime now) {
    if (log.state == State::put_off and now >= log.open_again) {
        log.state = State::unopened;
    }
    if (log.state == State::unopened) {
        log.number = next_number_++;
        OpenLog open = log.to_ship.open;
        open.log = log.number;
        return LogFrame(std::move(open));
    }
    if (log.state != State::flowing) {
        return std::nullopt;
    }
    if (log.next < log.to_ship.handed) {
        return PieceDue{id, log.number, log.next};
    }
    return log.ending ? std::optional<FrameDue>(ending_of(log)) : std::nullopt;
}

LogFrame ShippingConversation::ending_of(const Log& log) const {
    if (const auto* close = std::get_if<CloseLog>(&*log.ending)) {
        CloseLog numbered = *close;
        numbered.log = log.number;
        return numbered;
    }
    GiveUpLog given_up = std::get<GiveUpLog>(*log.ending);
    given_up.log = log.number;
    given_up.pieces = log.next;
    return given_up;
}

void ShippingConversation::sent() {
    check(due_.has_value(), "a frame was sent that was not due");
    const auto [frame, id] = *std::exchange(due_, std::nullopt);
    if (not greeted_) {
        greeted_ = true;
        return;
    }
    last_served_ = id;
    Log& log = logs_.at(id);
    if (std::holds_alternative<PieceDue>(frame)) {
        ++log.next;
    } else {
        log.state = log.state == State::unopened ? State::opening : State::closing;
    }
}

MonoTime ShippingConversation::next_deadline() const {
    MonoTime first = MonoTime::max();
    for (const auto& [id, log] : logs_) {
        if (log.state == State::put_off) {
            first = std::min(first, log.open_again);
        }
    }
    return first;
}

std::vector<LogNews> ShippingConversation::hear(const LogFrame& frame, MonoTime now) {
    due_.reset();
    now_ = now;
    if (const auto* refused = std::get_if<LogRefused>(&frame);
        refused != nullptr and refused->log == kWholeConnection) {
        refused_connection(*refused);
    }
    return std::visit(
        [this](const auto& each) -> std::vector<LogNews> {
            using Frame = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Frame, ServerWelcome>) {
                heard_welcome(each);
                return {};
            } else if constexpr (requires(Entry & entry) { this->heard(entry, each); }) {
                Entry* const entry = entry_of(each.log);
                return entry == nullptr ? std::vector<LogNews>{} : std::vector{heard(*entry, each)};
            } else {
                nonsense("sent what a log server does not send");
            }
        },
        frame);
}

void ShippingConversation::refused_connection(const LogRefused& refused) const {
    const std::string reason = "refused: " + reason_of(refused.reason);
    if (refused.try_again) {
        throw LogServerBusy(reason);
    }
    throw LogServerRefusal(peer_, reason);
}

void ShippingConversation::heard_welcome(const ServerWelcome& welcome) {
    if (welcome.version != kLogProtocolVersion) {
        throw LogServerRefusal(peer_, "speaks version " + std::to_string(welcome.version) +
                                          " of the log protocol, this program version " +
                                          std::to_string(kLogProtocolVersion) + ": use programs of one release");
    }
    if (not greeted_ or welcome_) {
        nonsense("greeted out of turn");
    }
    welcome_ = true;
}

ShippingConversation::Entry* ShippingConversation::entry_of(LogNumber number) {
    if (number >= next_number_) {
        nonsense("spoke of a log that was not opened");
    }
    const auto found = std::ranges::find_if(logs_, [number](const Entry& entry) {
        const State state = entry.second.state;
        const bool here = state != State::unopened and state != State::put_off and state != State::over;
        return here and entry.second.number == number;
    });
    return found == logs_.end() ? nullptr : &*found;
}

LogNews ShippingConversation::heard(Entry& entry, const LogOpened& frame) {
    Log& log = entry.second;
    if (log.state != State::opening) {
        nonsense("opened a log that was open");
    }
    if (frame.pieces < log.durable) {
        return fail(entry, "it has only the first " + std::to_string(frame.pieces) + " pieces of the log, but " +
                               std::to_string(log.durable) + " were safe there: has its directory been changed?");
    }
    // If a log's writer died, this side may have lost the end of the log.
    const bool given_up = log.ending and std::holds_alternative<GiveUpLog>(*log.ending);
    if (frame.pieces > log.to_ship.handed and not given_up) {
        return fail(entry, "it claims pieces of the log that it never got");
    }
    log.state = State::flowing;
    log.opened_once = true;
    log.next = frame.pieces;
    return {LogNews::Kind::opened, entry.first, frame.pieces, {}};
}

LogNews ShippingConversation::heard(Entry& entry, const LogDurable& frame) const {
    Log& log = entry.second;
    if (frame.pieces > log.next) {
        nonsense("acknowledged pieces that it cannot have");
    }
    log.durable = std::max(log.durable, frame.pieces);
    return {LogNews::Kind::durable, entry.first, log.durable, {}};
}

LogNews ShippingConversation::heard(Entry& entry, const LogHold& frame) {
    Log& log = entry.second;
    if (log.state == State::flowing or log.state == State::closing) {
        log.state = State::held;
    }
    return {LogNews::Kind::held, entry.first, 0, reason_of(frame.reason)};
}

LogNews ShippingConversation::heard(Entry& entry, const LogGoOn& frame) const {
    Log& log = entry.second;
    if (log.state != State::held and log.state != State::flowing) {
        nonsense("went on with a log that it did not hold");
    }
    if (frame.pieces > log.next or frame.pieces < log.durable) {
        nonsense("goes on with a piece that cannot be due");
    }
    log.state = State::flowing;
    log.next = frame.pieces;
    return {LogNews::Kind::going_on, entry.first, frame.pieces, {}};
}

LogNews ShippingConversation::heard(Entry& entry, const LogClosed& /*frame*/) const {
    Log& log = entry.second;
    if (log.state != State::closing) {
        nonsense("closed a log that was not to be closed");
    }
    log.state = State::over;
    log.durable = log.next;
    return {LogNews::Kind::closed, entry.first, log.durable, {}};
}

LogNews ShippingConversation::heard(Entry& entry, const LogRefused& frame) const {
    const std::string reason = "refused: " + reason_of(frame.reason);
    if (not frame.try_again) {
        return fail(entry, reason);
    }
    entry.second.state = State::put_off;
    entry.second.open_again = now_ + kPutOff;
    return {LogNews::Kind::put_off, entry.first, 0, reason};
}

LogNews ShippingConversation::fail(Entry& entry, std::string reason) {
    entry.second.state = State::over;
    return {LogNews::Kind::refused, entry.first, 0, std::move(reason)};
}

void ShippingConversation::nonsense(const std::string& what) const {
    throw ProtocolError(peer_, what);
}

}  // namespace groma
