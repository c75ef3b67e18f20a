#include "logserver/tcp_session.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <tuple>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// Deadlines that the conversation moves without telling are noticed within this time.
constexpr Nanos kLongestWatch = std::chrono::seconds(1);
// Of answers that a peer has not taken; an answer has some 20 bytes.
constexpr std::size_t kMostAnswers = 1U << 20U;

/// A host that vanished without a word is noticed after `unanswered`: it is asked after a third of it, four times.
void watch_for_dead_hosts(tcp::socket& socket, Nanos unanswered) {
    boost::system::error_code ignored;
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto set = [&](int option, int value) {
        ::setsockopt(socket.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
    };
    const auto sixth = static_cast<int>(unanswered / std::chrono::seconds(6));
    set(TCP_KEEPIDLE, std::max(2 * sixth, 1));
    set(TCP_KEEPINTVL, std::max(sixth, 1));
    set(TCP_KEEPCNT, 4);
    set(TCP_NODELAY, 1);
}

}  // namespace

TcpSession::TcpSession(ByteStream stream, ConversationPeer peer, Admission::Slot slot,
                       const CarrierSurroundings& surroundings)
    : surroundings_(surroundings),
      slot_(std::move(slot)),
      peer_(std::move(peer)),
      stream_(std::move(stream)),
      frames_(peer_.name, kMaxOtherFrame),
      reading_(stream_.socket().get_executor(), surroundings.clock),
      writing_(stream_.socket().get_executor()),
      watching_(stream_.socket().get_executor(), surroundings.clock) {
    watch_for_dead_hosts(stream_.socket(), surroundings_.times.unanswered);
}

asio::awaitable<void> TcpSession::run() {
    using namespace asio::experimental::awaitable_operators;  // NOLINT(google-build-using-namespace)
    conversation_ = surroundings_.host.begin(peer_, *this, now());
    co_await (read() && write() && watch());
    conversation_.reset();
}

void TcpSession::close() noexcept {
    closed_ = true;
    boost::system::error_code ignored;
    stream_.socket().close(ignored);
    reading_.cancel();
    writing_.notify();
    watching_.cancel();
}

void TcpSession::answer(std::vector<std::byte> frame) {
    if (answers_.size() < kMostAnswers) {
        answers_.insert(answers_.end(), frame.begin(), frame.end());
    } else {
        write_deadline_ = now();
        watching_.cancel();
    }
    writing_.notify();
}

void TcpSession::finish() {
    finishing_ = true;
    farewell_deadline_ = now() + surroundings_.times.farewell;
    writing_.notify();
    watching_.cancel();
    reading_.cancel();
}

void TcpSession::lose(const std::string& reason) {
    if (not closed_) {
        conversation_->on_lost(reason);
        close();
    }
}

asio::awaitable<void> TcpSession::read() {
    while (not closed_ and not finishing_) {
        const auto space = frames_.space();
        const auto [error, got] = co_await stream_.read_some(asio::buffer(space.data(), space.size()));
        if (error) {
            lose(error == asio::error::eof ? "closed the connection before its logs were complete"
                                           : "connection lost: " + error.message());
            co_return;
        }
        frames_.filled(got);
        while (take_frames()) {
            co_await asio::post(stream_.socket().get_executor(), asio::use_awaitable);
        }
        while (not closed_ and not finishing_ and conversation_->read_again_at() > now()) {
            co_await reading_.wait(conversation_->read_again_at());
        }
    }
    co_await ignore_the_rest();
}

/// Closing with unread bytes resets the connection, and the last answer would be lost on the way.
asio::awaitable<void> TcpSession::ignore_the_rest() {
    std::array<std::byte, 4096> ignored{};
    boost::system::error_code error;
    while (not closed_ and not error) {
        std::tie(error, std::ignore) = co_await stream_.read_some(asio::buffer(ignored));
    }
    close();
}

bool TcpSession::take_frames() {
    try {
        for (std::size_t taken = 0; taken < kFramesInTurn; ++taken) {
            const auto frame = finishing_ or closed_ ? std::nullopt : frames_.next();
            if (not frame) {
                return false;
            }
            conversation_->on_frame(*frame, now());
            frames_.allow(conversation_->longest_frame());
        }
        return true;
    } catch (const ProtocolError& error) {
        conversation_->on_rubbish(error.what(), now());
        return false;
    }
}

asio::awaitable<void> TcpSession::write() {
    boost::system::error_code error;
    std::vector<std::byte> going;
    while (not closed_) {
        if (answers_.empty()) {
            if (finishing_) {
                stream_.socket().shutdown(tcp::socket::shutdown_send, error);
                co_return;
            }
            co_await writing_.wait();
            continue;
        }
        going.clear();
        std::swap(going, answers_);
        write_deadline_ = now() + surroundings_.times.writing;
        std::tie(error, std::ignore) = co_await stream_.write(asio::buffer(going));
        write_deadline_ = MonoTime::max();
        if (error) {
            lose("cannot be answered: " + error.message());
        }
    }
}

asio::awaitable<void> TcpSession::watch() {
    while (not closed_) {
        const MonoTime deadline =
            std::min({conversation_->next_deadline(), write_deadline_, farewell_deadline_, now() + kLongestWatch});
        co_await watching_.wait(deadline);
        if (closed_) {
            co_return;
        }
        if (now() >= farewell_deadline_) {
            close();
        } else if (now() >= write_deadline_) {
            conversation_->on_deaf();
            close();
        } else {
            conversation_->tick(now());
        }
    }
}

}  // namespace groma
