#include "receiver/run_log.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/receiver/receiver_fixture.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using ::testing::ElementsAre;
using ::testing::Field;

const Grant kLab{.name = "lab", .roles = {Role::receive}};

class RunLogTest : public ::testing::Test {
protected:
    /// Runs the coroutine to its end. Throws: what it throws.
    void run(asio::awaitable<void> task) {
        std::exception_ptr failure;
        asio::co_spawn(io_, std::move(task), [&failure](const std::exception_ptr& error) { failure = error; });
        io_.restart();
        io_.run();
        if (failure) {
            std::rethrow_exception(failure);
        }
    }

    void open(const std::string& name, bool offered = false) {
        RunMetadata metadata;
        metadata.run_id = "0123456789abcdef0123456789abcdef";
        metadata.role = LogRole::receiver;
        FlowSetup setup;
        setup.spec.id = FlowId{1};
        setup.spec.name = "flow-1";
        setup.spec.target.host = "beta";
        setup.spec.stop.packets = 1;
        metadata.flows.push_back(setup);
        const LogTarget target{.file = path(name),
                               .offered = offered,
                               .server = {},
                               .folder_on_server = {},
                               .name_on_server = {},
                               .key = kLab};
        run(log_.open(target, metadata, kMaxBlockRecords));
    }

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

    /// One packet of the flow, through a queue.
    void log_a_packet() {
        ArrivalQueue& queue = log_.get()->add_queue(16);
        ASSERT_TRUE(queue.push(
            {FlowId{1}, {.seq = 0, .sent_at = wall_time_from_ns(1), .received_at = wall_time_from_ns(2), .size = 3}}));
        log_.run();
        log_.stop();
    }

    asio::io_context io_{1};
    TemporaryFolder folder_;
    ManualClock clock_;
    Resolver resolver_{{}, kernel_clock()};
    LogShippers shippers_{{.program = "test", .spool = {}}, nullptr, resolver_, kernel_clock()};
    RunLog log_{clock_, shippers_};
    LeftLogs left_{std::chrono::minutes(1)};
};

TEST_F(RunLogTest, WritesRecordsEventsAndTotalsAndCompletesTheResults) {
    EXPECT_EQ(log_.get(), nullptr);
    open("recv.glog");
    log_a_packet();
    std::vector<LogEvent> events{{.at = wall_time_from_ns(5), .flow = {}, .kind = "clock-stepped", .text = "so"}};
    ReceiverResults results;
    results.flows = {{.flow = FlowId{1}, .packets = 3, .bytes = 9, .state = "ok"}};  // 2 packets are not in the log
    run(log_.close("interrupted", events, results));
    EXPECT_EQ(results.log_error, "");
    EXPECT_EQ(results.flows.at(0).records_lost, 2U);
    LogContents contents;
    read_log(path("recv.glog"), contents);
    EXPECT_EQ(contents.records.size(), 1U);
    EXPECT_THAT(contents.events,
                ElementsAre(Field(&LogEvent::kind, "clock-stepped"), Field(&LogEvent::kind, "interrupted"),
                            Field(&LogEvent::kind, "records-lost")));
    EXPECT_EQ(contents.events, events);
    ASSERT_TRUE(contents.totals.has_value());
    EXPECT_EQ(contents.totals->end, "interrupted");
    EXPECT_EQ(contents.totals->flows.at(0).records, 1U);
}

TEST_F(RunLogTest, OneThatIsAbandonedLeavesNoFile) {
    open("recv.glog");
    log_.run();
    log_.stop();
    run(log_.abandon());
    EXPECT_FALSE(log_.leave(left_, "10.0.0.1", MonoTime{}));
    EXPECT_EQ(log_.get(), nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(RunLogTest, OneThatIsOfferedIsLeftUnderItsToken) {
    open("recv.glog", true);
    log_a_packet();
    std::vector<LogEvent> events;
    ReceiverResults results;
    run(log_.close("complete", events, results));
    const std::optional<Token> token = log_.token();
    ASSERT_TRUE(token.has_value());
    EXPECT_TRUE(log_.leave(left_, "10.0.0.1", MonoTime{}));
    RunLog later(clock_, shippers_);
    EXPECT_FALSE(later.resume(left_, Token{}, kLab, MonoTime{}));
    EXPECT_FALSE(later.resume(left_, *token, std::nullopt, MonoTime{}));
    EXPECT_TRUE(later.resume(left_, *token, kLab, MonoTime{}));
    run([](RunLog& log) -> asio::awaitable<void> {
        const Message section = co_await log.section(0);
        EXPECT_GT(std::get<LogSection>(section).log_bytes, 0U);
        (void)co_await log.remove();
    }(later));
    EXPECT_FALSE(later.leave(left_, "10.0.0.1", MonoTime{}));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(RunLogTest, OneThatIsNotOfferedHasNoTokenAndIsLeftToNobody) {
    open("recv.glog");
    EXPECT_EQ(log_.token(), std::nullopt);
    log_a_packet();
    std::vector<LogEvent> events;
    ReceiverResults results;
    run(log_.close("complete", events, results));
    EXPECT_FALSE(log_.leave(left_, "10.0.0.1", MonoTime{}));
}

TEST_F(RunLogTest, WhatCannotBeOpenedIsNoLog) {
    EXPECT_THROW(open("none/recv.glog"), SystemError);
    EXPECT_EQ(log_.get(), nullptr);
    log_.stop();  // does nothing
}

}  // namespace
}  // namespace groma
