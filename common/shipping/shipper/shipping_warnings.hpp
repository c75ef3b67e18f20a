// A shipper's messages to the user about its connection: changes only. Pure. Each function takes an event and returns a
// sentence; empty if it was already said.
#pragma once

#include <string>
#include <utility>

namespace groma {

class ShippingWarnings {
public:
    /// `peer`: "log server 10.0.0.3:9001 (tcp)".
    ShippingWarnings(std::string peer, bool has_spool) : peer_(std::move(peer)), has_spool_(has_spool) {}

    /// The connection is lost, or cannot be made again.
    [[nodiscard]] std::string lost(const std::string& why) {
        return std::exchange(lost_, true) ? "" : why + "; " + refuge() + " until the " + peer_ + " is back";
    }
    [[nodiscard]] std::string connected() {
        full_ = false;
        return std::exchange(lost_, false) ? "connected to the " + peer_ + " again" : "";
    }
    [[nodiscard]] std::string held(const std::string& reason) {
        return std::exchange(held_, true) ? "" : "the " + peer_ + " takes nothing for now: " + reason + "; " + refuge();
    }
    /// No log is held any more.
    [[nodiscard]] std::string going_on() {
        full_ = false;
        return std::exchange(held_, false) ? "the " + peer_ + " takes logs again" : "";
    }
    /// Said once per connection: a full spool takes a piece again whenever the server has taken one.
    [[nodiscard]] std::string spool_full(const std::string& why) {
        return std::exchange(full_, true) ? "" : why + "; the log waits in memory";
    }

private:
    [[nodiscard]] std::string refuge() const {
        return has_spool_ ? "the log goes to the spool" : "the log waits in memory";
    }

    std::string peer_;
    bool has_spool_;
    bool lost_ = false;
    bool held_ = false;
    bool full_ = false;
};

}  // namespace groma
