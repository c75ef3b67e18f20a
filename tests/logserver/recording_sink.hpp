// The other end of a conversation with a log server: notes the frames that it is answered.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/shipping/log_frames.hpp"
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

    std::vector<LogFrame> frames;
    bool finished = false;
};

}  // namespace groma
