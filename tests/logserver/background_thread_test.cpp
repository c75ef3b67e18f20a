#include "logserver/background_thread.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <thread>

namespace groma {
namespace {

TEST(BackgroundThread, WorksElsewhereAndTellsTheServersThread) {
    boost::asio::io_context io;
    BackgroundThread background(io.get_executor());
    std::thread::id worked_on;
    std::thread::id told_on;
    background.run([&] { worked_on = std::this_thread::get_id(); }, [&] { told_on = std::this_thread::get_id(); });
    io.run();
    EXPECT_EQ(told_on, std::this_thread::get_id()) << "the context does not run out of work before";
    EXPECT_NE(worked_on, std::thread::id());
    EXPECT_NE(worked_on, told_on);
}

TEST(BackgroundThread, TakesTheNextWorkWhenItTellsThatWorkIsDone) {
    boost::asio::io_context io;
    BackgroundThread background(io.get_executor());
    int done = 0;
    std::function<void()> next = [&] {
        if (++done < 100) {
            background.run([] {}, next);
        }
    };
    background.run([] {}, next);
    io.run();
    EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace groma
