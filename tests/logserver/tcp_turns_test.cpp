// Turns of connections over TCP, over loopback with conversations that record their frames.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>

#include "common/net/socket/socket.hpp"
#include "logserver/tcp_carrier.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

constexpr std::size_t kFrames = 300;

class NotingConversation final : public Conversation {
public:
    NotingConversation(std::string peer, std::vector<std::string>& notes) : peer_(std::move(peer)), notes_(notes) {}
    void on_frame(const LogFrame& /*frame*/, MonoTime /*now*/) noexcept override { notes_.push_back(peer_); }
    void on_rubbish(const std::string& what, MonoTime /*now*/) noexcept override { ADD_FAILURE() << what; }
    void on_lost(const std::string& /*reason*/) noexcept override {}
    void tick(MonoTime /*now*/) noexcept override {}
    [[nodiscard]] MonoTime next_deadline() const override { return MonoTime::max(); }
    [[nodiscard]] std::size_t longest_frame() const override { return kMaxOtherFrame; }

private:
    std::string peer_;
    std::vector<std::string>& notes_;
};

class NotingHost final : public ConversationHost {
public:
    [[nodiscard]] std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& /*answers*/,
                                                      MonoTime /*now*/) override {
        return std::make_unique<NotingConversation>(peer.name, notes);
    }
    std::vector<std::string> notes;  ///< who sent each frame
};

void send_frames(const FileDescriptor& socket, std::size_t count) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<std::byte> frame = serialize(CloseLog{1, 0, 0, 0});
        bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    ASSERT_EQ(::send(socket.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
}

std::size_t longest_run(const std::vector<std::string>& notes) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        run = i > 0 and notes[i] == notes[i - 1] ? run + 1 : 1;
        longest = std::max(longest, run);
    }
    return longest;
}

TEST(TcpTurns, OneConnectionsManyFramesDoNotMakeAnotherWait) {
    boost::asio::io_context io{1};
    NotingHost host;
    const LogServerTimes times;
    Entrance entrance(io, {}, {"this log server", "senders"}, kernel_clock(), [](const std::string&) {});
    TcpCarrier carrier({.port = 0, .udp = false}, entrance,
                       {io, host, kernel_clock(), times, 10, [](const std::string&) {}});
    const SocketAddress server = carrier.addresses().front();
    const auto run_until = [&](std::size_t frames) {
        while (host.notes.size() < frames) {
            io.run_one();
        }
    };
    std::vector<FileDescriptor> clients;
    for (int i = 0; i < 2; ++i) {
        clients.push_back(open_socket(server, SOCK_STREAM));
        const int connected = ::connect(clients.back().get(), server.data(), server.size());
        ASSERT_TRUE(connected == 0 or errno == EINPROGRESS);
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
        send_frames(clients[i], 1);
        run_until(i + 1);
    }
    host.notes.clear();
    for (const FileDescriptor& client : clients) {
        send_frames(client, kFrames);
    }
    run_until(2 * kFrames);
    EXPECT_LE(longest_run(std::vector(host.notes.begin(), host.notes.begin() + kFrames)), kFramesInTurn);
    carrier.stop();
    io.run();
}

}  // namespace
}  // namespace groma
