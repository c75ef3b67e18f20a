// The thread of a LogShipper: carries out what its conversation decides, over one connection at a time.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/shipping/shipper/shared_conversation.hpp"

namespace groma {

class ShippingThread {
public:
    /// All outlive it.
    ShippingThread(const ShippingSettings& settings, Clock& clock, SharedConversation& conversation);
    ShippingThread(const ShippingThread&) = delete;
    ShippingThread& operator=(const ShippingThread&) = delete;
    ~ShippingThread();

private:
    /// What a turn ended with; no other thread has it.
    struct Error {
        std::exception_ptr failure;  ///< for logs, if it is one for them
        bool every_log = false;      ///< or those that were never opened
        std::string what;            ///< became of the connection
    };

    void run();
    [[nodiscard]] std::optional<Error> try_turn();
    /// By the server.
    [[nodiscard]] Error refused(const std::string& why, bool every_log) const;
    void turn();
    void report_warnings();

    const ShippingSettings& settings_;
    Clock& clock_;
    SharedConversation& conversation_;
    std::atomic<bool> stopping_{false};
    std::unique_ptr<ShippingLink> link_;  ///< the shipping thread's own
    std::thread thread_;
};

}  // namespace groma
