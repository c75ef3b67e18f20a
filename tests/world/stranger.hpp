// A hostile peer that can reach the ports of daemons.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "tests/world/network.hpp"

namespace groma::world {

/// A program with the protocols: it sends parts of them in their order or any other, wrong bytes, or none, and leaves
/// connections open. It uses names of others, but no name of an honest run.
class Stranger {
public:
    /// Of the receiver's and the log server's sockets.
    Stranger(std::uint64_t seed, const Address& receiver, const Address& log_server)
        : random_(seed), receiver_(receiver), log_server_(log_server) {}

    /// Until it is killed.
    void run();

private:
    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }
    [[nodiscard]] std::string some_name();
    [[nodiscard]] std::string some_bytes();
    [[nodiscard]] Message hello();
    [[nodiscard]] Message message(std::uint64_t kind);
    [[nodiscard]] LogFrame frame(std::uint64_t kind, LogNumber log, std::uint64_t piece);
    [[nodiscard]] std::string something(bool is_to_receiver, bool in_order, std::uint64_t number);
    void talk();
    void throw_datagrams();
    void rest(std::uint64_t most_ms);

    std::mt19937_64 random_;
    Address receiver_;
    Address log_server_;
    std::vector<int> open_;
    std::string piece_;
};

}  // namespace groma::world
