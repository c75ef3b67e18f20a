#include "tests/world/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <utility>

#include "tests/world/calls.hpp"
#include "tests/world/invariants.hpp"
#include "tests/world/keys.hpp"
#include "tests/world/troubles.hpp"

namespace groma::world {

namespace {

using namespace std::chrono_literals;

constexpr Nanos kRunBegins = 1500ms;
constexpr Nanos kSpoolIsResumed = 220s;
constexpr Nanos kDrained = 700s;  ///< every wait has succeeded or given up
constexpr Nanos kSecondRun = 800s;
constexpr Nanos kLinksLose = 800500ms;  ///< when connections have been made
constexpr Nanos kThirdRun = 1000s;
constexpr Nanos kAskedToStop = 1005s;  ///< a program, in the middle of that run
constexpr Nanos kStopsAtOnce = 10s;    ///< where nothing goes wrong
constexpr Nanos kStop = 1200s;
constexpr Nanos kStopped = 1400s;
constexpr Nanos kEnd = 1500s;
constexpr Nanos kBoot = 3s;  ///< of a host that lost its power at a call
constexpr std::uint64_t kRestless =
    10'000;  ///< more failures of one kind than a program meets that pauses between attempts

class History {
public:
    History(const HistoryOptions& options, std::filesystem::path folder)
        : options_(options),
          random_(options.seed),
          folder_(std::move(folder)),
          world_(random_(), folder_),
          programs_(world_, [this](const std::string& line) { tell(line); }) {}

    HistoryResult run();

private:
    void choose();
    void choose_settings();
    void ask_for_keys();
    [[nodiscard]] std::filesystem::path experiment(const std::string& name, std::uint64_t seconds, std::uint64_t pps,
                                                   const char* other);
    void schedule();
    void send_when_up(Run& run);
    void schedule_troubles();
    void schedule_honest_run();
    void schedule_stop();

    void tell(const std::string& line);
    void expect(bool holds, const std::string& what);
    void at(Nanos when, std::function<void()> event) { world_.tasks.at(when, std::move(event)); }

    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }

