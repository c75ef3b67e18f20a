#include "common/control/parsing_thread.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace groma {
namespace {

namespace asio = boost::asio;

TEST(FairTurns, TheShortOneComesBeforeTheLongOnes) {
    FairTurns turns;
    std::string order;
    for (int i = 0; i < 3; ++i) {
        turns.add(1000, [&order] { order += 'L'; });
    }
    turns.add(10, [&order] { order += 's'; });
    while (not turns.empty()) {
        turns.take()();
    }
    EXPECT_EQ(order, "sLLL");
}

TEST(FairTurns, TheLongOneIsOvertakenByNoMoreOfOneAskerThanItHasItself) {
    FairTurns turns;
    int overtaken = 0;
    bool over = false;
    turns.add(1000, [&over] { over = true; });
    while (not over) {  // another one queues again right after its turn
        turns.add(100, [&overtaken] { ++overtaken; });
        turns.take()();
    }
    EXPECT_EQ(overtaken, 9);
}

template <typename Work>
asio::awaitable<void> run_on(ParsingThread& thread, Work work, std::string& said) {
    try {
        said = co_await thread.run(1, work);
    } catch (const std::exception& error) {
        said = error.what();
    }
}

TEST(ParsingThread, GivesBackWhatTheWorkReturnsOrThrows) {
    asio::io_context io;
    ParsingThread thread;
    std::vector<std::string> said(2);
    asio::co_spawn(io,
                   run_on(
                       thread, [] { return std::string("parsed"); }, said[0]),
                   asio::detached);
    asio::co_spawn(io,
                   run_on(
                       thread, []() -> std::string { throw std::runtime_error("no JSON"); }, said[1]),
                   asio::detached);
    io.run();
    EXPECT_THAT(said, testing::ElementsAre("parsed", "no JSON"));
}

}  // namespace
}  // namespace groma
