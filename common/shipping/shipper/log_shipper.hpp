// Ships logs to a log server: any number of logs over one connection, on one thread. Keeps all data until the server
// has confirmed it, on this host's disk if there is a folder for it. Reconnects after a loss and continues where the
// server says (docs/reference/log-protocol.md, docs/reference/spool.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "common/access/access_key.hpp"
#include "common/log/log_shipment.hpp"
#include "common/log/log_sink.hpp"
#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/protocol/shipping_limits.hpp"
#include "common/shipping/spool/kept_log.hpp"
#include "common/shipping/spool/spool.hpp"
#include "common/time/clock.hpp"

namespace groma {

struct ShippingSettings {
    LinkOpener open;
    std::string peer;    ///< in messages: "log server 10.0.0.3:9001 (tcp)"
    std::string server;  ///< "HOST:PORT", for a later delivery of the spool
    LogTransport transport = LogTransport::tcp;
    std::string node;             ///< name of this host
    std::string program;          ///< "groma-send 0.1.0"
    std::string key_option{};     ///< for a later delivery: " --key FILE"; empty: the logs are under no key
    std::string without_key{};    ///< what a refusal adds, for who cannot see that it offers no key; may be empty
    std::filesystem::path spool;  ///< folder of the spools; empty: unconfirmed data is kept in memory only
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};  ///< shared with other shippers that spool there; null: one of its own
    MonoTime until = MonoTime::max();       ///< does not wait for confirmations after this
    /// Called with a sentence for the user when something changes: connection lost, connected again, held, continued,
    /// spool full. Thread: the shipper's. May be empty.
    std::function<void(const std::string&)> report{};
};

struct ShippingState {
    std::uint64_t connections = 0;      ///< connections made
    std::uint64_t failed_attempts = 0;  ///< failed attempts to connect
    std::uint64_t spool_bytes = 0;      ///< on disk now
    bool connected = false;
    std::string error;  ///< the connection's last error; empty: none yet
};

/// The state of one log.
struct ShippedLogState {
    KeptCounts kept;
    std::uint64_t reconnections = 0;  ///< of its shipper, while the log was open
    std::string held;                 ///< the server's last reason for a hold; empty: never held
    std::filesystem::path spool;      ///< its folder; empty: none
    bool delivered = false;           ///< the server has confirmed all of it
};

/// A log that is being shipped. append() and close() throw RunError if the server refused the log. close() returns once
/// the server has confirmed all of it, and throws RunError after ShippingTimes::patience without progress; the message
/// names the spool and how to deliver it. Without close(), the log is delivered as incomplete, if its shipper has time
/// for it.
class ShippedLog : public LogSink {
public:
    [[nodiscard]] virtual ShippedLogState state() const = 0;
};

/// A summary for a report.
[[nodiscard]] LogShipment shipment_of(const ShippedLog& log);

class LogShipper {
public:
    /// Starts the thread, which connects when the first log is opened. The clock outlives the shipper. Throws:
    /// SystemError.
    LogShipper(ShippingSettings settings, Clock& clock);
    LogShipper(const LogShipper&) = delete;
    LogShipper& operator=(const LogShipper&) = delete;
    /// Waits ShippingTimes::farewell for logs that were not closed, and then leaves their spools. The shipper outlives
    /// the logs that it opened.
    ~LogShipper();

    /// Blocks until the server has opened the log; its file there is `name`.glog in the folder `experiment` (see
    /// experiment_folder() in common/log/log_name.hpp). Thread: any. Throws: SystemError if the server cannot be
    /// reached, ProtocolError or RunError with the reason if it refuses, UsageError for invalid names; then nothing is
    /// left behind. `asker`: the key that it is asked for under, whose limit of spools it shares; nothing: that of all
    /// spools.
    [[nodiscard]] std::unique_ptr<ShippedLog> open_log(const std::string& experiment, const std::string& name,
                                                       const std::optional<Grant>& asker = {});

    /// Takes over another program's spool. Does not block. close() reports the delivery, or why it failed.
    [[nodiscard]] std::unique_ptr<ShippedLog> resume(std::unique_ptr<Spool> spool);

    /// Ends all operations: waiting calls throw RunError, undelivered data stays. Thread: any.
    void stop();

    [[nodiscard]] ShippingState state() const;

private:
    class Log;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
