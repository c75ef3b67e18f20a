#include <netinet/tcp.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tests/world/network.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSegmentBytes = 1448;
constexpr Nanos kFirstRetry = 200ms;  // the least that Linux waits; RFC 6298 has a second
constexpr Nanos kFirstSynRetry = 1s;
constexpr Nanos kLongestRetry = 120s;
constexpr Nanos kConnectPatience = 127s;  // tcp_syn_retries of Linux
constexpr Nanos kSendPatience = 924s;     // tcp_retries2

}  // namespace

short TcpSocket::events() const {
    if (state_ == State::listening) {
        return static_cast<short>(backlog_.empty() ? 0 : POLLIN);
    }
    if (state_ == State::fresh) {
        return POLLOUT | POLLHUP;
    }
    if (state_ == State::connecting) {
        return 0;
    }
    const bool is_over = state_ == State::over;
    const bool ends = peer_shut_ or is_over;
    return static_cast<short>((not received_.empty() or ends ? POLLIN : 0) | (ends ? POLLRDHUP : 0) |
                              (is_over or (outgoing_.size() < send_bytes and not shut_) ? POLLOUT : 0) |
                              (error != 0 ? POLLERR : 0) | (is_over or (peer_shut_ and shut_) ? POLLHUP : 0));
}

ssize_t TcpSocket::read(std::span<const iovec> pieces) {
    if (state_ == State::fresh or state_ == State::listening) {
        return failed<ssize_t>(ENOTCONN);
    }
    if (received_.empty()) {
        if (error != 0) {
            return failed<ssize_t>(take_error());
        }
        return peer_shut_ or state_ == State::over ? 0 : failed<ssize_t>(EAGAIN);
    }
    const bool was_full = received_.size() >= receive_bytes;
    const std::size_t count = scatter(pieces, received_);
    received_.erase(0, count);
    if (was_full and state_ == State::connected) {
        acknowledge();
    }
    return static_cast<ssize_t>(count);
}

ssize_t TcpSocket::write(std::span<const iovec> pieces) {
    if (error != 0) {
        return failed<ssize_t>(take_error());
    }
    if (state_ == State::connecting) {
        return failed<ssize_t>(EAGAIN);
    }
    if (state_ != State::connected or shut_) {
        return failed<ssize_t>(EPIPE);
    }
    const std::string bytes = gather(pieces);
    const std::size_t count = std::min(bytes.size(), send_bytes - std::min(send_bytes, outgoing_.size()));
    if (count == 0 and not bytes.empty()) {
        return failed<ssize_t>(EAGAIN);
    }
    outgoing_.append(bytes, 0, count);
    push();
    return static_cast<ssize_t>(count);
}

int TcpSocket::listen(int backlog) {
    state_ = State::listening;
    most_backlog_ = static_cast<std::size_t>(std::max(backlog, 1));
    return 0;
}

int TcpSocket::connect(const Address& to) {
    if (state_ == State::connecting) {
        return failed(EALREADY);
    }
    if (state_ != State::fresh) {
        return failed(EISCONN);
    }
    if (not process().host->has_address) {
        return failed(ENETUNREACH);
    }
    peer = to;
    state_ = State::connecting;
    network().connections_[{local, peer}] = shared_from_this();
    send_syn();
    wait_for_answer();
    return failed(EINPROGRESS);
}

std::shared_ptr<TcpSocket> TcpSocket::accept() {
    if (backlog_.empty()) {
        errno = state_ == State::listening ? EAGAIN : EINVAL;
        return nullptr;
    }
    const auto accepted = backlog_.front();
    backlog_.pop_front();
    return accepted;
}

int TcpSocket::shutdown(int how) {
    if (state_ != State::connected) {
        return failed(ENOTCONN);
    }
    if (how != SHUT_WR) {
        peer_shut_ = true;
        received_.clear();
    }
    if (how != SHUT_RD) {
        shut_ = true;
        push();
    }
    changed();
    return 0;
}

void TcpSocket::closed() {
    for (const auto& waiting : std::exchange(backlog_, {})) {
        waiting->closed();
    }
    network().release(*this);
    if (state_ == State::connecting or (state_ == State::connected and not received_.empty())) {
        reset();
    } else if (state_ == State::connected) {
        is_orphan_ = true;
        shut_ = true;
        push();
        end_if_done();
    } else {
        state_ = State::over;
    }
}

