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
#include "logserver/log_store.hpp"
#include "logserver/verify.hpp"
#include "tests/world/log_contents.hpp"
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
    [[nodiscard]] std::filesystem::path experiment(const std::string& name, std::uint64_t seconds, const char* other);
    void schedule();
    void schedule(std::size_t number);

    void tell(const std::string& line);
    void expect(bool holds, const std::string& what);
    void at(Nanos when, std::function<void()> event) { world_.tasks.at(when, std::move(event)); }

    void check_counts(const Host& from, const SendReport& report);
    [[nodiscard]] const Network::Datagrams& datagrams(const Host& from, const Host& at, const std::string& to);
    void check_witness(const FlowReport& flow, const Network::Datagrams& there, const Network::Datagrams& back);
    void check_all_came(const FlowReport& flow);
    void check_drained();
    void check_second_run();
    void check_before_stop(const Daemon& daemon);
    void check_stopped(const Daemon& daemon);
    void check_logs();
    void check_records(const SendReport& report, const LogCatalogue& catalogue);
    [[nodiscard]] std::filesystem::path file_of(const std::string& name, const LogShipment& shipment,
                                                const LogCatalogue& catalogue);
    void check_log(const SendReport& report, const std::filesystem::path& file,
                   const std::function<FlowRecords(const FlowReport&)>& reported);
    [[nodiscard]] std::filesystem::path log_directory() const { return programs_.gamma.disk->root() / "logs"; }

    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }

    HistoryOptions options_;
    HistoryResult result_;
    std::mt19937_64 random_;
    std::filesystem::path folder_;
    World world_;
    Programs programs_;
    Process* first_ = nullptr;  ///< the run among the troubles
    Process* second_ = nullptr;
    Host* second_from_ = nullptr;
    bool copies_ = false;  ///< of its packets, which overtake one another; streams would be too slow
    std::filesystem::path first_experiment_;
    std::filesystem::path second_experiment_;
    std::optional<SendReport> first_report_;
    std::optional<SendReport> second_report_;
    Troubles trouble_maker_{world_, programs_, random_, first_};
    std::vector<Trouble> troubles_;
};

