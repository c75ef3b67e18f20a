#include "common/net/stream/tcp_channel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

/// A listener without frames.
class RawListener {
public:
    explicit RawListener(int backlog = 8) : listener_(open_socket(at(kIpv4), SOCK_STREAM)) {
        bind_socket(listener_, at(kIpv4), at(kIpv4));
        EXPECT_EQ(::listen(listener_.get(), backlog), 0);
    }

    [[nodiscard]] SocketAddress address() const { return local_address_of(listener_.get()); }
    [[nodiscard]] FileDescriptor accept() const {
        EXPECT_TRUE(wait_for(listener_.get(), POLLIN));
        return FileDescriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    }

private:
    FileDescriptor listener_;
};

/// Everything that can be read now, or (when `to_the_end`) until the stream ends.
std::vector<std::byte> read_all(const FileDescriptor& socket, bool to_the_end) {
    std::vector<std::byte> bytes;
    std::vector<std::byte> piece(10'000);
    while (true) {
        const ssize_t count = ::recv(socket.get(), piece.data(), piece.size(), 0);
        if (count > 0) {
            bytes.insert(bytes.end(), piece.begin(), piece.begin() + count);
        } else if (count == 0 or not to_the_end or not wait_for(socket.get(), POLLIN)) {
            return bytes;
        }
    }
}

void set_small_buffer(int fd, int direction) {
    const int small = 1;  // the kernel raises it to its minimum
    ASSERT_EQ(::setsockopt(fd, SOL_SOCKET, direction, &small, sizeof small), 0);
}

/// Sends until the socket is full and a part of a frame is held; returns how many frames counted as sent.
std::size_t fill(TcpChannel& channel, FrameMaker& maker, std::size_t frame_size) {
    std::size_t sent = 0;
    while (not channel.holding()) {
        const std::vector<Frame> frames = maker.next(10, frame_size);
        const SendOutcome outcome = channel.send(frames);
        sent += outcome.sent;
        if (outcome.status == SendStatus::would_block and not channel.holding()) {
            ADD_FAILURE() << "the socket filled up between two frames";
            break;
        }
    }
    return sent;
}

TEST(TcpChannel, TheBytesOnTheStreamAreTheBytesAskedFor) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    const FileDescriptor reader = listener.accept();
    FrameMaker maker(Transport::tcp);
    std::size_t total = 0;
    for (const std::size_t size : {1U, 2U, 4U, 5U, 13U, 20U, 21U, 127U, 128U, 1400U}) {
        ASSERT_EQ(channel.send(maker.next(1, size)).sent, 1U);
        total += size;
    }
    ASSERT_TRUE(channel.finish(kPlenty));
    EXPECT_EQ(read_all(reader, true).size(), total);
}

TEST(TcpChannel, AHeaderThatLeavesNoRoomForTheLengthIsCut) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    const FileDescriptor reader = listener.accept();
    FrameMaker made_for_udp(Transport::udp);
    ASSERT_EQ(channel.send(made_for_udp.next(1, 20)).sent, 1U);
    ASSERT_TRUE(channel.finish(kPlenty));
    const auto stream = read_all(reader, true);
    EXPECT_EQ(stream.size(), 20U);
    StreamFrameParser parser(HeaderLevel::full);
    std::span<const std::byte> piece = stream;
    const auto frame = parser.next(piece);
    ASSERT_TRUE(frame and frame->header);
    EXPECT_EQ(frame->header->sent_at, FrameMaker::sent_at(0));
}

TEST(TcpChannel, AFrameThatCannotBeFramedIsNotSentAndTheOnesBeforeItAre) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    const std::vector<std::byte> filler(kMaxStreamFrame + 1);
    std::vector<Frame> frames(2);
    frames[0].rest = std::span(filler).first(10);
    for (const std::size_t impossible : {std::size_t{0}, filler.size()}) {
        frames[1].rest = std::span(filler).first(impossible);
        const SendOutcome outcome = channel.send(frames);
        EXPECT_EQ(outcome.status, SendStatus::too_big);
        EXPECT_EQ(outcome.sent, 1U);
    }
}

