#include "tests/world/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/shipping/shipper/spool_delivery.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/commands/verify.hpp"
#include "logserver/store/log_directory.hpp"
#include "tests/world/keys.hpp"

namespace groma::world {

namespace {

/// Of "10.0.0.2:5000".
std::uint16_t port_of(const std::string& address) {
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

/// Whether a name is an experiment's with a run's number; no stranger's name is.
bool is_of_a_run(const std::string& name) {
    return std::ranges::any_of(std::array{"first-", "second-", "third-"},
                               [&](const char* run) { return name.starts_with(run); });
}

/// Of the receiver's folder, where a log has its experiment's name.
bool is_file_of_a_run(const std::string& name) {
    return std::ranges::any_of(std::array{"first.glog", "second.glog", "third.glog"},
                               [&](const std::string& log) { return name == log or name == log + ".part"; });
}

}  // namespace

void Invariants::check_counts(const Run& run) {
    if (not run.report) {
        return;
    }
    for (const FlowReport& flow : run.report->flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        const std::uint64_t asked = flow.spec.stop.packets.value_or(0);
        if (asked > 0 and flow.outcome.counts.ran_to_its_end()) {
            expect_(
                sent + flow.outcome.counts.unsent() == asked,
                fmt::format("of {} packets {} were sent and {} were not", asked, sent, flow.outcome.counts.unsent()));
        }
        if (flow.received) {
            expect_(flow.unique() <= sent, fmt::format("no more than {} packets came: {}", sent, flow.unique()));
            expect_(flow.received->forged == 0, "the network forges nothing");
        }
        if (flow.spec.transport == Transport::udp) {
            check_witness(run, flow);
        }
    }
}

const Network::Datagrams& Invariants::there(const Run& run, const FlowReport& flow) {
    return world_.network.datagrams[{{run.from->address, port_of(flow.local_address)},
                                     {programs_.beta.address, port_of(flow.remote_address)}}];
}

const Network::Datagrams& Invariants::back(const Run& run, const FlowReport& flow) {
    return world_.network.datagrams[{{programs_.beta.address, port_of(flow.remote_address)},
                                     {run.from->address, port_of(flow.local_address)}}];
}

void Invariants::check_witness(const Run& run, const FlowReport& flow) {
    const Network::Datagrams& there = this->there(run, flow);
    const Network::Datagrams& back = this->back(run, flow);
    const std::uint64_t sent = flow.outcome.fidelity.packets;
    expect_(sent == there.handed_over,
            fmt::format("a flow sent {} packets: the network saw {}", sent, there.handed_over));
    if (flow.received) {
        expect_(flow.unique() <= there.taken and flow.received->duplicates <= there.copies,
                fmt::format("{} packets and {} copies were received: {} and {} were taken", flow.unique(),
                            flow.received->duplicates, there.taken, there.copies));
        expect_(flow.received->replies <= back.handed_over,
                fmt::format("{} replies: the network saw {}", flow.received->replies, back.handed_over));
    }
    if (flow.outcome.round_trip) {
        const RoundTrip& trips = *flow.outcome.round_trip;
        expect_(trips.returned - trips.duplicates <= back.taken and trips.returned <= back.taken + back.copies,
                fmt::format("{} replies with {} copies came back: {} and {} were taken", trips.returned,
                            trips.duplicates, back.taken, back.copies));
    }
}

void Invariants::check_nobody_is_deaf() {
    for (const std::string& promise : std::exchange(programs_.deaf, {})) {
        expect_(false, promise);
    }
}

void Invariants::check_no_intruder() {
    for (const std::string& intruder : std::exchange(programs_.intruders, {})) {
        expect_(false, "daemons serve only who has a key for it: " + intruder);
    }
    if (not programs_.is_keyed()) {
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(programs_.beta.disk->root())) {
        const std::string name = entry.path().filename();
        expect_(name == "spool" or is_file_of_a_run(name), "no stranger leaves a file on beta: " + name);
    }
}

void Invariants::check_drained(const Run& run) {
    expect_(run.process->over, "the sender has ended");
    check_nobody_is_deaf();
    check_counts(run);
    for (const Host* const host : {&programs_.alpha, &programs_.beta}) {
        expect_(waiting_spools(host->disk->root() / "spool") == 0, "no log waits on " + host->name);
    }
}

void Invariants::check_honest(const Run& run) {
    expect_(run.process->failure.empty(), "an honest run after the troubles succeeds: " + run.process->failure);
    check_ended(*run.process);
    if (not run.report) {
        return;
    }
    check_counts(run);
    for (const FlowReport& flow : run.report->flows) {
        check_all_came(run, flow);
    }
    for (const std::string& failure : failures(*run.report)) {
        expect_(false, "an honest run after the troubles is as asked: " + failure);
    }
    const auto check_shipment = [this](const LogShipment& shipment) {
        expect_(shipment.reconnections == 0, "a link that loses breaks no connection: " + shipment.to);
    };
    if (run.report->log) {
        check_shipment(run.report->log->shipment);
    }
    for (const ReceiverReport& receiver : run.report->receivers) {
        check_shipment(receiver.shipment);
    }
}

void Invariants::check_cut_short(const Run& run) {
    check_ended(*run.process);
    check_nobody_is_deaf();
    check_counts(run);
}

/// For a run on a network without loss.
void Invariants::check_all_came(const Run& run, const FlowReport& flow) {
    const std::uint64_t sent = flow.outcome.fidelity.packets;
    const bool is_udp = flow.spec.transport == Transport::udp;
    const std::uint64_t copies = is_udp ? there(run, flow).copies : 0;
    expect_(flow.received and flow.received->packets == sent + copies and flow.received->duplicates == copies,
            fmt::format("of the honest run {} packets and {} copies come: {}, {} of them copies", sent, copies,
                        flow.received ? flow.received->packets : 0, flow.received ? flow.received->duplicates : 0));
    if (flow.outcome.round_trip and is_udp) {
        const Network::Datagrams& back = this->back(run, flow);
        expect_(flow.outcome.round_trip->returned == back.taken + back.copies and back.handed_over == sent + copies,
                fmt::format("{} packets and {} copies come back: {}", back.taken, back.copies,
                            flow.outcome.round_trip->returned));
    }
}

void Invariants::check_before_stop(const Daemon& daemon) {
    expect_(daemon.stop != nullptr, daemon.program + " serves when the troubles have ended");
    const std::size_t now = Programs::descriptors(*daemon.process);
    expect_(now <= daemon.at_rest, fmt::format("{} has no more descriptors than the {} that it began with: {}",
                                               daemon.program, daemon.at_rest, now));
}

void Invariants::check_stopped(const Daemon& daemon) {
    const Process& process = *daemon.process;
    check_nobody_is_deaf();
    check_no_intruder();
    check_ended(process);
    expect_(process.failure.empty(), fmt::format("{} ends well: {}", daemon.program, process.failure));
}

void Invariants::check_ended(const Process& process) {
    expect_(process.over, process.program + " has ended");
    expect_(process.left.empty(), fmt::format("{} leaves no descriptor: {}", process.program, process.left));
    expect_(process.tasks_left == 0, fmt::format("{} leaves no thread: {}", process.program, process.tasks_left));
}

void Invariants::check_logs(std::span<const Run* const> runs) {
    const Verification found =
        verify_logs({.directory = log_directory(), .experiments = {}, .output = {}, .older_than = {}});
    for (const std::string& fault : found.errors) {
        const bool is_what_a_stranger_sent =
            not programs_.is_keyed() and not is_of_a_run(fault) and fault.find("not a Groma log") != std::string::npos;
        expect_(is_what_a_stranger_sent, "groma-log verify finds no fault: " + fault);
    }
    const LogCatalogue catalogue(log_directory(), LogCatalogue::Access::read);
    check_catalogue(catalogue);
    for (const Run* const run : runs) {
        if (run->report) {
            check_records(*run->report, catalogue);
        }
    }
}

void Invariants::check_catalogue(const LogCatalogue& catalogue) {
    for (const CatalogueEntry& entry : catalogue.all()) {
        programs_.tell(
            fmt::format("{}/{}: {}, {} bytes", entry.experiment, entry.name, state_text(entry), entry.bytes));
        expect_(entry.state != LogState::writing, entry.name + " is not being written any more");
        const bool is_receivers = entry.name.starts_with("receiver");
        const std::string& owner = (is_receivers ? keys().receiver : keys().sender).key.grant.name;
        expect_(not programs_.is_keyed() or (is_of_a_run(entry.experiment) and entry.owner == owner),
                fmt::format("{} is a run's, and of the key that its writer has: {}", entry.name, entry.owner));
        expect_(entry.state == LogState::complete or not entry.experiment.starts_with("second"),
                "logs of the honest run are complete");
        if (entry.state != LogState::complete and is_of_a_run(entry.experiment) and entry.bytes > 0) {
            note_torn_tail(current_file(log_directory(), entry));
        }
    }
}

/// Notes the torn tail of a log after a power loss, or after its sender left.
void Invariants::note_torn_tail(const std::filesystem::path& file) {
    if (not contents_of(file).gaps.empty()) {
        world_.faults.met("way: torn tail");
    }
}

/// The reports of a run agree with its logs.
void Invariants::check_records(const SendReport& report, const LogCatalogue& catalogue) {
    if (report.log and report.log->error.empty()) {
        check_log(report, file_of(report.log->name, report.log->shipment, catalogue), [](const FlowReport& flow) {
            const std::uint64_t kept = flow.outcome.fidelity.packets - flow.outcome.counts.records_lost;
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

/// The place of a log; a shipped one must be complete.
std::filesystem::path Invariants::file_of(const std::string& name, const LogShipment& shipment,
                                          const LogCatalogue& catalogue) {
    if (shipment.to.empty()) {
        return name;
    }
    const auto entry = entry_of(shipment, catalogue);
    expect_(entry and entry->state == LogState::complete, shipment.to + " came to its end, and is complete");
    return entry ? file_of_log(log_directory(), entry->experiment, entry->name) : std::filesystem::path();
}

void Invariants::check_log(const SendReport& report, const std::filesystem::path& file,
                           const std::function<FlowRecords(const FlowReport&)>& reported) {
    if (not exists(file)) {
        return expect_(false, fmt::format("the log {} is there", file.string()));
    }
    LogContents contents = contents_of(file);
    const std::string name = file.parent_path().filename() / file.filename();
    for (const std::string& gap : contents.gaps) {
        expect_(false, fmt::format("{} has no gaps: {}", name, gap));
    }
    for (const FlowReport& flow : report.flows) {
        const FlowRecords& has = contents.flows[flow.spec.id];
        const FlowRecords wanted = reported(flow);
        expect_(has == wanted, fmt::format("{} has {} records of {} packets: {} of {}", name, wanted.records,
                                           wanted.packets, has.records, has.packets));
    }
}

}  // namespace groma::world
