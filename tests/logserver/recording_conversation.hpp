// Conversations that note what a carrier tells them, and answer when a test says so.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logserver/conversation.hpp"

namespace groma {

/// Begins conversations that share its notes and its times.
class RecordingHost final : public ConversationHost {
public:
    [[nodiscard]] std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& answers,
                                                      MonoTime now) override;

    std::vector<std::string> notes;  ///< "close 5" for a frame, "rubbish: ...", "lost: ...", "deaf", "tick", "gone"
    std::vector<ConversationPeer> peers;
    AnswerSink* answers = nullptr;  ///< of the conversation that began last
    MonoTime deadline = MonoTime::max();
    MonoTime read_again_at = MonoTime::min();
};

class RecordingConversation final : public Conversation {
public:
    explicit RecordingConversation(RecordingHost& host) : host_(host) {}
    RecordingConversation(const RecordingConversation&) = delete;
    RecordingConversation& operator=(const RecordingConversation&) = delete;
    ~RecordingConversation() override { note("gone"); }

    void on_frame(const LogFrame& frame, MonoTime /*now*/) noexcept override {
        const auto* const close = std::get_if<CloseLog>(&frame);
        note(close != nullptr ? "close " + std::to_string(close->log) : "another frame");
    }
    void on_rubbish(const std::string& what, MonoTime /*now*/) noexcept override { note("rubbish: " + what); }
    void on_lost(const std::string& reason) noexcept override { note("lost: " + reason); }
    void on_deaf() noexcept override { note("deaf"); }
    void tick(MonoTime now) noexcept override {
        if (now >= host_.deadline) {
            note("tick");
            host_.deadline = MonoTime::max();
        }
    }
    [[nodiscard]] MonoTime next_deadline() const override { return host_.deadline; }
    [[nodiscard]] std::size_t longest_frame() const override { return kMaxOtherFrame; }
    [[nodiscard]] MonoTime read_again_at() const override { return host_.read_again_at; }

private:
    void note(std::string what) { host_.notes.push_back(std::move(what)); }

    RecordingHost& host_;
};

inline std::unique_ptr<Conversation> RecordingHost::begin(const ConversationPeer& peer, AnswerSink& sink,
                                                          MonoTime /*now*/) {
    peers.push_back(peer);
    answers = &sink;
    return std::make_unique<RecordingConversation>(*this);
}

/// Frames for them, as bytes: a CloseLog of each number from `first` to `last`.
inline std::vector<std::byte> closing_frames(LogNumber first, LogNumber last) {
    std::vector<std::byte> bytes;
    for (LogNumber log = first; log <= last; ++log) {
        const auto frame = serialize(LogFrame(CloseLog{log, 0, 0, 0}));
        bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    return bytes;
}

}  // namespace groma
