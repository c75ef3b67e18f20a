#include "common/control/connection_gate.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using boost::asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr GateWords kWords{.daemon = "this daemon",
                           .connection = "session",
                           .slots_option = "daemon --max-sessions N",
                           .host_option = "daemon --max-per-host N"};

/// A gate on loopback, whose callers stay until they are let go.
class Gate : public ::testing::Test {
protected:
    void open(const GateLimits& limits) {
        gate_.emplace(kernel_clock(), limits, kWords, [this](const std::string& line) { said_ += line + '\n'; });
        boost::asio::co_spawn(
            io_, gate_->accept(acceptor_, [this](Caller caller) { callers_.push_back(std::move(caller)); }),
            boost::asio::detached);
    }
    ~Gate() override {
        gate_->stop();
        acceptor_.close();
        io_.restart();
        io_.run();
    }

    tcp::socket& connect() {
        clients_.emplace_back(io_).connect(acceptor_.local_endpoint());
        return clients_.back();
    }
    /// Returns when this number of callers has been handed over.
    void await(std::size_t callers) {
        while (callers_.size() < callers) {
            io_.run_one();
        }
    }
    [[nodiscard]] std::vector<std::string> refusals() const {
        std::vector<std::string> all;
        for (const Caller& caller : callers_) {
            all.push_back(caller.refusal);
        }
        return all;
    }

    boost::asio::io_context io_;
    tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
    std::optional<ConnectionGate> gate_;
    std::vector<tcp::socket> clients_;
    std::vector<Caller> callers_;
    std::string said_;
};

TEST_F(Gate, TakesAsManyAsThereAreSlotsAndTellsOthersWhy) {
    open({.slots = 1, .slots_of_host = 1});
    connect();
    connect();
    await(2);
    EXPECT_THAT(refusals(), ElementsAre(IsEmpty(),
                                        "this daemon has 1 session already, the most that it may have "
                                        "(daemon --max-sessions N raises that)"));
    callers_.clear();
    connect();
    await(1);
    EXPECT_THAT(refusals(), ElementsAre(IsEmpty()));
}

TEST_F(Gate, KeepsSlotsForOtherHosts) {
    open({.slots = 2, .slots_of_host = 1});
    connect();
    connect();
    tcp::socket other(io_);
    other.open(tcp::v4());
    other.bind({boost::asio::ip::make_address("127.0.0.2"), 0});
    other.connect(acceptor_.local_endpoint());
    await(3);
    EXPECT_THAT(refusals(), ElementsAre(IsEmpty(), HasSubstr("1 session of your host already"), IsEmpty()));
}

TEST_F(Gate, ClosesThoseWithoutAWordThatAreTooManyToBeTold) {
    open({.slots = 1, .slots_of_host = 1, .refused = 1});
    connect();
    connect();
    await(2);
    tcp::socket& third = connect();
    std::optional<boost::system::error_code> end;
    char byte = 0;
    third.async_receive(boost::asio::buffer(&byte, 1), [&](const auto& error, std::size_t) { end = error; });
    while (not end) {
        io_.run_one();
    }
    EXPECT_TRUE(*end);
    EXPECT_EQ(callers_.size(), 2U);
}

TEST_F(Gate, LeavesDescriptorsToTheWorkOfItsDaemon) {
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    open({.fds_left = std::numeric_limits<std::uint64_t>::max()});
    connect();
    // The first free number is in the last quarter of what may be opened.
    const int next = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
    ::close(next);
    const rlimit low{.rlim_cur = static_cast<rlim_t>(next) + 2, .rlim_max = usual.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &low);
    await(1);
    ::setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_THAT(refusals(), ElementsAre(HasSubstr("no file descriptors left for one more connection")));
}

TEST_F(Gate, RefusesInWordsWhenThereIsNoDescriptorAtAllAndGoesOnLater) {
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    open({});
    connect();
    const int next = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = usual.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    await(1);
    ::setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_THAT(refusals(), ElementsAre(HasSubstr("no file descriptors left for one more connection")));
    EXPECT_THAT(said_, IsEmpty());
    callers_.clear();
    connect();
    await(1);
    EXPECT_THAT(refusals(), ElementsAre(IsEmpty()));
}

TEST_F(Gate, TakesTheNextOneWhenDescriptorsAreBackBeforeItComes) {
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    open({});
    const int next = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = usual.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    io_.poll();  // accept(2) takes a number before it checks for a waiting caller
    ::setrlimit(RLIMIT_NOFILE, &usual);
    connect();
    await(1);
    EXPECT_THAT(refusals(), ElementsAre(IsEmpty()));
}

TEST_F(Gate, RestsWhenNoneOfItsAcceptorsGetsADescriptor) {
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    tcp::acceptor second(io_, {boost::asio::ip::address_v4::loopback(), 0});
    open({});
    boost::asio::co_spawn(io_, gate_->accept(second, [this](Caller caller) { callers_.push_back(std::move(caller)); }),
                          boost::asio::detached);
    // One of them for the descriptor that is kept.
    for (int i = 0; i < 2; ++i) {
        connect();
        clients_.emplace_back(io_).connect(second.local_endpoint());
    }
    const int next = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = usual.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    await(1);
    while (said_.empty()) {
        io_.run_one();
    }
    io_.poll();
    // Both rest; nothing is ready until the first pause is over.
    EXPECT_EQ(io_.poll(), 0U);
    ::setrlimit(RLIMIT_NOFILE, &usual);
    await(4);
}

TEST_F(Gate, GivesSlotsLaterToWhoHasProvedItself) {
    open({.slots = 1, .slots_of_host = 1, .later = true, .refused = 1});
    connect();
    connect();
    connect();
    await(3);
    EXPECT_THAT(refusals(), ElementsAre("", "", ""));
    EXPECT_FALSE(callers_[0].slot);
    EXPECT_TRUE(gate_->give_slot(callers_[1], "a"));
    EXPECT_TRUE(callers_[1].slot);
    EXPECT_TRUE(gate_->give_slot(callers_[0], "b"));
    EXPECT_THAT(callers_[0].refusal, HasSubstr("has 1 session already"));
    EXPECT_FALSE(gate_->give_slot(callers_[2], "b"));
}

}  // namespace
}  // namespace groma