TEST(TcpChannel, ASlowReaderGetsEveryFrameWholeAndInOrder) {
    constexpr std::size_t kSize = 3000;
    constexpr std::uint32_t kFrames = 400;
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    set_small_buffer(channel.fd(), SO_SNDBUF);
    const FileDescriptor reader = listener.accept();
    FrameMaker maker(Transport::tcp);
    const std::vector<Frame> frames = maker.next(kFrames, kSize);

    std::vector<std::byte> stream;
    std::size_t sent = 0;
    std::size_t blocked = 0;
    while (sent < frames.size()) {
        const SendOutcome outcome = channel.send(std::span(frames).subspan(sent));
        sent += outcome.sent;
        if (outcome.status == SendStatus::would_block) {
            ++blocked;
            ASSERT_TRUE(wait_for(reader.get(), POLLIN));
            const auto piece = read_all(reader, false);
            stream.insert(stream.end(), piece.begin(), piece.end());
            ASSERT_TRUE(wait_for(channel.fd(), POLLOUT));
        }
    }
    ASSERT_TRUE(channel.finish(kPlenty));
    const auto rest = read_all(reader, true);
    stream.insert(stream.end(), rest.begin(), rest.end());

    EXPECT_GT(blocked, 0U);
    EXPECT_EQ(stream.size(), kSize * kFrames);
    StreamFrameParser parser(HeaderLevel::full);
    std::span<const std::byte> piece = stream;
    for (std::uint32_t seq = 0; seq < kFrames; ++seq) {
        const auto frame = parser.next(piece);
        ASSERT_TRUE(frame and frame->header);
        EXPECT_EQ(frame->header->seq, seq);
        EXPECT_EQ(frame->size, kSize);
    }
}

TEST(TcpChannel, WhileAPartOfAFrameIsHeldNothingElseIsSent) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    set_small_buffer(channel.fd(), SO_SNDBUF);
    const FileDescriptor reader = listener.accept();
    FrameMaker maker(Transport::tcp);
    fill(channel, maker, 500'000);
    ASSERT_TRUE(channel.holding());
    const SendOutcome outcome = channel.send(maker.next(1, 10));
    EXPECT_EQ(outcome.status, SendStatus::would_block);
    EXPECT_EQ(outcome.sent, 0U);
}

TEST(TcpChannel, FinishSaysWhenWhatIsHeldCouldNotGo) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    set_small_buffer(channel.fd(), SO_SNDBUF);
    const FileDescriptor reader = listener.accept();
    FrameMaker maker(Transport::tcp);
    fill(channel, maker, kMaxStreamFrame);
    EXPECT_FALSE(channel.finish(Nanos{0}));
}

TEST(TcpChannel, AReaderThatHangsUpIsSeenAsClosed) {
    const RawListener listener;
    TcpChannel channel({Transport::tcp, {}, listener.address(), kPlenty}, kernel_clock());
    const linger reset{.l_onoff = 1, .l_linger = 0};
    FileDescriptor reader = listener.accept();
    ASSERT_EQ(::setsockopt(reader.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
    reader.reset();
    ASSERT_TRUE(wait_for(channel.fd(), POLLHUP));
    FrameMaker maker(Transport::tcp);
    const SendOutcome outcome = channel.send(maker.next(1, 100));
    EXPECT_EQ(outcome.status, SendStatus::closed);
    EXPECT_EQ(outcome.sent, 0U);
}

TEST(TcpChannel, APortWhereNobodyListensIsAnErrorWithAdvice) {
    SocketAddress closed;
    {
        const RawListener listener;
        closed = listener.address();
    }
    try {
        const TcpChannel channel({Transport::tcp, {}, closed, kPlenty}, kernel_clock());
        FAIL() << "connected to nobody";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ECONNREFUSED);
        EXPECT_THAT(error.what(), testing::HasSubstr("connect to " + closed.to_string() + " over TCP"));
        EXPECT_THAT(error.what(), testing::HasSubstr("is the receiver running"));
    }
}

TEST(TcpChannel, AHostThatDoesNotAnswerIsGivenUpAfterTheLimit) {
    const RawListener listener(0);  // does not answer further ones while one connection waits to be accepted
    std::vector<std::unique_ptr<TcpChannel>> waiting;
    int error = 0;
    for (int i = 0; i < 10 and error == 0; ++i) {
        try {
            waiting.push_back(std::make_unique<TcpChannel>(
                ChannelSpec{Transport::tcp, {}, listener.address(), std::chrono::milliseconds(1)}, kernel_clock()));
        } catch (const SystemError& thrown) {
            error = thrown.errno_value();
        }
    }
    EXPECT_EQ(error, ETIMEDOUT);
}

}  // namespace
}  // namespace groma
