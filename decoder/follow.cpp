#include "decoder/follow.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

#include "common/base/plain_text.hpp"
#include "common/cli/human.hpp"
#include "common/log/log_reader.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/poller.hpp"
#include "common/os/signal_set.hpp"
#include "common/os/wakeup.hpp"
#include "decoder/live_tally.hpp"

namespace groma {

namespace {

constexpr Nanos kLookAgain{50'000'000};           // how soon what was added to a log is seen
constexpr std::chrono::seconds kToBeRenamed{10};  // a log that has its end
constexpr std::string_view kPart = ".part";
constexpr const char* kHeading =
    "       t  packets        rate     throughput  late or PDV p50         p99   missing  log\n";

/// Of the log in the end.
std::string name_of(std::string log) {
    if (log.ends_with(kPart)) {
        log.resize(log.size() - kPart.size());
    }
    return log;
}

double seconds(Nanos span) {
    return std::chrono::duration<double>(span).count();
}

std::string line(const LiveRow& row, const Following& what, const std::string& log) {
    const double length = seconds(what.interval);
    const auto time = [&](double fraction) {
        return row.times_ns.count() == 0 ? std::string("-") : human_time(Nanos{row.times_ns.percentile(fraction)});
    };
    return fmt::format("{:>8}  {:>7}  {:>10}  {:>13}  {:>15}  {:>10}  {:>8}  {}\n", human_time(row.begin), row.packets,
                       human_rate(static_cast<double>(row.packets) / length),
                       human_bits(static_cast<double>(row.bytes) * 8 / length), time(0.5), time(0.99),
                       row.role == LogRole::receiver ? std::to_string(row.missing) : "-",
                       plain_text(std::filesystem::path(name_of(log)).filename().string()));
}

/// What the threads share.
class Watch {
public:
    Watch(const Following& what, const std::function<void(std::string_view)>& show) : what_(what), show_(show) {}

    void show(std::string_view text) {
        const std::lock_guard lock(mutex_);
        show_(text);
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

    /// Returns: false when it is over.
    [[nodiscard]] bool rest() {
        std::unique_lock lock(mutex_);
        return not changed_.wait_for(lock, kLookAgain, [this] { return stopped_; });
    }

    void give_up(const std::string& log) {
        const std::lock_guard lock(mutex_);
        given_up_.push_back(log);
    }

    [[nodiscard]] const Following& what() const { return what_; }
    /// When all threads have ended.
    [[nodiscard]] const std::vector<std::string>& given_up() const { return given_up_; }

private:
    const Following& what_;
    const std::function<void(std::string_view)>& show_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopped_ = false;
    std::vector<std::string> given_up_;
};

void follow_one(const std::string& log, Watch& watch) {
    LiveTally tally(watch.what().interval, watch.what().flows,
                    [&](const LiveRow& row) { watch.show(line(row, watch.what(), log)); });
    const std::optional<Nanos> patience = watch.what().patience;
    std::uint64_t size = 0;
    auto grew_at = std::chrono::steady_clock::now();
    const auto more_may_come = [&](std::uint64_t bytes) {
        const auto now = std::chrono::steady_clock::now();
        if (bytes != size) {
            size = bytes;
            grew_at = now;
        }
        if (not tally.complete() and patience and now - grew_at >= *patience) {
            watch.give_up(log);
            return false;
        }
        return not tally.complete() and watch.rest();
    };
    try {
        const std::string file = current_file(log);
        follow_log(file, tally, more_may_come);
        tally.finish();
        if (tally.complete() and file.ends_with(kPart)) {
            const auto end = std::chrono::steady_clock::now() + kToBeRenamed;
            while (std::filesystem::exists(file) and std::chrono::steady_clock::now() < end and watch.rest()) {
            }
        }
    } catch (const std::exception&) {
        return;  // whoever reads it afterwards says why
    }
}

}  // namespace

std::string current_file(const std::string& log) {
    const std::string name = name_of(log);
    std::string part = name + std::string(kPart);
    std::error_code unknown;
    return std::filesystem::exists(part, unknown) ? part : name;
}

Followed follow(const Following& what, const std::function<void(std::string_view)>& show) {
    for (const std::string& log : what.logs) {
        const FileDescriptor readable(checked("open " + log, ::open(current_file(log).c_str(), O_RDONLY | O_CLOEXEC)));
    }
    SignalSet signals = SignalSet::stop_signals();  // before the threads
    Poller poller;
    Wakeup ended;
    poller.add(signals.fd(), 0);
    poller.add(ended.fd(), 1);
    Watch watch(what, show);
    watch.show(kHeading);
    std::atomic<std::size_t> left = what.logs.size();
    std::vector<std::jthread> threads;
    threads.reserve(what.logs.size());
    for (const std::string& log : what.logs) {
        threads.emplace_back([&watch, &ended, &left, &log] {
            follow_one(log, watch);
            --left;
            ended.notify();
        });
    }
    bool interrupted = false;
    while (left > 0 and not interrupted) {
        static_cast<void>(poller.wait(std::nullopt));
        ended.clear();
        interrupted = signals.take().has_value();
    }
    watch.stop();
    threads.clear();
    return {.interrupted = interrupted, .given_up = watch.given_up()};
}

}  // namespace groma