HistoryResult History::run() {
    choose();
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
    first_experiment_ = experiment("first", 2 + some(4), "tcp");
    copies_ = some(2) == 0;
    second_experiment_ = experiment("second", 2, copies_ ? "udp" : "tcp");
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
    const Settings& set = programs_.settings;
    tell(fmt::format("the sender's log {}, the receiver's {}; at most {} sessions there, {} on the log server",
                     set.sender_ships ? "goes over " + set.transport : "stays",
                     set.receiver_ships ? "goes over " + set.receiver_transport : "stays", set.receiver_sessions,
                     set.log_sessions));
    second_from_ = std::array{&programs_.alpha, &programs_.delta}[some(2)];
    if (some(4) == 0) {
        Host& host = *std::array{&programs_.alpha, &programs_.beta, &programs_.gamma}[some(3)];
        host.stream_bytes = std::array<std::size_t, 3>{2048, 4096, 16'384}[some(3)];
        tell(fmt::format("connections of {} have room for {} bytes", host.name, host.stream_bytes));
        world_.faults.met("tiny windows");
    }
    troubles_ = trouble_maker_.choose(3 + some(3));
}

/// A flow over UDP, and one over that or the other transport.
std::filesystem::path History::experiment(const std::string& name, std::uint64_t seconds, const char* other) {
    std::string text =
        fmt::format("name = \"{}\"\nseed = 7\nduration = \"{}s\"\n[defaults]\nto = \"10.0.0.2\"\n", name, seconds);
    for (const char* const transport : {"udp", std::array{"udp", other}[some(2)]}) {
        const char* const meter = std::array{"one-way", "one-way", "round-trip"}[some(3)];
        text += fmt::format("[[flow]]\ntransport = \"{}\"\nmeter = \"{}\"\nidt = \"{}:{}pps\"\nsize = \"{}\"\n",
                            transport, meter, std::array{"const", "exp"}[some(2)], 20 + some(200), 64 + some(1000));
    }
    const auto file = folder_ / (name + ".toml");
    std::ofstream(file) << text;
    return file;
}

void History::schedule() {
    programs_.start_daemon(programs_.log_server);
    programs_.start_daemon(programs_.receiver);
    at(kRunBegins, [this] { first_ = &programs_.send(programs_.alpha, first_experiment_, first_report_); });
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
    at(kSecondRun, [this] {
        if (copies_) {
            tell("packets are copied, and overtake one another");
            for (const auto& [from, to] : {std::pair(second_from_, &programs_.beta), {&programs_.beta, second_from_}}) {
                world_.network.link(from->address, to->address) = {.jitter = 10ms, .copies = 0.1};
            }
        }
        second_ = &programs_.send(*second_from_, second_experiment_, second_report_);
    });
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

void History::check_counts(const Host& from, const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        if (flow.received) {
            expect(flow.unique() + flow.lost() == sent,
                   fmt::format("sent {} = received {} + lost {}", sent, flow.unique(), flow.lost()));
        }
        if (flow.spec.transport == Transport::udp) {
            check_witness(flow, datagrams(from, programs_.beta, flow.remote_address),
                          datagrams(programs_.beta, from, flow.local_address));
        }
    }
}

/// `to`: "10.0.0.2:5000"
const Network::Datagrams& History::datagrams(const Host& from, const Host& at, const std::string& to) {
    const auto port = static_cast<std::uint16_t>(std::stoi(to.substr(to.rfind(':') + 1)));
    return world_.network.datagrams[{from.address, {at.address, port}}];
}

void History::check_witness(const FlowReport& flow, const Network::Datagrams& there, const Network::Datagrams& back) {
    const std::uint64_t sent = flow.outcome.fidelity.packets;
    expect(sent == there.handed_over,
           fmt::format("a flow sent {} packets: the network saw {}", sent, there.handed_over));
    if (flow.received) {
        expect(flow.unique() <= there.taken and flow.received->duplicates <= there.copies,
               fmt::format("{} packets and {} copies were received: {} and {} were taken", flow.unique(),
                           flow.received->duplicates, there.taken, there.copies));
        expect(flow.received->replies <= back.handed_over,
               fmt::format("{} replies: the network saw {}", flow.received->replies, back.handed_over));
    }
    if (flow.outcome.round_trip) {
        const RoundTrip& trips = *flow.outcome.round_trip;
        expect(trips.returned - trips.duplicates <= back.taken and trips.returned <= back.taken + back.copies,
               fmt::format("{} replies with {} copies came back: {} and {} were taken", trips.returned,
                           trips.duplicates, back.taken, back.copies));
    }
}

void History::check_drained() {
    expect(first_->over, "the sender has ended");
    for (const std::string& program : programs_.deaf) {
        expect(false, program + " ends when it is asked to");
    }
    if (first_report_) {
        check_counts(programs_.alpha, *first_report_);
    }
    for (const Host* const host : {&programs_.alpha, &programs_.beta}) {
        expect(waiting_spools(host->disk->root() / "spool") == 0, "no log waits on " + host->name);
    }
}

void History::check_second_run() {
    expect(second_->over and second_->failure.empty(),
           "an honest run after the troubles succeeds: " + second_->failure);
    if (second_report_) {
        check_counts(*second_from_, *second_report_);
        for (const FlowReport& flow : second_report_->flows) {
            check_all_came(flow);
        }
        for (const std::string& failure : failures(*second_report_)) {
            expect(false, "an honest run after the troubles is as asked: " + failure);
        }
    }
}

/// Of a run on a network that loses nothing.
void History::check_all_came(const FlowReport& flow) {
    const std::uint64_t sent = flow.outcome.fidelity.packets;
    const bool is_udp = flow.spec.transport == Transport::udp;
    const std::uint64_t copies = is_udp ? datagrams(*second_from_, programs_.beta, flow.remote_address).copies : 0;
    expect(flow.received and flow.received->packets == sent + copies and flow.received->duplicates == copies,
           fmt::format("of the honest run {} packets and {} copies come: {}, {} of them copies", sent, copies,
                       flow.received ? flow.received->packets : 0, flow.received ? flow.received->duplicates : 0));
    if (flow.outcome.round_trip and is_udp) {
        const Network::Datagrams& back = datagrams(programs_.beta, *second_from_, flow.local_address);
        expect(flow.outcome.round_trip->returned == back.taken + back.copies and back.handed_over == sent + copies,
               fmt::format("{} packets and {} copies come back: {}", back.taken, back.copies,
                           flow.outcome.round_trip->returned));
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
    const Verification found =
        verify_logs({.directory = log_directory(), .experiments = {}, .output = {}, .older_than = {}});
    for (const std::string& fault : found.faults) {
        const bool is_what_a_stranger_sent = fault.find(": is not a Groma log") != std::string::npos and
                                             not fault.starts_with("first-") and not fault.starts_with("second-");
        expect(is_what_a_stranger_sent, "groma-log verify finds no fault: " + fault);
    }
    const LogCatalogue catalogue(log_directory(), LogCatalogue::Access::read);
    for (const CatalogueEntry& entry : catalogue.all()) {
        tell(fmt::format("{}/{}: {}, {} bytes", entry.experiment, entry.name, state_text(entry), entry.bytes));
        expect(entry.state != LogState::writing, entry.name + " is not being written any more");
        expect(entry.state == LogState::complete or not entry.experiment.starts_with("second"),
               "logs of the honest run are complete");
    }
    for (const std::optional<SendReport>& report : {first_report_, second_report_}) {
        if (report) {
            check_records(*report, catalogue);
        }
    }
}

/// What a run reports is what its logs have.
void History::check_records(const SendReport& report, const LogCatalogue& catalogue) {
    if (report.log and report.log->error.empty()) {
        check_log(report, file_of(report.log->name, report.log->shipment, catalogue), [](const FlowReport& flow) {
            const std::uint64_t kept = flow.outcome.fidelity.packets - flow.outcome.records_lost;
            return FlowRecords{.records = kept, .packets = kept};
        });
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (receiver.lost.empty() and receiver.log_error.empty()) {
            check_log(report, file_of(receiver.log_file, receiver.shipment, catalogue), [](const FlowReport& flow) {
                return flow.received ? FlowRecords{.records = flow.received->packets - flow.received->records_lost,
                                                   .packets = flow.unique()}
                                     : FlowRecords{};
            });
        }
    }
}

/// Where a log is now; one that was shipped must have come to its end.
std::filesystem::path History::file_of(const std::string& name, const LogShipment& shipment,
                                       const LogCatalogue& catalogue) {
    if (shipment.to.empty()) {
        return name;
    }
    const auto entry = entry_of(shipment, catalogue);
    expect(entry and entry->state == LogState::complete, shipment.to + " came to its end, and is complete");
    return entry ? file_of_log(log_directory(), entry->experiment, entry->name) : std::filesystem::path();
}

void History::check_log(const SendReport& report, const std::filesystem::path& file,
                        const std::function<FlowRecords(const FlowReport&)>& reported) {
    if (not exists(file)) {
        return expect(false, fmt::format("the log {} is there", file.string()));
    }
    LogContents contents = contents_of(file);
    const std::string name = file.parent_path().filename() / file.filename();
    for (const std::string& gap : contents.gaps) {
        expect(false, fmt::format("{} has no gaps: {}", name, gap));
    }
    for (const FlowReport& flow : report.flows) {
        const FlowRecords& has = contents.flows[flow.spec.id];
        const FlowRecords wanted = reported(flow);
        expect(has == wanted, fmt::format("{} has {} records of {} packets: {} of {}", name, wanted.records,
                                          wanted.packets, has.records, has.packets));
    }
}

}  // namespace

HistoryResult run_history(const HistoryOptions& options, const std::filesystem::path& folder) {
    return (new History(options, folder))->run();
}

}  // namespace groma::world
