// Carries one log to its server: takes frames from a ShipmentQueue, sends them, hears acknowledgements, and makes the
// connection again when it breaks. run() is the body of the shipping thread.
#pragma once

#include <optional>
#include <string>

#include "common/os/system_clock.hpp"
#include "common/shipping/log_link.hpp"
#include "common/shipping/shipment_queue.hpp"
#include "common/shipping/tcp_log_sink.hpp"

namespace groma {

/// Where a log goes, and under which name.
struct Consignment {
    SocketAddress server;
    std::string peer;  ///< "log server 10.0.0.3:9001"
    OpenLog log;
    ShippingLimits limits;
};

class LogShipper {
public:
    /// `link` is the first connection. The queue outlives the shipper.
    LogShipper(Consignment consignment, LogLink link, ShipmentQueue& queue);

    /// Returns when the log is confirmed, has failed (the queue knows why), or was abandoned.
    void run() noexcept;

private:
    void ship();
    void await_work();
    void reconnect();
    void talk();
    void wait_for_events();
    void send_some();
    void hear();
    void heard(const LogFrame& frame);
    void connection_lost(const std::string& why);
    void check_patience();

    Consignment consignment_;
    ShipmentQueue& queue_;
    SystemClock clock_;
    std::optional<LogLink> link_;
    std::span<const std::byte> rest_;  ///< of the frame that is being sent
    std::string last_fault_ = "it acknowledged nothing";
    MonoTime last_progress_;
    Nanos pause_;
};

}  // namespace groma
