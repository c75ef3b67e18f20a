#include "common/control/supervision.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/system_clock.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {

namespace {

/// A service manager, as sd_notify(3) describes it: a socket for datagrams, named in the environment.
class Manager {
public:
    explicit Manager(const char* watchdog_us) {
        const std::string path = folder_.file("notify");
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size());
        checked("bind", ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
        ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
        ::setenv("WATCHDOG_USEC", watchdog_us, 1);
    }
    Manager(const Manager&) = delete;
    Manager& operator=(const Manager&) = delete;
    ~Manager() {
        ::unsetenv("NOTIFY_SOCKET");
        ::unsetenv("WATCHDOG_USEC");
    }

    [[nodiscard]] std::vector<std::string> heard() const {
        std::vector<std::string> all;
        std::array<char, 256> text{};
        for (ssize_t size = 0; (size = ::recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT)) > 0;) {
            all.emplace_back(text.data(), static_cast<std::size_t>(size));
        }
        return all;
    }

private:
    TemporaryFolder folder_;
    FileDescriptor socket_{checked("socket", ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0))};
};

using Heard = std::vector<std::string>;

class SupervisionTest : public ::testing::Test {
protected:
    SystemClock clock_;
    boost::asio::io_context io_;
    Supervision supervision_{io_, clock_};
};

TEST_F(SupervisionTest, AServiceManagerHearsThatTheDaemonIsReadyWorksAndStops) {
    const Manager manager("2");
    supervision_.begin([] {});
    EXPECT_EQ(manager.heard(), (Heard{"READY=1", "WATCHDOG=1"}));
    io_.run_one();
    EXPECT_EQ(manager.heard(), Heard{"WATCHDOG=1"});
    supervision_.end();
    EXPECT_EQ(manager.heard(), Heard{"STOPPING=1"});
    io_.run();  // nothing is left to wait for
    EXPECT_TRUE(manager.heard().empty());
}

TEST_F(SupervisionTest, WithoutAWatchdogNothingBeats) {
    const Manager manager("0");
    supervision_.begin([] {});
    EXPECT_EQ(manager.heard(), Heard{"READY=1"});
    supervision_.end();
    io_.run();
}

TEST_F(SupervisionTest, ADaemonThatNobodySupervisesTellsNobody) {
    const Manager manager("2");
    supervision_.end();
    EXPECT_TRUE(manager.heard().empty());
}

TEST_F(SupervisionTest, ASignalStopsTheDaemonAndASecondOneEndsTheProgram) {
    int stops = 0;
    supervision_.begin([&] {
        ++stops;
        supervision_.end();
    });
    std::raise(SIGTERM);
    io_.run();
    EXPECT_EQ(stops, 1);
    struct sigaction now {};
    ::sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
}

}  // namespace

}  // namespace groma
