#include "logserver/udp_session.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// Answers that a shipper has not taken; who lets so many pile up does not read.
constexpr std::size_t kMostAnswers = 1U << 20U;
constexpr const char* kDeaf = "does not read what it is answered";

}  // namespace

UdpSession::UdpSession(Setup setup, ConversationHost& host, MonoTime now)
    : setup_(std::move(setup)),
      stream_(setup_.identity, setup_.stream, now),
      frames_(setup_.peer.name, kMaxOtherFrame),
      conversation_(host.begin(setup_.peer, *this, now)) {}

void UdpSession::on_datagram(std::span<const std::byte> datagram, MonoTime now) {
    if (stream_.on_datagram(datagram, now)) {
        take_frames(now);
    }
    detect_end();
}

void UdpSession::take_frames(MonoTime now) {
    std::size_t taken = 0;
    try {
        while (not is_finishing_ and not is_over_ and conversation_->read_again_at() <= now) {
            if (taken == kFramesInTurn) {
                setup_.wake();
                return;
            }
            frames_.allow(conversation_->longest_frame());
            if (const auto frame = frames_.next()) {
                ++taken;
                conversation_->on_frame(*frame, now);
            } else if (stream_.readable() > 0) {
                frames_.filled(stream_.read(frames_.space()));
            } else {
                return;
            }
        }
    } catch (const ProtocolError& error) {
        conversation_->on_rubbish(error.what(), now);
    }
}

std::size_t UdpSession::next_datagram(std::span<std::byte> out, MonoTime now) {
    write_answers();
    const std::size_t bytes = stream_.next_datagram(out, now);
    detect_end();
    return bytes;
}

void UdpSession::tick(MonoTime now) {
    if (is_over_) {
        return;
    }
    if (conversation_->next_deadline() <= now) {
        conversation_->tick(now);
    }
    take_frames(now);  // those that had to wait
    if (finish_by_ == MonoTime::max() and is_finishing_) {
        finish_by_ = now + setup_.times.farewell;
    }
    if (finish_by_ <= now) {
        stream_.close();
    }
    detect_end();
}

MonoTime UdpSession::next_deadline() const {
    MonoTime next = stream_.next_deadline();
    if (not is_over_) {
        next = std::min({next, finish_by_, conversation_->next_deadline()});
        if (not is_finishing_ and stream_.readable() > 0) {
            next = std::min(next, conversation_->read_again_at());
        }
    }
    return next;
}

void UdpSession::detect_end() {
    if (is_over_) {
        return;
    }
    if (stream_.sent_all()) {
        stream_.close();
        is_over_ = true;
    } else if (stream_.ended() or stream_.state() == DatagramStream::State::closed_by_peer) {
        lost("closed the connection before its logs were complete");
    } else if (stream_.state() == DatagramStream::State::silent) {
        lost("connection lost: nothing was heard of it for too long");
    } else if (stream_.state() == DatagramStream::State::closed or is_deaf_) {
        lost(kDeaf);
    }
}

void UdpSession::lost(const std::string& reason) {
    is_over_ = true;
    stream_.close();
    conversation_->on_lost(reason);
}

void UdpSession::stop(const std::string& reason) {
    if (not is_over_) {
        lost(reason);
    }
}

void UdpSession::answer(std::vector<std::byte> frame) {
    if (is_finishing_ or is_over_) {
        return;
    }
    answers_.insert(answers_.end(), frame.begin(), frame.end());
    if (answers_.size() > kMostAnswers) {
        is_deaf_ = true;  // the conversation hears of it at the next turn, not from within what it says
    }
    setup_.wake();
}

void UdpSession::finish() {
    is_finishing_ = true;
    setup_.wake();
}

void UdpSession::write_answers() {
    if (not answers_.empty()) {
        const std::size_t taken = stream_.write(answers_);
        answers_.erase(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    if (is_finishing_ and answers_.empty()) {
        stream_.finish();
    }
}

}  // namespace groma