    HistoryOptions options_;
    HistoryResult result_;
    std::mt19937_64 random_;
    std::filesystem::path folder_;
    World world_;
    Programs programs_;
    Run first_;  ///< among the troubles
    Run second_;
    Run third_;
    bool copies_ = false;  ///< of the second run's packets, which overtake one another; streams would be too slow
    bool loses_ = false;   ///< of the paths of its logs
    bool third_runs_ = false;
    std::uint64_t is_stopped_ = 0;  ///< of the programs, in the third run's course
    bool was_verified_ = false;
    Invariants must_{world_, programs_, [this](bool holds, const std::string& what) { expect(holds, what); }};
    Troubles trouble_maker_{world_, programs_, random_, first_.process};
    std::vector<Trouble> troubles_;
};

HistoryResult History::run() {
    choose();
    schedule();
    world_.tasks.run(kEnd);
    expect(was_verified_, "groma-log verify comes to its end");
    for (const std::string& task : world_.tasks.waiting()) {
        expect(false, "every program comes to its end: " + task);
    }
    const Network::Counts& counts = world_.network.counts;
    for (const auto& [mark, times] : {std::pair{"way: packet lost", counts.lost},
                                      {"way: packet copied", counts.copied},
                                      {"way: segment sent again", counts.sent_again}}) {
        if (times > 0) {
            world_.faults.met(mark);
        }
    }
    result_.marks = world_.faults.marks();
    for (const auto& [mark, times] : result_.marks) {
        expect(times < kRestless, fmt::format("programs rest before they try again: {}, {} times", mark, times));
    }
    result_.virtual_seconds = std::chrono::duration<double>(world_.tasks.now()).count();
    result_.troubles = troubles_.size();
    return std::move(result_);
}

void History::choose() {
    copies_ = some(2) == 0;
    loses_ = some(2) == 0;
    third_runs_ = some(2) == 0;
    is_stopped_ = some(3);
    first_ = {.from = &programs_.alpha, .experiment = experiment("first", 2 + some(4), 20 + some(200), "tcp")};
    second_ = {.from = std::array{&programs_.alpha, &programs_.delta}[some(2)],
               .experiment = experiment("second", 2, 20 + some(200), copies_ ? "udp" : "tcp")};
    third_ = {.from = &programs_.alpha, .experiment = experiment("third", 60, 2, "tcp")};
    choose_settings();
    if (options_.faults.empty()) {
        troubles_ = trouble_maker_.choose(3 + some(3));
    }
    for (const Fault& fault : options_.faults) {
        world_.faults.plant(fault);
    }
    world_.power_fails = [this](Host& host) {
        tell(fmt::format("{} loses its power", host.name));
        world_.lose_power(host);
        at(world_.tasks.now() + kBoot, [this, &host] { programs_.boot(host); });
    };
}

void History::choose_settings() {
    const std::array transports{"tcp", "udp"};
    programs_.settings = {.sync = std::array{SyncPolicy::interval, SyncPolicy::interval, SyncPolicy::block}[some(3)],
                          .transport = transports[some(2)],
                          .receiver_transport = transports[some(2)],
                          .sender_ships = some(5) != 0,
                          .receiver_ships = some(5) != 0,
                          .receiver_sessions = std::array<std::size_t, 2>{4, 64}[some(2)],
                          .log_sessions = std::array<std::size_t, 2>{6, 256}[some(2)]};
    if (some(4) == 0) {
        programs_.settings.shipping.memory_bytes = 4096;
    }
    if (some(4) == 0) {
        programs_.settings.shipping.spool_bytes = 4096;
    }
    if (options_.seed % 8 == 1 or options_.seed % 8 == 6) {
        ask_for_keys();
    }
    const Settings& set = programs_.settings;
    tell(fmt::format("the sender's log {}, the receiver's {}; at most {} sessions there, {} on the log server",
                     set.sender_ships ? "goes over " + set.transport : "stays",
                     set.receiver_ships ? "goes over " + set.receiver_transport : "stays", set.receiver_sessions,
                     set.log_sessions));
    if (some(4) == 0) {
        Host& host = *std::array{&programs_.alpha, &programs_.beta, &programs_.gamma}[some(3)];
        host.stream_bytes = std::array<std::size_t, 3>{2048, 4096, 16'384}[some(3)];
        tell(fmt::format("connections of {} have room for {} bytes", host.name, host.stream_bytes));
        world_.faults.met("tiny windows");
    }
}

/// With and without seals.
void History::ask_for_keys() {
    seed_openssl();
    programs_.settings.keys = folder_ / "keys";
    write_keys_of_receiver(programs_.settings.keys / "groma-recv", "10.0.0.2");
    write_keys_of_log_server(programs_.settings.keys / "groma-log", "10.0.0.3");
    tell("daemons ask for keys");
    world_.faults.met("keys");
}

/// A flow over UDP, and one over UDP or `other`. Some end by their number of packets, after half of their time.
std::filesystem::path History::experiment(const std::string& name, std::uint64_t seconds, std::uint64_t pps,
                                          const char* other) {
    const bool sealed = options_.seed % 2 == 1;
    std::string text =
        fmt::format("name = \"{}\"\nseed = 7\nduration = \"{}s\"\n[defaults]\nto = \"10.0.0.2\"\nseal = \"{}\"\n", name,
                    seconds, sealed ? "on" : "off");
    if (sealed) {
        world_.faults.met("sealed flows");
    }
    for (const char* const transport : {"udp", std::array{"udp", other}[some(2)]}) {
        const char* const meter = std::array{"one-way", "one-way", "round-trip"}[some(3)];
        const char* const idt = std::array{"const", "exp"}[some(2)];
        text += fmt::format("[[flow]]\ntransport = \"{}\"\nmeter = \"{}\"\nidt = \"{}:{}pps\"\nsize = \"{}\"\n",
                            transport, meter, idt, pps, 64 + some(1000));
        if (some(2) == 0) {
            text += fmt::format("packets = {}\n", pps * seconds / 2);
        }
    }
    const auto file = folder_ / (name + ".toml");
    std::ofstream(file) << text;
    return file;
}

void History::schedule() {
    programs_.start_daemon(programs_.log_server);
    programs_.start_daemon(programs_.receiver);
    at(kRunBegins, [this] { send_when_up(first_); });
    schedule_troubles();
    at(kSpoolIsResumed, [this] { programs_.resume(); });
    at(kDrained, [this] { must_.check_drained(first_); });
    schedule_honest_run();
    if (third_runs_) {
        schedule_stop();
    }
    at(kStop, [this] {
        must_.check_before_stop(programs_.receiver);
        must_.check_before_stop(programs_.log_server);
        programs_.stop(kStopsAtOnce);
    });
    at(kStopped, [this] {
        must_.check_stopped(programs_.receiver);
        must_.check_stopped(programs_.log_server);
        world_.start(programs_.gamma, "groma-log verify", [this] {
            must_.check_logs(std::array<const Run*, 3>{&first_, &second_, &third_});
            was_verified_ = true;
        });
    });
}

void History::send_when_up(Run& run) {
    if (run.from->is_up) {
        return programs_.send(run);
    }
    at(world_.tasks.now() + 1s, [this, &run] { send_when_up(run); });
}

void History::schedule_troubles() {
    for (std::size_t i = 0; i < troubles_.size(); ++i) {
        if (std::ranges::find(options_.without, i) != options_.without.end()) {
            continue;
        }
        const Trouble& trouble = troubles_[i];
        at(trouble.at, [this, &trouble, i] {
            tell(fmt::format("trouble {}: {}", i, trouble.words));
            trouble.begin();
        });
        if (trouble.end) {
            at(trouble.until, [this, &trouble, i] {
                tell(fmt::format("trouble {} is over", i));
                trouble.end();
            });
        }
    }
    at(kTroublesEnd, [this] {
        result_.calls = world_.faults.calls();
        world_.faults.end();
        tell("no more troubles");
    });
}

void History::schedule_honest_run() {
    const auto both_ways = [this](const Host& one, const Host& other, const Link& worse) {
        world_.network.link(one.address, other.address) = worse;
        world_.network.link(other.address, one.address) = worse;
    };
    at(kSecondRun, [this, both_ways] {
        if (copies_) {
            tell("packets are copied, and overtake one another");
            both_ways(*second_.from, programs_.beta, {.jitter = 10ms, .copies = 0.1});
        }
        programs_.send(second_);
    });
    at(kLinksLose, [this, both_ways] {
        if (loses_) {
            tell("the ways of the logs lose each fifth datagram");
            both_ways(*second_.from, programs_.gamma, {.loses_each = 5});
            both_ways(programs_.beta, programs_.gamma, {.loses_each = 5});
        }
    });
    at(kThirdRun, [this, both_ways] {
        must_.check_honest(second_);
        both_ways(*second_.from, programs_.beta, {});
        both_ways(*second_.from, programs_.gamma, {});
        both_ways(programs_.beta, programs_.gamma, {});
    });
}

/// Stops one of the programs in the middle of a run.
void History::schedule_stop() {
    at(kThirdRun, [this] { programs_.send(third_); });
    at(kAskedToStop, [this] {
        if (is_stopped_ == 0) {
            tell("the sender is interrupted");
            return programs_.interrupt(*third_.process, kStopsAtOnce);
        }
        Daemon& daemon = is_stopped_ == 1 ? programs_.receiver : programs_.log_server;
        tell(daemon.program + " is asked to stop");
        expect(programs_.ask_to_stop(daemon, kStopsAtOnce), daemon.program + " serves a run after the troubles");
    });
    at(kStop, [this] { must_.check_cut_short(third_); });
}

void History::tell(const std::string& line) {
    std::string whole = fmt::format("{:12.6f} {}", std::chrono::duration<double>(world_.tasks.now()).count(), line);
    if (options_.tells) {
        std::cerr << whole << '\n';
    }
    result_.story.push_back(std::move(whole));
}

void History::expect(bool holds, const std::string& what) {
    if (not holds) {
        tell("DOES NOT HOLD: " + what);
        result_.broken.push_back(what);
    }
}

}  // namespace

HistoryResult run_history(const HistoryOptions& options, const std::filesystem::path& folder) {
    return (new History(options, folder))->run();
}

}  // namespace groma::world
