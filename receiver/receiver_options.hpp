// The command line of groma-recv.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "receiver/receiver_server.hpp"

namespace groma {

inline constexpr std::string_view kReceiverCould = "have this host receive and log";

struct ReceiverOptions {
    ReceiverServerOptions server;
    std::optional<std::filesystem::path> port_file;
    std::optional<std::string> signal_line;  ///< "DEVICE", "DEVICE:rts" or "DEVICE:dtr"
    std::size_t reverse_runs = 4;            ///< that it sends at once, to who asks for them
    std::string key_file;                    ///< of --key; empty: the usual one
    std::string audit;                       ///< file; empty: none
    bool help = false;
    bool version = false;
};

/// `arguments` without the program's name. Throws: UsageError with all errors, one per line.
[[nodiscard]] ReceiverOptions parse_receiver_options(std::span<const std::string> arguments);

/// "groma-recv 0.1.0: dialling 192.0.2.7:9002 as beta".
[[nodiscard]] std::string dialling_line(const DialOptions& dial);

/// "groma-recv 0.1.0: listening on 127.0.0.1:9000, [::1]:9000 (loopback only; --open with --keys for every address)".
[[nodiscard]] std::string listening_line(std::span<const SocketAddress> addresses);

}  // namespace groma
