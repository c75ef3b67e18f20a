// A real sink and a real server over loopback sockets: the pieces on the server's disk are those of the sink, whatever
// happens on the way.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"
#include "common/os/system_clock.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/links/link_openers.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "logserver/log_server.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/logserver/cutting_proxy.hpp"

namespace groma {
namespace {

class RunningServer {
public:
    explicit RunningServer(LogServerSettings settings) : server_(std::move(settings), clock_) {
        thread_ = std::thread([this] { server_.run(); });
    }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    ~RunningServer() {
        server_.stop();
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

private:
    SystemClock clock_;
    LogServer server_;
    std::thread thread_;
};

/// A shipper with one log.
class ShippedAlone final : public LogSink {
public:
    ShippedAlone(std::uint16_t port, const std::string& name, const ShippingLimits& limits,
                 const std::optional<OfferedKey>& key = std::nullopt)
        : shipper_({.open = tcp_link(SocketAddress::from_literal("127.0.0.1", port),
                                     "log server 127.0.0.1:" + std::to_string(port), key, limits.times),
                    .peer = "log server 127.0.0.1:" + std::to_string(port),
                    .server = "127.0.0.1:" + std::to_string(port),
                    .transport = LogTransport::tcp,
                    .node = "here",
                    .program = "test",
                    .spool = {},
                    .limits = limits,
                    .report = {}},
                   kernel_clock()),
          log_(shipper_.open_log("voip-1a2b3c4d", name)) {}

    void append(std::span<const std::byte> piece) override { log_->append(piece); }
    void close() override { log_->close(); }
    [[nodiscard]] std::string describe() const override { return log_->describe(); }

private:
    LogShipper shipper_;
    std::unique_ptr<LogSink> log_;
};

class DeliveryTest : public testing::Test {
protected:
    [[nodiscard]] LogServerSettings settings() const {
        LogServerSettings settings;
        settings.listen.address = "127.0.0.1";
        settings.listen.port = 0;
        settings.directory = directory_.path() / "logs";
        settings.limits.durable_every = std::chrono::milliseconds(5);
        settings.times.farewell = std::chrono::milliseconds(200);
        return settings;
    }
    static ShippingLimits limits() {
        ShippingLimits limits;
        limits.times.first_pause = std::chrono::milliseconds(1);
        limits.times.longest_pause = std::chrono::milliseconds(20);
        return limits;
    }
    static std::unique_ptr<LogSink> open(std::uint16_t port, const std::string& name = "sender",
                                         const std::optional<OfferedKey>& key = std::nullopt) {
        return std::make_unique<ShippedAlone>(port, name, limits(), key);
    }
    /// Of a server that asks for the key of this user.
    [[nodiscard]] LogServerSettings settings_with(const AccessKey& key) {
        LogServerSettings settings = this->settings();
        settings.keys.folder = directory_.path() / "keys";
        settings.report = [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            said_ += line + '\n';
        };
        std::filesystem::create_directories(settings.keys.folder);
        std::filesystem::permissions(settings.keys.folder, std::filesystem::perms::owner_all);
        const std::filesystem::path file = settings.keys.folder / "user.key";
        std::ofstream(file) << text_of(known_by_host(key, std::vector<std::string>{"logs"}));
        std::filesystem::permissions(file, std::filesystem::perms::owner_read);
        return settings;
    }
    /// Why the log is not opened.
    static std::string refusal(std::uint16_t port, const OfferedKey& key) {
        try {
            static_cast<void>(open(port, "sender", key));
        } catch (const std::exception& error) {
            return error.what();
        }
        return "it is opened";
    }
    [[nodiscard]] std::filesystem::path stored(const std::string& file = "sender.glog") const {
        return directory_.path() / "logs" / "voip-1a2b3c4d" / file;
    }