void TcpSocket::reset() {
    network().send(Segment{.from = local, .to = peer, .at = sent_, .rst = true});
    end(ECONNRESET);
}

void TcpSocket::vanish() {
    state_ = State::over;
    next_try_ = Nanos::max();
}

void TcpSocket::end(int with_error) {
    state_ = State::over;
    error = with_error;
    next_try_ = Nanos::max();
    changed();
    network().connections_.erase({local, peer});  // the last line: this may destroy the object
}

void TcpSocket::end_if_done() {
    if (is_orphan_ and outgoing_.empty() and fin_acknowledged_) {
        end(0);
    }
}

void TcpSocket::send_syn() {
    network().send(Segment{.from = local, .to = peer, .syn = true, .window_end = window_end()});
}

void TcpSocket::accept_syn() {
    network().send(Segment{.from = local, .to = peer, .syn = true, .acknowledges = 0, .window_end = window_end()});
}

/// Also announces the window.
void TcpSocket::acknowledge() {
    network().send(
        Segment{.from = local, .to = peer, .at = sent_, .acknowledges = expected_, .window_end = window_end()});
}

void TcpSocket::push() {
    const std::uint64_t end = acknowledged_ + outgoing_.size();
    while (sent_ < std::min(end, peer_window_end_)) {
        const std::uint64_t size = std::min({std::uint64_t{kSegmentBytes}, end - sent_, peer_window_end_ - sent_});
        network().send(Segment{.from = local,
                               .to = peer,
                               .at = sent_,
                               .bytes = outgoing_.substr(sent_ - acknowledged_, size),
                               .acknowledges = expected_,
                               .window_end = window_end()});
        sent_ += size;
    }
    if (shut_ and sent_ == end and not fin_acknowledged_) {
        network().send(Segment{
            .from = local, .to = peer, .at = end, .fin = true, .acknowledges = expected_, .window_end = window_end()});
    }
    wait_for_answer();
}

/// Retransmits until all sent data is acknowledged.
void TcpSocket::wait_for_answer() {
    const bool waits = state_ == State::connecting or not outgoing_.empty() or (shut_ and not fin_acknowledged_);
    if (not waits or state_ == State::over) {
        next_try_ = Nanos::max();
        return;
    }
    if (next_try_ == Nanos::max()) {
        waits_since_ = network().world().tasks.now();
        tries_ = 0;
        try_later();
    }
}

void TcpSocket::try_later() {
    const Nanos first = state_ == State::connecting ? kFirstSynRetry : kFirstRetry;
    next_try_ = network().world().tasks.now() + std::min(kLongestRetry, first * (1U << std::min(tries_, 10U)));
    network().world().tasks.at(next_try_, [weak = weak_from_this(), when = next_try_] {
        if (const auto self = weak.lock(); self and self->next_try_ == when) {
            self->try_again();
        }
    });
}

void TcpSocket::try_again() {
    const int user = option(IPPROTO_TCP, TCP_USER_TIMEOUT);
    const Nanos patience = user > 0                      ? Nanos(std::chrono::milliseconds(user))
                           : state_ == State::connecting ? kConnectPatience
                                                         : kSendPatience;
    if (network().world().tasks.now() - waits_since_ >= patience) {
        end(ETIMEDOUT);
        return;
    }
    ++tries_;
    ++network().counts.sent_again;
    try_later();
    if (state_ == State::connecting) {
        send_syn();
    } else if (sent_ == acknowledged_ and not outgoing_.empty()) {
        // The window is closed, or its update was lost: the answer to an already acknowledged byte has the window.
        network().send(Segment{.from = local, .to = peer, .at = acknowledged_ - 1, .is_probe = true});
    } else {
        sent_ = acknowledged_;
        push();
    }
}

void TcpSocket::keep_alive() {
    if (state_ == State::connected and option(SOL_SOCKET, SO_KEEPALIVE) != 0 and not std::exchange(probes_, true)) {
        heard_ = network().world().tasks.now();
        probe_later(heard_ + patience_with_silence().idle);
    }
}

TcpSocket::KeepAlive TcpSocket::patience_with_silence() const {
    const auto set = [this](int name, int otherwise) {
        const int value = option(IPPROTO_TCP, name);
        return value > 0 ? value : otherwise;
    };
    return {.idle = std::chrono::seconds(set(TCP_KEEPIDLE, 7200)),
            .interval = std::chrono::seconds(set(TCP_KEEPINTVL, 75)),
            .count = set(TCP_KEEPCNT, 9)};
}

