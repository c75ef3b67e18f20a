#include "mpi/world/mpi_carrier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/time/manual_clock.hpp"
#include "tests/mpi/fake_mpi.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::byte> frame_about(std::uint32_t log) {
    return serialize(LogFrame(LogDurable{.log = log, .pieces = 1}));
}

/// What a server's conversations have met, each with the peer: "rank 3: frame 7".
class NotingHost final : public ConversationHost {
public:
    std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& answers, MonoTime /*now*/) override {
        sink = &answers;
        return std::make_unique<Noting>(*this, peer.name);
    }

    std::vector<std::string> met;
    AnswerSink* sink = nullptr;  ///< of the conversation that began last
    MonoTime read_again_at = MonoTime::min();

private:
    class Noting final : public Conversation {
    public:
        Noting(NotingHost& host, std::string peer) : host_(host), peer_(std::move(peer)) { note("begins"); }

        void on_frame(const LogFrame& frame, MonoTime /*now*/) noexcept override {
            note("frame " + std::to_string(std::get<LogDurable>(frame).log));
        }
        void on_rubbish(const std::string& /*what*/, MonoTime /*now*/) noexcept override { note("rubbish"); }
        void on_lost(const std::string& reason) noexcept override { note(reason); }
        void tick(MonoTime /*now*/) noexcept override { note("tick"); }
        [[nodiscard]] MonoTime next_deadline() const override { return MonoTime::max(); }
        [[nodiscard]] std::size_t longest_frame() const override { return kMaxOtherFrame; }
        [[nodiscard]] MonoTime read_again_at() const override { return host_.read_again_at; }

    private:
        void note(const std::string& what) { host_.met.push_back(peer_ + ": " + what); }

        NotingHost& host_;
        std::string peer_;
    };
};

class MpiCarrierTest : public ::testing::Test {
protected:
    ~MpiCarrierTest() override { carrier_.stop(); }

    static void give(int from, std::uint32_t connection, std::span<const std::byte> frame,
                     LogLetter::Kind kind = LogLetter::Kind::frame) {
        fake_mpi().give(from, PostKind::logs_to_server, serialize(LogLetter{connection, kind, frame}));
    }

    /// The carrier looks for letters once. Returns: what was met.
    std::vector<std::string> look() {
        io_.run_one();
        return std::exchange(host_.met, {});
    }

    FakeRank rank_{0, 4};
    ManualClock clock_;
    boost::asio::io_context io_{1};
    NotingHost host_;
    MpiCarrier carrier_{{.world = rank_.world(), .io = io_, .host = host_, .clock = clock_}};
};

TEST_F(MpiCarrierTest, AConversationBeginsWithTheFirstFrameOfARanksConnection) {
    give(3, 5, frame_about(1));
    give(2, 5, frame_about(2));
    give(3, 5, frame_about(3));
    EXPECT_THAT(look(), ElementsAre("rank 3: begins", "rank 3: frame 1", "rank 2: begins", "rank 2: frame 2",
                                    "rank 3: frame 3"));
}

TEST_F(MpiCarrierTest, AnswersGoBackOverTheirConnection) {
    give(3, 5, frame_about(1));
    static_cast<void>(look());
    const std::vector<std::byte> answer = frame_about(8);
    host_.sink->answer(answer);
    host_.sink->finish();
    const std::vector<FakeMpi::Sent> sent = fake_mpi().sent();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].to, 3);
    EXPECT_EQ(sent[0].kind, PostKind::logs_to_shipper);
    const LogLetter first = parse_log_letter(sent[0].bytes, "rank 0");
    EXPECT_EQ(first.connection, 5U);
    EXPECT_TRUE(std::ranges::equal(first.frame, answer));
    EXPECT_EQ(parse_log_letter(sent[1].bytes, "rank 0").kind, LogLetter::Kind::end);
    give(3, 5, frame_about(2));
    EXPECT_THAT(look(), IsEmpty()) << "the conversation is over";
}

TEST_F(MpiCarrierTest, ALaterConnectionOfARankEndsTheOneBefore) {
    give(3, 5, frame_about(1));
    give(3, 6, frame_about(2));
    give(3, 5, frame_about(3));  // was on its way
    give(3, 5, {}, LogLetter::Kind::end);
    EXPECT_THAT(look(), ElementsAre("rank 3: begins", "rank 3: frame 1", "rank 3: connected again", "rank 3: begins",
                                    "rank 3: frame 2"));
}

TEST_F(MpiCarrierTest, ARanksEndLosesTheConversationAndBeginsNone) {
    give(3, 5, {}, LogLetter::Kind::end);
    EXPECT_THAT(look(), IsEmpty());
    give(3, 5, frame_about(1));
    give(3, 5, {}, LogLetter::Kind::end);
    give(3, 5, frame_about(2));
    EXPECT_THAT(look(), ElementsAre("rank 3: begins", "rank 3: frame 1",
                                    "rank 3: ended the connection before its logs were complete"));
}

TEST_F(MpiCarrierTest, WhatIsNoFrameIsRubbishAndWhatIsNoLetterIsPassedOver) {
    std::vector<std::byte> cut = frame_about(1);
    cut.pop_back();
    give(3, 5, cut);
    fake_mpi().give(2, PostKind::logs_to_server, {std::byte{1}});
    EXPECT_THAT(look(), ElementsAre("rank 3: begins", "rank 3: rubbish"));
}

TEST_F(MpiCarrierTest, TakesNoLettersBeforeItMayReadAgain) {
    give(3, 5, frame_about(1));
    static_cast<void>(look());
    host_.read_again_at = clock_.now() + std::chrono::seconds(1);
    give(2, 5, frame_about(2));
    EXPECT_THAT(look(), IsEmpty());
    clock_.advance(std::chrono::seconds(1));
    EXPECT_THAT(look(), ElementsAre("rank 2: begins", "rank 2: frame 2"));
}

TEST_F(MpiCarrierTest, ARankThatCannotBeAnsweredIsLost) {
    give(3, 5, frame_about(1));
    static_cast<void>(look());
    fake_mpi().break_down();
    host_.sink->answer(frame_about(8));
    fake_mpi().begin(0, 4);
    EXPECT_THAT(look(), ElementsAre("rank 3: takes no answers"));
    EXPECT_THAT(look(), IsEmpty());
}

TEST_F(MpiCarrierTest, StoppingLosesAllAndLeavesNothingToDo) {
    give(3, 5, frame_about(1));
    give(2, 5, frame_about(2));
    static_cast<void>(look());
    carrier_.stop();
    EXPECT_THAT(host_.met, ElementsAre("rank 2: the log server ended", "rank 3: the log server ended"));
    io_.run();  // returns
    EXPECT_TRUE(io_.stopped());
}

}  // namespace
}  // namespace groma
