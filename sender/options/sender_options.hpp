// What a user of groma-send asked for, understood and checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/access/key_files.hpp"
#include "common/http/web_options.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/scheduling.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/protocol/shipping_limits.hpp"
#include "common/shipping/shipper/key_logs.hpp"
#include "common/shipping/spool/spool_budget.hpp"
#include "common/time/instant.hpp"
#include "common/wire/log_block.hpp"
#include "sender/options/calibration_options.hpp"
#include "sender/options/daemon_options.hpp"
#include "sender/options/passive_options.hpp"
#include "sender/options/search_options.hpp"
#include "sender/plan/dry_run.hpp"
#include "sender/plan/send_bounds.hpp"

namespace groma {

/// The sender's log in the folder of --logs.
inline constexpr std::string_view kSenderLogOfFolder = "send.glog";
/// That of a single receiver.
inline constexpr std::string_view kReceiversLogOfFolder = "recv.glog";

/// What the logs of a part of a run are called in the folder of who leads it.
struct LogsForClient {
    std::string own{};        ///< the sender's; empty: it is not wanted there
    std::string receivers{};  ///< with several, their addresses are in the names; empty: they are not wanted there
    bool operator==(const LogsForClient&) const = default;
};

struct SenderOptions {
    enum class Action : std::uint8_t {
        run,
        dry_run,
        list_profiles,
        list_transports,
        list_tests,
        print_test,
        resume_spool,
        daemon,
        calibrate,
        search,
        help,
        version
    };

    Action action = Action::run;
    Experiment experiment;
    std::string test_file;  ///< the text to print, when that is the action
    std::string as;         ///< the host whose flows are sent; empty: all flows, whatever host they go from
    HostAliases agents{};   ///< that send the flows from these hosts; the port is the agent's
    /// Those agents are started with this, and the name of their host behind it, and end with the run; empty: they are
    /// there.
    std::vector<std::string> agent_command{};
    DryRunFormat dry_run_format = DryRunFormat::text;
    DaemonArguments daemon;                           ///< when that is the action
    std::optional<CalibrationArguments> calibration;  ///< when that is the action
    std::optional<SearchArguments> search;            ///< when that is the action
    std::string key_file;                             ///< of --key, or the experiment file; empty: the usual one
    std::optional<UserKey> key;                       ///< the program reads it; nothing: none
    bool for_client = false;                          ///< a daemon's run
    bool of_stranger = false;                         ///< then: of one that is not this user, on this host
    std::vector<OfferedKey> handed_keys{};            ///< then: what the client offers to others
    std::optional<SendBounds> bounds{};               ///< then: where it may send
    OfferKey offer{};                                 ///< of groma-mpi, instead of these; null: there is none
    std::string keys;                                 ///< folder of those that others must prove one of; empty: none
    bool to_anyone = false;                           ///< others need not prove any
    std::string serves{};                             ///< as in SendReport
    std::optional<Target> via;                        ///< the daemon that makes the run; nothing: it is made here
    std::optional<PassiveOptions> passive;            ///< nothing: receivers are connected to
    unsigned threads = 0;                             ///< that send; 0: as many as the load asks for
    std::vector<unsigned> pin{};                      ///< cores of these threads; empty: the kernel chooses
    Realtime realtime = Realtime::automatic;
    Nanos wait = std::chrono::seconds(2);
    std::string signal_line;                              ///< "DEVICE", "DEVICE:rts" or "DEVICE:dtr"; empty: none
    std::string log;                                      ///< file of the sender's log; empty: none
    std::string logs;                                     ///< folder for the logs of both sides; empty: none
    LogsForClient logs_for_client{};                      ///< of a part of a run: they go to the client
    bool replace_log = false;                             ///< one of an earlier run that is there
    std::string receiver_log;                             ///< name of the receiver's log there; empty: none
    bool discard_receiver_log = false;                    ///< the receivers' files are written, but not kept
    std::optional<LogServerAddress> log_server;           ///< of the sender's log
    std::optional<LogServerAddress> receiver_log_server;  ///< of the receivers' logs
    std::optional<LogTransport> log_transport;            ///< of the sender's log; nothing: tcp, or as it was meant
    std::optional<LogTransport> receiver_log_transport;   ///< nothing: tcp
    std::optional<std::uint64_t> log_rate;                ///< bytes per second that the sender's log may use over udp
    std::filesystem::path spool_dir;                      ///< empty: the user's usual one
    ShippingLimits shipping;
    std::shared_ptr<SpoolBudget> spool_budget{};  ///< shared with others who spool there; null: its own
    std::shared_ptr<KeyLogs> key_logs = std::make_shared<KeyLogs>();  ///< shared with other runs of a daemon
    SessionTimes times;
    std::size_t block_records = kMaxBlockRecords;  ///< in a block of the sender's log
    bool json = false;
    std::string json_file;                 ///< empty: standard output
    std::optional<Nanos> interval{};       ///< between rows while the run goes on; empty: no rows
    std::optional<std::string> jsonl{};    ///< file for the rows as JSON lines, "-": standard output; empty: none
    std::vector<SocketAddress> metrics{};  ///< where to answer with metrics; empty: nowhere
    WebFiles web{};                        ///< for pages that other hosts may ask for
    std::vector<SocketAddress> page{};     ///< where to show the live page; empty: nowhere
    Nanos page_hold{0};                    ///< for so long after the run
    bool quiet = false;
    bool verbose = false;
    std::vector<std::string> warnings;  ///< what was decided without an option, a sentence each

    /// `offer`; else of the user's key, or in a daemon of what its client has handed over.
    [[nodiscard]] OfferKey offers() const {
        if (offer) {
            return offer;
        }
        return key ? offers_of(key) : offers_of(handed_keys);
    }

    /// That of a daemon's client; nothing: it has proved none, or the run is this user's.
    [[nodiscard]] std::optional<Grant> key_with_limits() const { return bounds ? bounds->client : std::nullopt; }

    /// As seal_by_default(), if the control sessions are under keys. A daemon's client has done so, and who asked for
    /// a run in reverse.
    void seal_flows();

    /// `arguments` without the program's name; `fresh_seed` is used when none was given.
    /// Throws: UsageError or ParseError with every error; SystemError when the experiment file cannot be read.
    [[nodiscard]] static SenderOptions parse(std::span<const std::string> arguments, std::uint64_t fresh_seed);
};

/// Whether rows and report are on standard output as text: neither quiet, nor is JSON there.
[[nodiscard]] inline bool prints_text(const SenderOptions& options) {
    return not options.quiet and not(options.json and options.json_file.empty()) and options.jsonl != "-";
}

}  // namespace groma
