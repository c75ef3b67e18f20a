// One TCP connection to a log server, from the greeting on. Never blocks after open(); one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "common/net/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/log_frames.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// A server that refuses for now only (it is full, say).
class LogServerBusy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class LogLink {
public:
    /// Connects and opens the log within `limit`. `peer` stands in messages: "log server 10.0.0.3:9001".
    /// Throws: SystemError when there is no connection; LogServerBusy; ProtocolError when the server refuses for good.
    [[nodiscard]] static LogLink open(const SocketAddress& server, const std::string& peer, const OpenLog& log,
                                      Nanos limit);

    /// Pieces that were on the server's disk when the log was opened.
    [[nodiscard]] std::uint64_t durable() const { return durable_; }

    /// Returns: how many of the bytes the kernel took; 0 when it has no room. Throws: SystemError.
    [[nodiscard]] std::size_t send(std::span<const std::byte> bytes);

    /// Takes what has arrived, if anything. Throws: SystemError, also when the server closed the connection.
    void receive();

    /// The next whole frame of what has arrived. Throws: ProtocolError; LogServerBusy and ProtocolError for a refusal.
    [[nodiscard]] std::optional<LogFrame> next();

    [[nodiscard]] int fd() const { return socket_.get(); }

private:
    LogLink(FileDescriptor socket, const std::string& peer);
    void greet(const OpenLog& log, MonoTime deadline);

    FileDescriptor socket_;
    std::string peer_;
    LogFrameReader frames_;
    std::uint64_t durable_ = 0;
};

}  // namespace groma
