// A hostile peer that can reach the ports of daemons.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/access/tls_socket.hpp"
#include "common/control/messages.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "tests/world/network.hpp"

namespace groma::world {

/// A program with the protocols: it sends parts of them in their order or any other, wrong bytes, or none, and leaves
/// connections open. It uses names of others, but no name of an honest run.
class Stranger {
public:
    /// Of the receiver's and the log server's sockets. `has_keys`: it proves keys, but none that is good for anything.
    Stranger(std::uint64_t seed, const Address& receiver, const Address& log_server, bool has_keys)
        : random_(seed), receiver_(receiver), log_server_(log_server), has_keys_(has_keys) {}

    /// Until it is killed.
    void run();

private:
    /// In clear, or under TLS.
    struct Connection {
        int fd = -1;
        std::unique_ptr<TlsSocket> tls{};
    };

    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }
    [[nodiscard]] std::string some_name();
    [[nodiscard]] std::string some_bytes();
    [[nodiscard]] Message hello();
    [[nodiscard]] Message message(std::uint64_t kind);
    [[nodiscard]] LogFrame frame(std::uint64_t kind, LogNumber log, std::uint64_t piece);
    [[nodiscard]] std::string something(bool is_to_receiver, bool in_order, std::uint64_t number);
    /// Nothing: it speaks in clear.
    [[nodiscard]] std::optional<OfferedKey> some_key(const Address& to);
    void talk();
    static void say(Connection& connection, const std::string& bytes);
    static void hear(Connection& connection);
    /// Returns: whether the other side takes the key.
    bool prove(Connection& connection, const OfferedKey& key);
    void throw_datagrams();
    void ship_over_datagrams(const OfferedKey& key);
    void rest(std::uint64_t most_ms);

    std::mt19937_64 random_;
    Address receiver_;
    Address log_server_;
    bool has_keys_;
    std::vector<Connection> open_;
    std::string piece_;
};

}  // namespace groma::world
