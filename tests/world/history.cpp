#include "tests/world/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <utility>

#include "common/shipping/spool_delivery.hpp"
#include "logserver/log_catalogue.hpp"
#include "logserver/verify.hpp"
#include "tests/world/troubles.hpp"

namespace groma::world {

namespace {

using namespace std::chrono_literals;

constexpr Nanos kRunBegins = 1500ms;
constexpr Nanos kSpoolIsResumed = 220s;
constexpr Nanos kDrained = 700s;  ///< whoever waited for something has got it, or given up
constexpr Nanos kSecondRun = 800s;
constexpr Nanos kStop = 1200s;
constexpr Nanos kStopped = 1400s;  ///< a request to stop ends every program before
constexpr Nanos kEnd = 1500s;

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
    [[nodiscard]] std::filesystem::path experiment(const std::string& name, std::uint64_t seconds);
    void schedule();
    void schedule(std::size_t number);

    void tell(const std::string& line);
    void expect(bool holds, const std::string& what);
    void at(Nanos when, std::function<void()> event) { world_.tasks.at(when, std::move(event)); }

    void count_datagrams();
    void check_counts(const SendReport& report);
    void check_drained();
    void check_second_run();
    void check_before_stop(const Daemon& daemon);
    void check_stopped(const Daemon& daemon);
    void check_logs();
    void check_shipped(const LogCatalogue& catalogue, const std::string& to);

    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }

    HistoryOptions options_;
    HistoryResult result_;
    std::mt19937_64 random_;
    std::filesystem::path folder_;
    World world_;
    Programs programs_;
    Process* first_ = nullptr;  ///< the run among the troubles
    Process* second_ = nullptr;
    std::filesystem::path first_experiment_;
    std::filesystem::path second_experiment_;
    std::optional<SendReport> first_report_;
    std::optional<SendReport> second_report_;
    Troubles trouble_maker_{world_, programs_, random_, first_};
    std::vector<Trouble> troubles_;
    std::map<std::uint16_t, std::uint64_t> sent_to_;  ///< datagrams from alpha, by ports of beta
};

HistoryResult History::run() {
    choose();
    count_datagrams();
    schedule();
    world_.tasks.run(kEnd);
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
    result_.virtual_seconds = std::chrono::duration<double>(world_.tasks.now()).count();
    result_.troubles = troubles_.size();
    return std::move(result_);
}

