#include "decoder/follow/follow.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/figures/figure_json.hpp"
#include "common/figures/interval_row.hpp"
#include "common/json/json_text.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_reader.hpp"
#include "common/log/open_log.hpp"
#include "common/model/text/human.hpp"
#include "common/os/poller.hpp"
#include "common/os/signal_set.hpp"
#include "common/os/wakeup.hpp"
#include "decoder/follow/growing_log.hpp"
#include "decoder/follow/live_tally.hpp"

namespace groma {

namespace {

constexpr Nanos kLookAgain{50'000'000};           // how soon what was added to a log is seen
constexpr std::chrono::seconds kToBeRenamed{10};  // a log that has its end
constexpr const char* kHeading =
    "       t  packets        rate     throughput  late or PDV p50         p99   missing  log\n";

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
                       plain_text(std::filesystem::path(log_of_part(log)).filename().string()));
}

RowFigures figures_of(const LiveRow& row, Nanos interval) {
    RowFigures figures{.from = row.begin, .length = interval};
    if (row.role == LogRole::sender) {
        figures.sent_packets = row.packets;
        figures.sent_bytes = row.bytes;
        return figures;
    }
    const auto at = [&row](double fraction) { return Nanos{row.delays_ns.percentile(fraction)}; };
    figures.received_packets = row.packets;
    figures.received_bytes = row.bytes;
    figures.received_over = interval;
    figures.missing_packets = row.missing;
    figures.delays = {.packets = row.delays_ns.count(),
                      .min = Nanos{row.delays_ns.min()},
                      .p50 = at(0.5),
                      .p90 = at(0.9),
                      .p99 = at(0.99),
                      .max = Nanos{row.delays_ns.max()}};
    return figures;
}

std::string json_line(const LiveRow& row, const Following& what, const std::string& log) {
    nlohmann::ordered_json line{{"type", "live"},
                                {"log", plain_text(std::filesystem::path(log_of_part(log)).filename().string())},
                                {"role", row.role == LogRole::sender ? "sender" : "receiver"}};
    line.update(figures_json(live_figures(), figures_of(row, what.interval)));
    return json_text(line) + '\n';
}

/// What the threads share.
class Watch {
public:
    Watch(const Following& what, const std::function<bool(std::string_view)>& show, Clock& clock)
        : what_(what), show_(show), clock_(clock) {}

    void show(std::string_view text) {
        const std::lock_guard lock(output_);
        if (not stopped() and not show_(text)) {
            unwanted_ = true;
            stop();
            changed_state_.notify();
        }
    }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        stopping_.notify_all();
    }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] bool unwanted() const { return unwanted_; }

    /// Returns: false when it is over.
    [[nodiscard]] bool rest() {
        std::unique_lock lock(mutex_);
        return not stopping_.wait_for(lock, kLookAgain, [this] { return stopped_.load(); });
    }

    void give_up(const std::string& log) {
        const std::lock_guard lock(mutex_);
        given_up_.push_back(log);
    }

    [[nodiscard]] const Following& what() const { return what_; }
    [[nodiscard]] Clock& clock() const { return clock_; }
    /// When all threads have ended.
    [[nodiscard]] const std::vector<std::string>& given_up() const { return given_up_; }
    /// Readable when a thread has ended or nobody wants more.
    [[nodiscard]] Wakeup& changed_state() { return changed_state_; }

private:
    const Following& what_;
    const std::function<bool(std::string_view)>& show_;
    Clock& clock_;
    Wakeup changed_state_;
    std::mutex output_;
    std::mutex mutex_;
    std::condition_variable stopping_;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> unwanted_ = false;
    std::vector<std::string> given_up_;
};

struct Stopped {};

/// Ends the reading of what is there already, too.
class Follower final : public LiveTally {
public:
    Follower(const std::string& log, Watch& watch)
        : LiveTally(
              watch.what().interval, watch.what().flows,
              [&](const LiveRow& row) {
                  watch.show(watch.what().json ? json_line(row, watch.what(), log) : line(row, watch.what(), log));
              }),
          watch_(watch) {}

    void on_progress(std::uint64_t /*offset*/) override {
        if (watch_.stopped()) {
            throw Stopped();
        }
    }

private:
    Watch& watch_;
};

/// Until it has its name.
void wait_for_its_name(const std::string& file, Watch& watch) {
    const MonoTime end = watch.clock().now() + kToBeRenamed;
    std::error_code unknown;
    while (is_part_of_log(file) and std::filesystem::exists(file, unknown) and watch.clock().now() < end and
           watch.rest()) {
    }
}

bool more_may_come(AtEnd found, const std::string& log, Watch& watch) {
    switch (found) {
        case AtEnd::read_again:
            return true;
        case AtEnd::wait:
            return watch.rest();
        case AtEnd::give_up:
            watch.give_up(log);
            break;
        case AtEnd::stop:
            break;
    }
    return false;
}

void follow_one(const std::string& log, Watch& watch) {
    const std::string file = current_file(log);
    Follower tally(log, watch);
    GrowingLog growing(file, watch.what().patience, watch.clock());
    try {
        follow_log(file, tally, [&](std::uint64_t bytes) {
            return more_may_come(growing.at_end(bytes, tally.complete()), log, watch);
        });
        tally.finish();
        if (tally.complete()) {
            wait_for_its_name(file, watch);
        }
    } catch (const Stopped&) {
        tally.finish();
    } catch (const std::exception&) {
        return;  // whoever reads it afterwards says why
    }
}

void refuse_what_is_no_file(const std::vector<std::string>& logs) {
    for (const std::string& log : logs) {
        const std::string file = current_file(log);
        std::error_code unknown;
        if (std::filesystem::exists(file, unknown) and not std::filesystem::is_regular_file(file, unknown)) {
            throw UsageError("cannot follow " + log +
                             ": it is not a regular file; --follow reads logs again at their end");
        }
        static_cast<void>(open_log(file));
    }
}

}  // namespace

Followed follow(const Following& what, const std::function<bool(std::string_view)>& show, Clock& clock) {
    refuse_what_is_no_file(what.logs);
    SignalSet signals = SignalSet::stop_signals();  // before the threads
    Watch watch(what, show, clock);
    Poller poller;
    poller.add(signals.fd(), 0);
    poller.add(watch.changed_state().fd(), 1);
    if (not what.json) {
        watch.show(kHeading);
    }
    std::atomic<std::size_t> left = what.logs.size();
    std::vector<std::jthread> threads;
    threads.reserve(what.logs.size());
    bool interrupted = false;
    try {
        for (const std::string& log : what.logs) {
            threads.emplace_back([&watch, &left, &log] {
                follow_one(log, watch);
                --left;
                watch.changed_state().notify();
            });
        }
        while (left > 0 and not interrupted) {
            static_cast<void>(poller.wait(std::nullopt));
            watch.changed_state().clear();
            interrupted = signals.take().has_value() or watch.unwanted();
        }
    } catch (...) {
        watch.stop();  // the threads are waited for
        throw;
    }
    watch.stop();
    threads.clear();
    return {.interrupted = interrupted or watch.unwanted(), .given_up = watch.given_up()};
}

}  // namespace groma
