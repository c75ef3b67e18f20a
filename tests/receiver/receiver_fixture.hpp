// A receiver that runs in a thread of the test, on a loopback port that the kernel chose, with its own log folder.
#pragma once

#include <gmock/gmock.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/os/temporary_folder.hpp"
#include "receiver/receiver_server.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/receiver/test_sender.hpp"
#include "tests/silent_names.hpp"

namespace groma {

/// All of a log, in memory.
struct LogContents : LogVisitor {
    void on_metadata(const RunMetadata& found) override { metadata = found; }
    void on_received(FlowId flow, std::span<const ReceivedRecord> found) override {
        for (const ReceivedRecord& record : found) {
            records.emplace_back(flow, record);
        }
    }
    void on_event(const LogEvent& event) override { events.push_back(event); }
    void on_totals(const LogTotals& found) override { totals = found; }
    void on_gap(const LogGap& gap) override { ADD_FAILURE() << "a gap in the log: " << gap.reason; }

    std::optional<RunMetadata> metadata;
    std::vector<std::pair<FlowId, ReceivedRecord>> records;
    std::vector<LogEvent> events;
    std::optional<LogTotals> totals;
};

class ReceiverFixture : public ::testing::Test {
protected:
    ReceiverFixture() {
        options_.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
        options_.log_dir = folder_.path();
        options_.times.silence = kPatience;
        options_.look_up = names_.look_up();
        options_.say = [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            said_ += line + '\n';
            changed_.notify_all();
        };
    }

    ~ReceiverFixture() override { stop(); }

    void start() {
        server_.emplace(options_, kernel_clock());
        thread_ = std::thread([this] { server_->run(); });
    }

    /// Returns when all sessions have ended.
    void stop() {
        if (thread_.joinable()) {
            server_->stop();
            thread_.join();
        }
    }

    [[nodiscard]] SocketAddress address() const { return server_->addresses().front(); }

    /// Returns when the receiver has printed `text`.
    void wait_for(const std::string& text) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return said_.find(text) != std::string::npos; });
    }

    static FlowSpec flow(std::uint32_t id, Transport transport = Transport::udp) {
        FlowSpec spec;
        spec.id = FlowId{id};
        spec.name = "flow-" + std::to_string(id);
        spec.transport = transport;
        spec.target.host = "127.0.0.1";
        spec.stop.packets = 1000;
        return spec;
    }

    /// Greets, opens the flows and starts. Returns: the flows' addresses.
    std::vector<SocketAddress> begin(TestSender& sender, const std::vector<FlowSpec>& flows,
                                     const std::string& log_file = {}) {
        return begin(sender, flows, Start{.log_file = log_file, .log_server = ""});
    }
    std::vector<SocketAddress> begin(TestSender& sender, const std::vector<FlowSpec>& flows, const Start& start) {
        (void)sender.ask(TestSender::hello());
        const Message opened = sender.ask(OpenFlows{flows});
        std::vector<SocketAddress> ports;
        for (const OpenedFlow& one : std::get<FlowsOpened>(opened).flows) {
            ports.push_back(address().with_port(one.port));
        }
        EXPECT_TRUE(std::holds_alternative<Started>(sender.ask(start)));
        return ports;
    }

    static ReceiverResults finish(TestSender& sender, std::vector<SentFlow> sent,
                                  Nanos wait = std::chrono::seconds(60)) {
        return std::get<ReceiverResults>(
            sender.ask(Finish{.interrupted = false, .wait = wait, .flows = std::move(sent)}));
    }

    [[nodiscard]] LogContents log(const std::string& name) const {
        LogContents contents;
        read_log(folder_.path() / name, contents);
        return contents;
    }

    SilentNames names_;
    ReceiverServerOptions options_;
    TemporaryFolder folder_;

private:
    std::optional<ReceiverServer> server_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string said_;  ///< guarded by mutex_
};

}  // namespace groma
