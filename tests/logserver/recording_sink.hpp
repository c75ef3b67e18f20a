// The other end of a conversation with a log server: records the frames that it gets.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"
#include "logserver/conversation.hpp"

namespace groma {

class RecordingSink final : public AnswerSink {
public:
    void answer(std::vector<std::byte> frame) override {
        EXPECT_FALSE(finished) << "answered after the end";
        frames.push_back(parse_log_frame(std::span<const std::byte>(frame).subspan(4), "the server"));
    }
    void finish() override { finished = true; }

    /// The last frame, if it is of this kind; a default one and a failure otherwise.
    template <typename Frame>
    [[nodiscard]] Frame last() const {
        const Frame* frame = frames.empty() ? nullptr : std::get_if<Frame>(&frames.back());
        EXPECT_NE(frame, nullptr) << "the last of " << frames.size() << " answers is another one";
        return frame == nullptr ? Frame{} : *frame;
    }

    /// The log that was opened last; only frames about its durable pieces may follow.
    [[nodiscard]] LogOpened last_opened() const {
        const auto* const durable = frames.size() < 2 ? nullptr : std::get_if<LogDurable>(&frames.back());
        const auto* const opened = std::get_if<LogOpened>(&frames.at(frames.size() - (durable != nullptr ? 2 : 1)));
        EXPECT_NE(opened, nullptr) << "the last of " << frames.size() << " answers does not open a log";
        if (durable != nullptr and opened != nullptr) {
            EXPECT_EQ(durable->log, opened->log);
            EXPECT_LE(durable->pieces, opened->pieces);
        }
        return opened == nullptr ? LogOpened{} : *opened;
    }

    std::vector<LogFrame> frames;
    bool finished = false;
};

}  // namespace groma
