// A receiver in this program, on a thread of its own.
#pragma once

#include <thread>
#include <utility>

#include "common/os/process.hpp"
#include "receiver/receiver_server.hpp"

namespace groma {

/// Ends its sessions when it goes.
class OwnReceiver {
public:
    OwnReceiver(ReceiverServerOptions options, Clock& clock)
        : server_(std::move(options), clock), thread_([this] {
              set_thread_name("groma-receiver");
              server_.run();
          }) {}
    OwnReceiver(const OwnReceiver&) = delete;
    OwnReceiver& operator=(const OwnReceiver&) = delete;
    ~OwnReceiver() {
        server_.stop();
        thread_.join();
    }

private:
    ReceiverServer server_;
    std::thread thread_;
};

}  // namespace groma
