#include "common/shipping/shipper/shipping_conversation.hpp"

#include <algorithm>

namespace groma {

ShippingConversation::ShippingConversation(std::string peer, std::string node)
    : peer_(std::move(peer)), node_(std::move(node)) {}

LogId ShippingConversation::add(LogToShip log) {
    const LogId id = next_id_++;
    logs_.try_emplace(id, std::move(log), peer_);
    return id;
}

void ShippingConversation::handed(LogId log, std::uint64_t pieces) {
    if (const auto found = logs_.find(log); found != logs_.end()) {
        found->second.handed(pieces);
    }
}

void ShippingConversation::end(LogId log, LogEnding ending) {
    if (const auto found = logs_.find(log); found != logs_.end()) {
        found->second.end(std::move(ending));
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
        log.connected();
    }
}

bool ShippingConversation::needs_connection() const {
    return std::ranges::any_of(logs_, [](const auto& entry) { return entry.second.needs_connection(); });
}

bool ShippingConversation::awaits_answer() const {
    return (greeted_ and not welcome_) or
           std::ranges::any_of(logs_, [](const auto& entry) { return entry.second.awaits_answer(); });
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
        if (auto frame = turn->second.next(turn->first, next_number_, now)) {
            due_.emplace(*std::move(frame), turn->first);
            return due_->first;
        }
    }
    return std::nullopt;
}

void ShippingConversation::sent() {
    check(due_.has_value(), "a frame was sent that was not due");
    const auto [frame, id] = *std::exchange(due_, std::nullopt);
    if (not greeted_) {
        greeted_ = true;
        return;
    }
    last_served_ = id;
    logs_.at(id).sent(frame);
}

MonoTime ShippingConversation::next_deadline() const {
    MonoTime first = MonoTime::max();
    for (const auto& [id, log] : logs_) {
        first = std::min(first, log.open_again_at());
    }
    return first;
}

std::vector<LogNews> ShippingConversation::hear(const LogFrame& frame, MonoTime now) {
    due_.reset();
    if (const auto* refused = std::get_if<LogRefused>(&frame);
        refused != nullptr and refused->log == kWholeConnection) {
        refused_connection(*refused);
    }
    return std::visit(
        [this, now](const auto& each) -> std::vector<LogNews> {
            using Frame = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Frame, ServerWelcome>) {
                heard_welcome(each);
                return {};
            } else if constexpr (requires(LogStream & log) { log.heard(each, now); }) {
                auto* const entry = stream_of(each.log);
                if (entry == nullptr) {
                    return {};
                }
                LogNews news = entry->second.heard(each, now);
                news.log = entry->first;
                return {std::move(news)};
            } else {
                nonsense("sent what a log server does not send");
            }
        },
        frame);
}

void ShippingConversation::refused_connection(const LogRefused& refused) const {
    const std::string reason = "refused: " + reason_of_server(refused.reason);
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

std::pair<const LogId, LogStream>* ShippingConversation::stream_of(LogNumber number) {
    if (number >= next_number_) {
        nonsense("spoke of a log that was not opened");
    }
    const auto found = std::ranges::find_if(logs_, [number](const auto& entry) { return entry.second.is(number); });
    return found == logs_.end() ? nullptr : &*found;
}

void ShippingConversation::nonsense(const std::string& what) const {
    throw ProtocolError(peer_, what);
}

}  // namespace groma
