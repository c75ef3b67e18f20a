// Ships logs to a log server: any number of logs over one connection, by one thread. What is handed over is kept, on
// this host's disk if there is a folder for it, until the server has confirmed it; a connection that breaks is made
// again and goes on where the server says (docs/reference/log-protocol.md, docs/reference/spool.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

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
    std::string server;  ///< "HOST:PORT", for those who deliver the spool later
    LogTransport transport = LogTransport::tcp;
    std::string node;             ///< name of this host
    std::string program;          ///< "groma-send 0.1.0"
    std::filesystem::path spool;  ///< folder of the spools; empty: what is not confirmed is kept in memory only
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};  ///< shared with others who spool there; null: one of its own
    MonoTime until = MonoTime::max();       ///< what is not confirmed by then is not waited for
    /// Takes a sentence for whoever runs the program, when something changed: connection lost, made again, held,
    /// going on, spool full. Thread: the shipper's. May be empty.
    std::function<void(const std::string&)> report{};
};

struct ShippingState {
    std::uint64_t connections = 0;      ///< that were made
    std::uint64_t failed_attempts = 0;  ///< to make one
    std::uint64_t spool_bytes = 0;      ///< on the disk now
    bool connected = false;
    std::string error;  ///< the last one of the connection; empty: none yet
};

/// What became of one log.
struct ShippedLogState {
    KeptCounts kept;
    std::uint64_t reconnections = 0;  ///< of its shipper, while it was open
    std::string held;                 ///< why the server took nothing, the last time; empty: never
    std::filesystem::path spool;      ///< its folder; empty: none
    bool delivered = false;           ///< the server has confirmed all of it
};

/// A log on its way. append() and close() throw RunError when the server refused the log; close() returns when the
/// server has confirmed all of it, and throws RunError when there was no progress for ShippingTimes::patience: the
/// message names the spool and how to deliver it. Without close(), what is there is delivered as the part that it is,
/// if its shipper has time for it.
class ShippedLog : public LogSink {
public:
    [[nodiscard]] virtual ShippedLogState state() const = 0;
};

/// In a few words, for a report.
[[nodiscard]] LogShipment shipment_of(const ShippedLog& log);

class LogShipper {
public:
    /// Makes the thread; connects when the first log is opened. The clock outlives the shipper. Throws: SystemError.
    LogShipper(ShippingSettings settings, Clock& clock);
    LogShipper(const LogShipper&) = delete;
    LogShipper& operator=(const LogShipper&) = delete;
    /// Logs that were not closed get ShippingTimes::farewell; then their spools are left. The shipper outlives the
    /// logs that it opened.
    ~LogShipper();

    /// Blocks until the server has opened the log; its file there is `name`.glog in the folder `experiment` (see
    /// experiment_folder() in common/log/log_name.hpp). Thread: any.
    /// Throws: SystemError when the server cannot be reached, ProtocolError with its reason when it refuses, UsageError
    /// for names that cannot be; nothing stays behind then.
    [[nodiscard]] std::unique_ptr<ShippedLog> open_log(const std::string& experiment, const std::string& name);

    /// Takes on what another program left. Does not block. close() says when it is delivered, or why it is not.
    [[nodiscard]] std::unique_ptr<ShippedLog> resume(std::unique_ptr<Spool> spool);

    /// Ends all that is under way: what waits for it throws RunError, what is not delivered stays. Thread: any.
    void stop();

    [[nodiscard]] ShippingState state() const;

private:
    class Log;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
