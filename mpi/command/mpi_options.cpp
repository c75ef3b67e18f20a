#include "mpi/command/mpi_options.hpp"

#include <array>
#include <limits>

#include "common/cli/experiment_file.hpp"
#include "common/cli/option_value.hpp"
#include "common/cli/thread_options.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "sender/options/flow_options.hpp"
#include "sender/options/run_options.hpp"

namespace groma {

namespace {

constexpr std::string_view kRun = "The run";
constexpr std::string_view kLogs = "Logs";
constexpr std::string_view kBatch = "Batches";
constexpr std::string_view kOutput = "Output";
constexpr auto kNone = ValueKind::none;
constexpr auto kRequired = ValueKind::required;
constexpr auto kOptional = ValueKind::optional;

constexpr std::array kGroups{
    GroupRow{
        kBatch, "see docs/guide/batch.md",
        "An experiment file with a [batch] makes many runs: every combination of the values that it lists. Each "
        "run has a folder of its own and a row in DIR/batch.sqlite. The same command started again goes on where it "
        "stopped."},
};

JobLogTransport parse_transport_of_logs(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, JobLogTransport>, 4> kNames{{{"local", JobLogTransport::local},
                                                                                  {"tcp", JobLogTransport::tcp},
                                                                                  {"udp", JobLogTransport::udp},
                                                                                  {"mpi", JobLogTransport::mpi}}};
    for (const auto& [name, transport] : kNames) {
        if (text == name) {
            return transport;
        }
    }
    throw UsageError("unknown log transport '" + std::string(text) + "' (use mpi, tcp, udp or local)");
}

constexpr auto kOptions = std::to_array<ProgramOption<MpiOptions>>({
    {{"--seed", kRequired, "N", kRun,
      "repeat the random numbers of an earlier run (default: the file's, or a fresh one)"}},
    {{"--name", kRequired, "NAME", kRun, "the experiment's name, in logs and folders"}},
    {{"--duration", kRequired, "TIME", kRun, "the duration of every flow, whatever the file says"}},
    {{"--packets", kRequired, "N", kRun, "the number of packets of every flow, whatever the file says"}},
    {{"--bytes", kRequired, "N", kRun, "the bytes of payload of every flow, whatever the file says"}},
    {{"--threads", kRequired, "N|auto", kRun,
      "threads that send, on each rank that does; auto: one for each 100,000 packets a second or 20,000 flows "
      "that are expected of the rank, but a core is left over (default: auto)"},
     option_into::parsed<&MpiOptions::threads, parse_threads>,
     ReadTurn::early},
    {{"--pin", kRequired, "CORES", kRun,
      "keep them on these cores of their host, by turns, and the rest of their rank on the others: 1, or 0,2-3",
      "Ranks of one host share the cores."},
     option_into::parsed<&MpiOptions::pin, parse_cores>,
     ReadTurn::early},
    {{"--realtime", kRequired, "auto|on|off", kRun,
      "each rank that sends does so before all that is not real time (SCHED_FIFO), with memory locked; auto: if "
      "this user may, and a core is left over (default: off, as the ranks of a host share its cores)",
      kRealtimeMore},
     option_into::parsed<&MpiOptions::realtime, parse_realtime>},
    {{"--require", kRequired, "FIGURE=LIMIT[,...]", kRun,
      "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us, whatever the file says "
      "(docs/reference/metrics.md)"}},
    {{"--wait", kRequired, "TIME", kRun, kWaitHelp}, option_into::parsed<&MpiOptions::wait, parse_wait>},
    {{"--timeout", kRequired, "TIME", kRun, kTimeoutHelp, "It holds for all ranks."},
     option_into::parsed<&MpiOptions::timeout, parse_timeout>},
    {{"--log-transport", kRequired, "mpi|tcp|udp|local", kLogs,
      "how logs reach the rank that is the log server; local: they stay where they are made (default: mpi if "
      "there is a rank for the log server, otherwise local)"},
     option_into::parsed<&MpiOptions::log_transport, parse_transport_of_logs>,
     ReadTurn::first},
    {{"--local-logs", kNone, "", kLogs, "keep logs where they are made as well"},
     option_into::flag<&MpiOptions::local_logs>},
    {{"--log-block", kRequired, "N", kLogs, kLogBlockHelp, "This holds for both sides."},
     option_into::number<&MpiOptions::block_records, 1, kMaxBlockRecords>,
     ReadTurn::early},
    {{"--list", kNone, "", kBatch, "print the runs of the batch and exit; needs no mpirun"}},
    {{"--stop-on-failure", kNone, "", kBatch, "a run that fails ends the batch; otherwise the next one begins"},
     option_into::flag<&MpiOptions::stop_on_failure>},
    {{"--retry-failed", kNone, "", kBatch, "going on with a batch, do runs that failed again"},
     option_into::flag<&MpiOptions::retry_failed>},
    {{"--out", kRequired, "DIR", kOutput,
      "folder for everything that the run leaves (default: ./groma-run-NAME-RUN; for a batch: ./groma-batch-NAME)"},
     option_into::text<&MpiOptions::out>},
    {{"--sqlite", kNone, "", kOutput, "decode the logs into DIR/results.sqlite (runs groma-dec)"},
     option_into::flag<&MpiOptions::sqlite>},
    {{"--plots", kNone, "", kOutput, "draw DIR/plots (runs groma-dec and groma-plot)"},
     option_into::flag<&MpiOptions::plots>},
    {{"--json", kOptional, "FILE", kOutput, kJsonHelp}, read_json<MpiOptions>},
    {{"--quiet", kNone, "", kOutput, "no progress and no text, only errors (and --json)"},
     option_into::flag<&MpiOptions::quiet>},
});

constexpr auto kRows = rows_of(kOptions);

constexpr std::string_view kExamples =
    "Ranks are hosts of the file: as its [ranks] say, else by name or address, else in order. Without 'from' in the\n"
    "flows, rank 0 sends, the next ranks receive, and the first one left is the log server.\n"
    "\n"
    "Examples:\n"
    "  mpirun -np 3 groma-mpi examples/loopback.toml\n"
    "  mpirun -np 3 groma-mpi examples/batch.toml --out sweep\n"
    "  mpirun --host alpha,beta,gamma,delta groma-mpi experiment.toml --out results --sqlite --plots\n"
    "\n"
    "Exit status: 0 when every flow was sent to its end and every record was kept, 1 when not, 2 for an error in\n"
    "the command line or the experiment file.\n";

constexpr CommandTable kTable{
    "groma-mpi",
    "Runs an experiment as one MPI job: each rank sends, receives, or keeps the logs.",
    "EXPERIMENT.toml [OPTIONS]",
    kRows,
    "EXPERIMENT.toml",
    1,
    kExamples,
    {},
    {},
    kGroups,
    "mpirun [MPIRUN-OPTIONS]",
};

/// Only the file defines a batch, so that it can be resumed later.
void refuse_with_batch(const CommandLine& line, UsageErrors& errors) {
    for (const std::string_view option :
         {"--seed", "--name", "--duration", "--packets", "--bytes", "--require", "--json"}) {
        if (line.has(option)) {
            errors.add(std::string(option) + ": cannot be given with a batch, whose runs are all in its file");
        }
    }
}

/// Returns: whether the file has a [batch], which is then in the options.
bool read_batch(const CommandLine& line, std::uint64_t fresh_seed, UsageErrors& errors, MpiOptions& options) {
    if (not line.words().empty()) {
        options.file = line.words().front();
        options.text = read_experiment_file(options.file);
        options.batch =
            parse_batch(options.text, options.file.string(), named_files_in(options.file.parent_path()), fresh_seed);
    }
    for (const std::string_view option : {"--list", "--stop-on-failure", "--retry-failed"}) {
        if (line.has(option) and not options.batch) {
            errors.add(std::string(option) + " requires an experiment file with a [batch]");
        }
    }
    if (options.batch) {
        options.action = line.has("--list") ? MpiOptions::Action::list : MpiOptions::Action::batch;
        refuse_with_batch(line, errors);
    }
    return options.batch.has_value();
}

Experiment read_experiment(const CommandLine& line, std::uint64_t fresh_seed, UsageErrors& errors) {
    if (line.words().empty()) {
        errors.add("no experiment was named: give the file that describes it");
        return {};
    }
    Experiment experiment;
    try {
        const auto seed = errors.number(line, "--seed", 0, std::numeric_limits<std::uint64_t>::max());
        experiment = load_experiment(line.words().front(), fresh_seed, seed);
    } catch (const ParseError& error) {
        if (errors.none()) {
            throw;
        }
        errors.add(error.what());
    }
    override_experiment(line, experiment, errors);
    experiment.name = errors.parsed(line, "--name", parse_name).value_or(experiment.name);
    experiment.required = errors.parsed(line, "--require", parse_requirements).value_or(experiment.required);
    return experiment;
}

}  // namespace

const CommandTable& mpi_option_table() {
    return kTable;
}

MpiOptions MpiOptions::parse(std::span<const std::string> arguments, std::uint64_t fresh_seed) {
    const CommandLine line(kTable, arguments);
    UsageErrors errors(line);
    MpiOptions options;
    if (line.has("--help") or line.has("--version")) {
        errors.throw_if_any();
        options.action = line.has("--help") ? Action::help : Action::version;
        return options;
    }
    read_options(line, errors, kOptions, options);
    refuse_value_in_place_of_file(line, errors);
    if (not read_batch(line, fresh_seed, errors, options)) {
        options.experiment = read_experiment(line, fresh_seed, errors);
    }
    errors.throw_if_any();
    return options;
}

}  // namespace groma
