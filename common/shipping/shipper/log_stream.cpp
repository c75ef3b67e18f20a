#include "common/shipping/shipper/log_stream.hpp"

#include <algorithm>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

/// Pause before a log is opened again after a temporary refusal.
constexpr Nanos kPutOff = std::chrono::seconds(1);

}  // namespace

std::string reason_of_server(const std::string& given) {
    constexpr std::size_t kLongestReason = 300;
    return plain_text(given, kLongestReason);
}

LogStream::LogStream(LogToShip log, const std::string& peer)
    : peer_(peer), log_(std::move(log)), durable_(log_.first), next_(log_.first) {}

void LogStream::connected() {
    if (state_ != State::over) {
        state_ = State::unopened;
    }
}

bool LogStream::needs_connection() const {
    return state_ != State::over and (not opened_once_ or ending_ or durable_ < log_.handed);
}

bool LogStream::awaits_answer() const {
    return state_ == State::opening or state_ == State::closing or (state_ == State::flowing and durable_ < next_);
}

bool LogStream::is(LogNumber number) const {
    const bool here = state_ != State::unopened and state_ != State::put_off and state_ != State::over;
    return here and number_ == number;
}

MonoTime LogStream::open_again_at() const {
    return state_ == State::put_off ? open_again_ : MonoTime::max();
}

std::optional<FrameDue> LogStream::next(LogId id, LogNumber& next_number, MonoTime now) {
    if (state_ == State::put_off and now >= open_again_) {
        state_ = State::unopened;
    }
    if (state_ == State::unopened) {
        number_ = next_number++;
        OpenLog open = log_.open;
        open.log = number_;
        return LogFrame(std::move(open));
    }
    if (state_ != State::flowing) {
        return std::nullopt;
    }
    if (next_ < log_.handed) {
        return PieceDue{id, number_, next_};
    }
    return ending_ ? std::optional<FrameDue>(ending_frame()) : std::nullopt;
}

LogFrame LogStream::ending_frame() const {
    if (const auto* close = std::get_if<CloseLog>(&*ending_)) {
        CloseLog numbered = *close;
        numbered.log = number_;
        return numbered;
    }
    GiveUpLog given_up = std::get<GiveUpLog>(*ending_);
    given_up.log = number_;
    given_up.pieces = next_;
    return given_up;
}

void LogStream::sent(const FrameDue& frame) {
    if (std::holds_alternative<PieceDue>(frame)) {
        ++next_;
    } else {
        state_ = state_ == State::unopened ? State::opening : State::closing;
    }
}

LogNews LogStream::heard(const LogOpened& frame, MonoTime /*now*/) {
    if (state_ != State::opening) {
        nonsense("opened a log that was open");
    }
    if (frame.pieces < durable_) {
        return fail("it has only " + counted(frame.pieces, "piece") + " of the log, but " + std::to_string(durable_) +
                    " were safe there: has its directory been changed?");
    }
    // If a log's writer died, this side may have lost the end of the log.
    const bool given_up = ending_ and std::holds_alternative<GiveUpLog>(*ending_);
    if (frame.pieces > log_.handed and not given_up) {
        return fail("it claims pieces of the log that it never got");
    }
    state_ = State::flowing;
    opened_once_ = true;
    next_ = frame.pieces;
    return {LogNews::Kind::opened, 0, frame.pieces, {}};
}

LogNews LogStream::heard(const LogDurable& frame, MonoTime /*now*/) {
    if (frame.pieces > next_) {
        nonsense("acknowledged pieces that it cannot have");
    }
    durable_ = std::max(durable_, frame.pieces);
    return {LogNews::Kind::durable, 0, durable_, {}};
}

LogNews LogStream::heard(const LogHold& frame, MonoTime /*now*/) {
    if (state_ == State::flowing or state_ == State::closing) {
        state_ = State::held;
    }
    return {LogNews::Kind::held, 0, 0, reason_of_server(frame.reason)};
}

LogNews LogStream::heard(const LogGoOn& frame, MonoTime /*now*/) {
    if (state_ != State::held and state_ != State::flowing) {
        nonsense("went on with a log that it did not hold");
    }
    if (frame.pieces > next_ or frame.pieces < durable_) {
        nonsense("goes on with a piece that cannot be due");
    }
    state_ = State::flowing;
    next_ = frame.pieces;
    return {LogNews::Kind::going_on, 0, frame.pieces, {}};
}

LogNews LogStream::heard(const LogClosed& /*frame*/, MonoTime /*now*/) {
    if (state_ != State::closing) {
        nonsense("closed a log that was not to be closed");
    }
    state_ = State::over;
    durable_ = next_;
    return {LogNews::Kind::closed, 0, durable_, {}};
}

LogNews LogStream::heard(const LogRefused& frame, MonoTime now) {
    const std::string reason = "refused: " + reason_of_server(frame.reason);
    if (not frame.try_again) {
        return fail(reason);
    }
    state_ = State::put_off;
    open_again_ = now + kPutOff;
    return {LogNews::Kind::put_off, 0, 0, reason};
}

LogNews LogStream::fail(std::string reason) {
    state_ = State::over;
    return {LogNews::Kind::refused, 0, 0, std::move(reason)};
}

void LogStream::nonsense(const std::string& what) const {
    throw ProtocolError(peer_, what);
}

}  // namespace groma