    TemporaryFolder directory_;
    std::mutex mutex_;
    std::string said_;  ///< by the server of settings_with()
};

AccessKey user_key(unsigned fill, Roles roles = {Role::ship}) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(fill));
    return {.grant = {.name = "lab", .roles = roles}, .secret = Secret(bytes)};
}

std::vector<std::byte> random_piece(std::mt19937_64& random, std::size_t most) {
    std::vector<std::byte> piece(random() % most + 1);
    std::ranges::generate(piece, [&] { return static_cast<std::byte>(random()); });
    return piece;
}

/// Writes the same pieces to a sink and, as text, to `copy`.
void write_pieces(LogSink& sink, std::string& copy, std::size_t count, std::size_t most_bytes) {
    std::mt19937_64 random(42);
    for (std::size_t i = 0; i < count; ++i) {
        const auto piece = random_piece(random, most_bytes);
        sink.append(piece);
        copy.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
}

TEST_F(DeliveryTest, TheLogOnTheServerIsTheLogThatWasWritten) {
    const RunningServer server(settings());
    const auto sink = open(server.port());
    std::string copy;
    write_pieces(*sink, copy, 200, 5000);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
}

TEST_F(DeliveryTest, PiecesLongerThanAFrameArriveWhole) {
    const RunningServer server(settings());
    const auto sink = open(server.port());
    std::string copy;
    write_pieces(*sink, copy, 3, 3U << 20U);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
}

TEST_F(DeliveryTest, AnEmptyLogIsALog) {
    const RunningServer server(settings());
    open(server.port())->close();
    EXPECT_EQ(content_of(stored()), "");
}

TEST_F(DeliveryTest, NothingIsLostOrDoubledWhenTheConnectionBreaksAgainAndAgain) {
    const RunningServer server(settings());
    const CuttingProxy proxy(server.port(), {300, 5000, 100'000, 3000, 77});
    std::string copy;
    // Whether the very first greeting survives is the proxy's choice: 300 bytes are enough for it.
    const auto sink = open(proxy.port());
    write_pieces(*sink, copy, 300, 5000);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
    EXPECT_GT(proxy.connections(), 3U);
}

TEST_F(DeliveryTest, AServerThatWasRestartedGoesOnWhereItWas) {
    // Bound, so that no other program gets the port while the server is away; callers are refused meanwhile.
    const FileDescriptor held(checked("make a socket", ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
    set_option(held, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
    const SocketAddress any = SocketAddress::from_literal("127.0.0.1", 0);
    checked("bind it", ::bind(held.get(), any.data(), any.size()));
    LogServerSettings same_port = settings();
    same_port.listen.port = bound_address(held).port();
    same_port.listen.udp = false;
    std::optional<RunningServer> server(std::in_place, same_port);
    const auto sink = open(server->port());
    std::string copy;
    std::string more;
    write_pieces(*sink, copy, 50, 5000);
    server.reset();
    write_pieces(*sink, more, 50, 5000);
    server.emplace(same_port);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy + more);
}

TEST_F(DeliveryTest, AFullWindowHoldsTheLogBackButLosesNothing) {
    const RunningServer server(settings());
    ShippingLimits small = limits();
    small.memory_bytes = 10'000;
    const auto sink = std::make_unique<ShippedAlone>(server.port(), "sender", small);
    std::string copy;
    write_pieces(*sink, copy, 30, 8000);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
}

TEST_F(DeliveryTest, AWriterThatNeverFindsItsServerAgainIsTold) {
    std::optional<RunningServer> server(std::in_place, settings());
    ShippingLimits impatient = limits();
    impatient.times.patience = std::chrono::milliseconds(50);
    const auto sink = std::make_unique<ShippedAlone>(server->port(), "sender", impatient);
    const std::string address = "127.0.0.1:" + std::to_string(server->port());
    server.reset();
    try {
        sink->append(std::as_bytes(std::span("abc", 3)));
        sink->close();
        FAIL() << "confirmed by nobody";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find(address), std::string::npos) << error.what();
    }
}

TEST_F(DeliveryTest, AServerThatIsNotThereIsNamedBeforeTheRun) {
    std::uint16_t port = 0;
    {
        const RunningServer server(settings());
        port = server.port();
    }
    try {
        (void)open(port);
        FAIL() << "opened nowhere";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ECONNREFUSED);
        EXPECT_NE(std::string(error.what()).find("groma-log"), std::string::npos) << error.what();
    }
}

TEST_F(DeliveryTest, TwoWritersOfOneLogAreRefused) {
    const RunningServer server(settings());
    const auto first = open(server.port());
    EXPECT_THROW((void)open(server.port()), ProtocolError);
    const auto other = open(server.port(), "receiver");
    first->close();
    other->close();
    EXPECT_TRUE(std::filesystem::exists(stored("receiver.glog")));
}

TEST_F(DeliveryTest, ALogIsRefusedWithTheServersReason) {
    LogServerSettings small = settings();
    small.max_log_bytes = 10;
    const RunningServer server(small);
    const auto sink = open(server.port());
    try {
        sink->append(std::as_bytes(std::span("twelve bytes", 12)));
        sink->close();
        FAIL() << "taken";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("--max-bytes"), std::string::npos) << error.what();
    }
}

TEST_F(DeliveryTest, AFullServerSaysSo) {
    LogServerSettings one = settings();
    one.max_sessions = 1;
    const RunningServer server(one);
    const auto first = open(server.port());
    try {
        (void)open(server.port(), "receiver");
        FAIL() << "taken";
    } catch (const ProtocolError& error) {
        EXPECT_NE(std::string(error.what()).find("--max-sessions"), std::string::npos) << error.what();
    }
    first->close();
}

TEST_F(DeliveryTest, AWriterThatVanishesLeavesAnIncompleteLog) {
    {
        const RunningServer server(settings());
        const auto sink = open(server.port());
        sink->append(std::as_bytes(std::span("abc", 3)));
    }
    EXPECT_FALSE(std::filesystem::exists(stored()));
    EXPECT_TRUE(std::filesystem::exists(stored("sender.glog.part")));
    const LogCatalogue catalogue(directory_.path() / "logs", LogCatalogue::Access::read);
    EXPECT_EQ(catalogue.find("voip-1a2b3c4d", "sender")->state, LogState::incomplete);
}

TEST_F(DeliveryTest, ClientsThatTalkRubbishHarmNobody) {
    const RunningServer server(settings());
    const auto sink = open(server.port());
    std::string copy;
    std::vector<FileDescriptor> clients;
    std::mt19937_64 random(7);
    for (int i = 0; i < 20; ++i) {
        clients.push_back(connect_to(server.port()));
        const auto rubbish = random_piece(random, 5000);
        (void)::send(clients.back().get(), rubbish.data(), rubbish.size(), MSG_NOSIGNAL);
    }
    for (const LogFrame& frame : {LogFrame{LogPiece{}}, LogFrame{CloseLog{}}, LogFrame{LogOpened{}}}) {
        clients.push_back(connect_to(server.port()));
        const auto bytes = serialize(frame);
        (void)::send(clients.back().get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
    write_pieces(*sink, copy, 50, 5000);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
}

TEST_F(DeliveryTest, AClientThatSaysNothingIsSentAway) {
    LogServerSettings hasty = settings();
    hasty.times.greeting = std::chrono::milliseconds(10);
    const RunningServer server(hasty);
    const FileDescriptor client = connect_to(server.port());
    std::string answer;
    std::array<char, 1000> buffer{};
    for (ssize_t got = 0; (got = ::recv(client.get(), buffer.data(), buffer.size(), 0)) > 0;) {
        answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    EXPECT_NE(answer.find("opened no log"), std::string::npos) << answer;
}

TEST_F(DeliveryTest, UnderAKeyTheLogIsTheSame) {
    {
        const RunningServer server(settings_with(user_key(1)));
        const auto sink = open(server.port(), "sender", user_key(1).offered_to("logs"));
        std::string copy;
        write_pieces(*sink, copy, 200, 5000);
        write_pieces(*sink, copy, 3, 3U << 20U);
        sink->close();
        EXPECT_EQ(content_of(stored()), copy);
    }
    EXPECT_THAT(said_, testing::HasSubstr(" with the key lab: completed voip-1a2b3c4d/sender"));
}

TEST_F(DeliveryTest, UnderAKeyNothingIsLostOrDoubledWhenTheConnectionBreaks) {
    const RunningServer server(settings_with(user_key(1)));
    const CuttingProxy proxy(server.port(), {2000, 5000, 100'000, 3000, 77});
    std::string copy;
    const auto sink = open(proxy.port(), "sender", user_key(1).offered_to("logs"));
    write_pieces(*sink, copy, 300, 5000);
    sink->close();
    EXPECT_EQ(content_of(stored()), copy);
    EXPECT_GT(proxy.connections(), 3U);
}

TEST_F(DeliveryTest, WhoseKeyIsNotTakenLearnsWhatToDo) {
    const RunningServer server(settings_with(user_key(1, {Role::receive, Role::send})));
    EXPECT_THAT(refusal(server.port(), user_key(2).offered_to("logs")),
                testing::HasSubstr("does not take the key 'lab' for the host 'logs'"));
    EXPECT_THAT(refusal(server.port(), user_key(1).offered_to("beta")),
                testing::HasSubstr("does not take the key 'lab' for the host 'beta'"));
    EXPECT_THAT(refusal(server.port(), user_key(1).offered_to("logs")), testing::HasSubstr("this takes the role ship"));
}

TEST_F(DeliveryTest, AServerWithoutKeysIsNotTakenForOneThatHasThem) {
    const RunningServer server(settings());
    EXPECT_THAT(refusal(server.port(), user_key(1).offered_to("logs")),
                testing::HasSubstr("speaks in clear, and the key 'lab' is for a peer that has it: start groma-log"));
}

}  // namespace
}  // namespace groma
