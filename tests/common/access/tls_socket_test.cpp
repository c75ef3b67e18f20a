#include "common/access/tls_socket.hpp"

#include <gmock/gmock.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <memory>
#include <vector>

#include "common/access/tls.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {
namespace {

SharedKey shared_key(unsigned fill) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(fill));
    return {.id = {std::byte{7}}, .secret = Secret(bytes)};
}

/// A client, and OpenSSL as its server, in one thread: neither blocks.
class TlsSocketTest : public ::testing::Test {
protected:
    TlsSocketTest() { begin(); }

    void begin() {
        client_.reset();
        std::array<int, 2> pair{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair.data()), 0);
        client_end_ = FileDescriptor(pair[0]);
        server_end_ = FileDescriptor(pair[1]);
        server_.reset(SSL_new(tls_context(TlsEnd::server).native_handle()));
        SSL_set_fd(server_.get(), server_end_.get());
        SSL_set_accept_state(server_.get());
        ask_for_key(server_.get(), question_);
        client_.emplace(client_end_.get(), shared_key(1));
    }

    /// Returns: how it ends for the client.
    boost::system::error_code meet() {
        for (int round = 0; round < 10; ++round) {
            if (const auto error = client_->shake_hands()) {
                SSL_do_handshake(server_.get());
                return *error;
            }
            EXPECT_EQ(client_->events(), 0);
            SSL_do_handshake(server_.get());
        }
        return boost::asio::error::timed_out;
    }

    std::optional<Secret> known_ = shared_key(1).secret;
    KeyQuestion question_{.secret_of = [this](const Token& /*id*/) { return known_; }};
    FileDescriptor client_end_;
    FileDescriptor server_end_;
    std::unique_ptr<SSL, decltype([](SSL* connection) { SSL_free(connection); })> server_;
    std::optional<TlsSocket> client_;
};

TEST_F(TlsSocketTest, ReadsARecordInParts) {
    ASSERT_FALSE(meet());
    std::array<std::byte, 100> space{};
    EXPECT_EQ(client_->receive(space), -1);
    EXPECT_EQ(errno, EAGAIN);
    const std::vector<unsigned char> bytes(250, 'x');
    ASSERT_EQ(SSL_write(server_.get(), bytes.data(), 250), 250);
    EXPECT_FALSE(client_->has_more()) << "poll() says so";
    EXPECT_EQ(client_->receive(space), 100);
    EXPECT_TRUE(client_->has_more());
    EXPECT_EQ(client_->receive(space), 100);
    EXPECT_EQ(client_->receive(space), 50);
    EXPECT_FALSE(client_->has_more());
    EXPECT_EQ(space.front(), std::byte{'x'});
}

TEST_F(TlsSocketTest, GoesOnWithBytesThatHaveMovedWhenThePeerHadNoRoom) {
    ASSERT_FALSE(meet());
    std::vector<std::byte> bytes(4U << 20U);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i % 251);
    }
    std::vector<std::byte> got;
    std::array<std::byte, 20'000> space{};
    std::size_t sent = 0;
    std::size_t waits = 0;
    while (got.size() < bytes.size()) {
        ssize_t taken = 0;
        while (taken >= 0 and sent < bytes.size()) {
            const std::vector<std::byte> rest(bytes.begin() + static_cast<std::ptrdiff_t>(sent), bytes.end());
            taken = client_->send(rest);
            sent += taken > 0 ? static_cast<std::size_t>(taken) : 0;
        }
        waits += taken < 0 and errno == EAGAIN ? 1 : 0;
        for (int read = 0; (read = SSL_read(server_.get(), space.data(), space.size())) > 0;) {
            got.insert(got.end(), space.begin(), space.begin() + read);
        }
    }
    EXPECT_EQ(got, bytes);
    EXPECT_GT(waits, 1U);
}

TEST_F(TlsSocketTest, TellsTheEndWhetherItIsSaidOrNot) {
    ASSERT_FALSE(meet());
    SSL_shutdown(server_.get());
    std::array<std::byte, 10> space{};
    EXPECT_EQ(client_->receive(space), 0);
}

TEST_F(TlsSocketTest, APeerThatGoesWithoutAWordIsAtItsEnd) {
    ASSERT_FALSE(meet());
    server_end_.reset();
    std::array<std::byte, 10> space{};
    EXPECT_EQ(client_->receive(space), 0);
    EXPECT_EQ(client_->send(space), -1);
    EXPECT_EQ(errno, EPIPE);
}

TEST_F(TlsSocketTest, BytesThatAreNotThePeersAreAnError) {
    ASSERT_FALSE(meet());
    const std::array<char, 40> bytes{0x17, 3, 3, 0, 35};
    ASSERT_EQ(::send(server_end_.get(), bytes.data(), bytes.size(), 0), 40);
    std::array<std::byte, 10> space{};
    EXPECT_EQ(client_->receive(space), -1);
    EXPECT_EQ(errno, EPROTO);
}

TEST_F(TlsSocketTest, AWrongKeyAndAnUnknownOneAreAnsweredAlike) {
    const OfferedKey key{.name = "lab", .host = "beta", .key = shared_key(1)};
    std::array<boost::system::error_code, 2> errors;
    for (auto& error : errors) {
        known_ = &error == errors.data() ? std::optional(shared_key(2).secret) : std::nullopt;
        begin();
        error = meet();
    }
    EXPECT_EQ(errors[0], errors[1]);
    EXPECT_THAT(why_unproved(errors[0], key, "groma-log"),
                ::testing::AllOf(::testing::StartsWith("does not take the key 'lab'"),
                                 ::testing::HasSubstr("groma-log has not read it yet (kill -HUP")));
}

TEST_F(TlsSocketTest, APeerInClearIsNamed) {
    const OfferedKey key{.name = "lab", .host = "beta", .key = shared_key(1)};
    EXPECT_FALSE(client_->shake_hands());
    const std::array<char, 12> bytes{0, 0, 0, 8, 10, 'n', 'o'};
    ASSERT_EQ(::send(server_end_.get(), bytes.data(), bytes.size(), 0), 12);
    const auto error = client_->shake_hands();
    ASSERT_TRUE(error);
    EXPECT_THAT(why_unproved(*error, key, "groma-log"), ::testing::StartsWith("speaks in clear"));
}

TEST_F(TlsSocketTest, APeerThatClosesIsNoProof) {
    const OfferedKey key{.name = "lab", .host = "beta", .key = shared_key(1)};
    EXPECT_FALSE(client_->shake_hands());
    server_end_.reset();
    const auto error = client_->shake_hands();
    ASSERT_TRUE(error);
    EXPECT_THAT(why_unproved(*error, key, "groma-log"),
                ::testing::StartsWith("closed the connection before the key 'lab' was compared"));
}

}  // namespace
}  // namespace groma
