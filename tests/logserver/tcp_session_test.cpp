// A session on one of two connected sockets, and a shipper that is a few lines of the test on the other.
#include "logserver/tcp_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>

#include "common/os/file_descriptor.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/logserver/recording_conversation.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TcpSessionTest : public testing::Test {
protected:
    /// Begins the session, as a carrier does for a connection.
    void begin() {
        std::array<int, 2> pair{};
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
        shipper_ = FileDescriptor(pair[1]);
        session_.emplace(ByteStream(boost::asio::ip::tcp::socket(io_, boost::asio::ip::tcp::v4(), pair[0])),
                         ConversationPeer{.name = "a client", .host = ""}, Admission::Slot(), surroundings_);
        boost::asio::co_spawn(io_, session_->run(), [this](const std::exception_ptr& error) {
            EXPECT_EQ(error, nullptr);
            ended_ = true;
        });
        work();
    }
    /// All that can be done now.
    void work() {
        io_.restart();
        io_.poll();
    }
    void ship(std::span<const std::byte> bytes) {
        ASSERT_EQ(::send(shipper_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
        work();
    }
    void answer(std::size_t bytes) { host_.answers->answer(std::vector<std::byte>(bytes)); }
    /// What the shipper finds on its socket; -1: nothing, 0: the end.
    ssize_t read(std::size_t most = 100'000) const {
        std::vector<std::byte> bytes(most);
        return ::recv(shipper_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    }

    ManualClock clock_;
    LogServerTimes times_;
    RecordingHost host_;
    boost::asio::io_context io_{1};
    CarrierSurroundings surroundings_{io_, host_, clock_, times_, 10, [](const std::string&) {}};
    FileDescriptor shipper_;
    std::optional<TcpSession> session_;
    bool ended_ = false;
};

TEST_F(TcpSessionTest, FramesReachTheConversationAndItsAnswersTheShipper) {
    begin();
    const auto frames = closing_frames(5, 6);
    ship(std::span(frames).first(40));
    EXPECT_THAT(host_.notes, ElementsAre("close 5")) << "the other one is not whole";
    ship(std::span(frames).subspan(40));
    EXPECT_THAT(host_.notes, ElementsAre("close 5", "close 6"));
    answer(123);
    work();
    EXPECT_EQ(read(), 123);
    EXPECT_FALSE(ended_);
    session_->close();
    work();
    EXPECT_TRUE(ended_);
}

TEST_F(TcpSessionTest, AShipperThatClosesIsLost) {
    begin();
    shipper_.reset();
    work();
    EXPECT_TRUE(ended_);
    EXPECT_THAT(host_.notes, ElementsAre("lost: closed the connection before its logs were complete", "gone"));
}

TEST_F(TcpSessionTest, AfterItsLastAnswerItHearsNothingAndWaitsForTheShipperToClose) {
    begin();
    answer(3000);
    host_.answers->finish();
    work();
    EXPECT_EQ(read(), 3000);
    EXPECT_EQ(read(), 0) << "there is no more";
    ship(closing_frames(5, 5));
    EXPECT_THAT(host_.notes, IsEmpty());
    EXPECT_FALSE(ended_) << "closed with unread bytes, the last answer could be lost";
    shipper_.reset();
    work();
    EXPECT_TRUE(ended_);
    EXPECT_THAT(host_.notes, ElementsAre("gone"));
}

TEST_F(TcpSessionTest, WaitsForTheShipperToCloseUntilTheFarewellIsOver) {
    times_.farewell = Nanos{0};
    begin();
    host_.answers->finish();
    work();
    EXPECT_TRUE(ended_);
    EXPECT_EQ(read(), 0);
}

TEST_F(TcpSessionTest, AShipperThatTakesNoAnswersIsDeaf) {
    begin();
    answer(1U << 20U);
    work();
    EXPECT_THAT(host_.notes, IsEmpty());
    answer(1U << 20U);
    answer(1);
    work();
    EXPECT_TRUE(ended_);
    EXPECT_THAT(host_.notes, ElementsAre("deaf", "gone"));
}

TEST_F(TcpSessionTest, ReadsNoMoreThanTheConversationAllows) {
    begin();
    host_.read_again_at = clock_.now() + std::chrono::hours(1);
    ship(closing_frames(1, 1));
    ship(closing_frames(2, 2));
    EXPECT_THAT(host_.notes, ElementsAre("close 1")) << "what was read by then is taken";
    session_->close();
    work();
    EXPECT_TRUE(ended_);
}

TEST_F(TcpSessionTest, TellsTheConversationThatItsDeadlineHasCome) {
    host_.deadline = clock_.now();
    begin();
    for (int handlers = 0; handlers < 20 and host_.notes.empty(); ++handlers) {
        io_.run_one();
    }
    EXPECT_THAT(host_.notes, ElementsAre("tick"));
    session_->close();
    work();
}

TEST_F(TcpSessionTest, RubbishIsToldToTheConversation) {
    begin();
    ship(std::vector<std::byte>(4, std::byte{0xff}));
    ASSERT_EQ(host_.notes.size(), 1U);
    EXPECT_THAT(host_.notes[0], testing::AllOf(testing::StartsWith("rubbish: "),
                                               testing::HasSubstr("sent a frame of 4294967295 bytes")));
    session_->close();
    work();
}

}  // namespace
}  // namespace groma