void TcpSocket::probe_later(Nanos when) {
    network().world().tasks.at(when, [weak = weak_from_this()] {
        if (const auto self = weak.lock(); self and self->state_ == State::connected) {
            self->probe();
        }
    });
}

void TcpSocket::probe() {
    const Nanos now = network().world().tasks.now();
    const auto [idle, interval, count] = patience_with_silence();
    if (now - heard_ >= idle + count * interval) {
        end(ETIMEDOUT);
    } else if (now - heard_ >= idle) {
        network().send(Segment{.from = local, .to = peer, .at = sent_, .is_probe = true});
        probe_later(now + interval);
    } else {
        probe_later(heard_ + idle);
    }
}

void TcpSocket::arrive(const Segment& segment) {
    heard_ = network().world().tasks.now();
    if (segment.rst) {
        end(state_ == State::connecting ? ECONNREFUSED : ECONNRESET);
        return;
    }
    if (state_ == State::connecting) {
        if (not segment.syn) {
            return;
        }
        state_ = State::connected;
        next_try_ = Nanos::max();
        keep_alive();
        changed();
    }
    if (segment.syn and not segment.acknowledges) {
        accept_syn();  // the first answer was lost
        return;
    }
    if (segment.acknowledges) {
        take_acknowledgement(*segment.acknowledges, segment.window_end);
    }
    if (state_ != State::over and (segment.syn or segment.is_probe or segment.fin or not segment.bytes.empty())) {
        take_bytes(segment);
    }
}

void TcpSocket::take_acknowledgement(std::uint64_t up_to, std::uint64_t window) {
    const std::uint64_t end = acknowledged_ + outgoing_.size();
    const bool opens = window > peer_window_end_;
    peer_window_end_ = std::max(peer_window_end_, window);
    const bool is_news = up_to > acknowledged_ + (fin_acknowledged_ ? 1 : 0);
    if (is_news) {
        outgoing_.erase(0, std::min(up_to, end) - acknowledged_);
        acknowledged_ = std::min(up_to, end);
        sent_ = std::max(sent_, acknowledged_);
        fin_acknowledged_ = up_to > end;
        next_try_ = Nanos::max();
        changed();
    }
    if (is_news or opens) {
        push();
    }
    end_if_done();
}

void TcpSocket::take_bytes(const Segment& segment) {
    if (is_orphan_ and not segment.bytes.empty()) {
        reset();  // it will never be read (RFC 9293, 3.10.7.1)
        return;
    }
    const std::uint64_t end = segment.at + segment.bytes.size();
    if (segment.at <= expected_ and end > expected_ and not peer_shut_) {
        const std::uint64_t room = window_end() - expected_;
        received_.append(segment.bytes, expected_ - segment.at, room);
        expected_ = std::min(end, expected_ + room);
        changed();
    }
    if (segment.fin and end == expected_ and not fin_received_) {
        ++expected_;
        fin_received_ = peer_shut_ = true;
        changed();
    }
    acknowledge();
}

void Network::send(const TcpSocket::Segment& segment) {
    carry(segment.from.host, segment.to.host, [this, segment] {
        if (const auto found = connections_.find({segment.to, segment.from}); found != connections_.end()) {
            const auto socket = found->second;
            socket->arrive(segment);
            return;
        }
        const auto listener = std::dynamic_pointer_cast<TcpSocket>(bound(SOCK_STREAM, segment.to));
        const bool listens = listener and listener->state() == TcpSocket::State::listening;
        if (segment.syn and not segment.acknowledges and listens) {
            listener->take_connection(segment);
        } else if (not segment.rst) {
            send(TcpSocket::Segment{.from = segment.to, .to = segment.from, .rst = true});
        }
    });
}

void TcpSocket::take_connection(const Segment& syn) {
    if (backlog_.size() >= most_backlog_) {
        return;  // the other side retries
    }
    const auto made = std::make_shared<TcpSocket>(network(), process());
    made->local = syn.to;
    made->peer = syn.from;
    made->state_ = State::connected;
    made->peer_window_end_ = syn.window_end;
    made->receive_bytes = receive_bytes;
    made->send_bytes = send_bytes;
    made->options = options;
    network().connections_[{made->local, made->peer}] = made;
    made->keep_alive();
    backlog_.push_back(made);
    changed();
    made->accept_syn();
}

}  // namespace groma::world