void History::choose() {
    first_experiment_ = experiment("first", 2 + some(4));
    second_experiment_ = experiment("second", 2);
    const std::array transports{"tcp", "udp"};
    programs_.settings = {.sync = std::array{SyncPolicy::interval, SyncPolicy::interval, SyncPolicy::block}[some(3)],
                          .transport = transports[some(2)],
                          .receiver_transport = transports[some(2)]};
    tell(fmt::format("the sender's log goes over {}, the receiver's over {}", programs_.settings.transport,
                     programs_.settings.receiver_transport));
    if (some(4) == 0) {
        Host& host = *std::array{&programs_.alpha, &programs_.beta, &programs_.gamma}[some(3)];
        host.stream_bytes = std::array<std::size_t, 3>{2048, 4096, 16'384}[some(3)];
        tell(fmt::format("connections of {} have room for {} bytes", host.name, host.stream_bytes));
        world_.faults.met("tiny windows");
    }
    troubles_ = trouble_maker_.choose(3 + some(3));
}

std::filesystem::path History::experiment(const std::string& name, std::uint64_t seconds) {
    std::string text =
        fmt::format("name = \"{}\"\nseed = 7\nduration = \"{}s\"\n[defaults]\nto = \"10.0.0.2\"\n", name, seconds);
    for (const char* const transport : {"udp", std::array{"udp", "tcp"}[some(2)]}) {
        text += fmt::format("[[flow]]\ntransport = \"{}\"\nidt = \"{}:{}pps\"\nsize = \"{}\"\n", transport,
                            std::array{"const", "exp"}[some(2)], 20 + some(200), 64 + some(1000));
    }
    const auto file = folder_ / (name + ".toml");
    std::ofstream(file) << text;
    return file;
}

void History::schedule() {
    programs_.start_daemon(programs_.log_server);
    programs_.start_daemon(programs_.receiver);
    at(kRunBegins, [this] { first_ = &programs_.send(first_experiment_, first_report_); });
    for (std::size_t i = 0; i < troubles_.size(); ++i) {
        if (std::ranges::find(options_.without, i) == options_.without.end()) {
            schedule(i);
        }
    }
    at(kTroublesEnd, [this] {
        world_.faults.end();
        tell("no more troubles");
    });
    at(kSpoolIsResumed, [this] { programs_.resume(); });
    at(kDrained, [this] { check_drained(); });
    at(kSecondRun, [this] { second_ = &programs_.send(second_experiment_, second_report_); });
    at(kStop, [this] {
        check_second_run();
        check_before_stop(programs_.receiver);
        check_before_stop(programs_.log_server);
        programs_.stop();
    });
    at(kStopped, [this] {
        check_stopped(programs_.receiver);
        check_stopped(programs_.log_server);
        world_.start(programs_.gamma, "groma-log verify", [this] { check_logs(); });
    });
}

void History::schedule(std::size_t number) {
    const Trouble& trouble = troubles_[number];
    at(trouble.at, [this, &trouble, number] {
        tell(fmt::format("trouble {}: {}", number, trouble.words));
        trouble.begin();
    });
    if (trouble.end) {
        at(trouble.until, [this, &trouble, number] {
            tell(fmt::format("trouble {} is over", number));
            trouble.end();
        });
    }
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

// What must hold

void History::count_datagrams() {
    world_.network.datagram_witness = [this](const UdpSocket::Datagram& datagram) {
        if (datagram.from.host == programs_.alpha.address and datagram.to.host == programs_.beta.address) {
            ++sent_to_[datagram.to.port];
        }
    };
}

void History::check_counts(const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        if (flow.spec.transport == Transport::udp) {
            const auto port =
                static_cast<std::uint16_t>(std::stoi(flow.remote_address.substr(flow.remote_address.rfind(':') + 1)));
            expect(sent == sent_to_[port],
                   fmt::format("a flow sent {} packets: the network saw {}", sent, sent_to_[port]));
        }
        if (flow.received) {
            expect(flow.unique() + flow.lost() == sent,
                   fmt::format("sent {} = received {} + lost {}", sent, flow.unique(), flow.lost()));
        }
    }
}

void History::check_drained() {
    expect(first_->over, "the sender has ended");
    if (first_report_) {
        check_counts(*first_report_);
    }
    for (const Host* const host : {&programs_.alpha, &programs_.beta}) {
        expect(waiting_spools(host->disk->root() / "spool") == 0, "no log waits on " + host->name);
    }
}

void History::check_second_run() {
    expect(second_->over and second_->failure.empty(),
           "an honest run after the troubles succeeds: " + second_->failure);
    if (second_report_) {
        check_counts(*second_report_);
        for (const std::string& failure : failures(*second_report_)) {
            expect(false, "an honest run after the troubles is as asked: " + failure);
        }
    }
}

void History::check_before_stop(const Daemon& daemon) {
    expect(daemon.stop != nullptr, daemon.program + " serves when the troubles have ended");
    const std::size_t now = Programs::descriptors(*daemon.process);
    expect(now <= daemon.at_rest, fmt::format("{} has no more descriptors than the {} that it began with: {}",
                                              daemon.program, daemon.at_rest, now));
}

void History::check_stopped(const Daemon& daemon) {
    const Process& process = *daemon.process;
    expect(process.over, daemon.program + " stops when it is asked to");
    expect(process.failure.empty(), fmt::format("{} ends well: {}", daemon.program, process.failure));
    expect(process.left.empty(), fmt::format("{} leaves no descriptor: {}", daemon.program, process.left));
    expect(process.tasks_left == 0, fmt::format("{} leaves no thread: {}", daemon.program, process.tasks_left));
}

void History::check_logs() {
    const auto directory = programs_.gamma.disk->root() / "logs";
    const Verification found = verify_logs({.directory = directory, .experiments = {}, .output = {}, .older_than = {}});
    for (const std::string& fault : found.faults) {
        expect(false, "groma-log verify finds no fault: " + fault);
    }
    const LogCatalogue catalogue(directory, LogCatalogue::Access::read);
    for (const CatalogueEntry& entry : catalogue.all()) {
        tell(fmt::format("{}/{}: {}, {} bytes", entry.experiment, entry.name, state_text(entry), entry.bytes));
        expect(entry.state != LogState::writing, entry.name + " is not being written any more");
        expect(entry.state == LogState::complete or not entry.experiment.starts_with("second"),
               "logs of the honest run are complete");
    }
    if (first_report_ and first_report_->log) {
        check_shipped(catalogue, first_report_->log->shipment.to);
    }
}

/// "log server 10.0.0.3:9001 (tcp) as first-1a2b3c4d/sender": what its sender had on its disk has come.
void History::check_shipped(const LogCatalogue& catalogue, const std::string& to) {
    constexpr std::string_view kAs = " as ";
    const std::string name = to.substr(to.find(kAs) + kAs.size());
    const auto entry = catalogue.find(name.substr(0, name.find('/')), name.substr(name.find('/') + 1));
    expect(entry.has_value() and entry->state == LogState::complete,
           name + " came to its end, and is complete on the log server");
}

}  // namespace

HistoryResult run_history(const HistoryOptions& options, const std::filesystem::path& folder) {
    return (new History(options, folder))->run();
}

}  // namespace groma::world
