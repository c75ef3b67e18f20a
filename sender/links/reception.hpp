// Where receivers that dial call in (docs/guide/nat.md): listens, hears a caller's name, and refuses it or gives its
// connection a seat.
//
// Thread: made and destroyed by any but the io_context's, which does everything else.
#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/control/connection.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// What a reception asks its owner, on the io_context's thread. The clock outlives the connections.
struct ReceptionDesk {
    Clock& clock;
    std::filesystem::path keys{};  ///< the folder of those that receivers must prove one of; empty: none
    /// Why a receiver of this name is not welcome; empty: it is.
    std::function<std::string(const std::string& name)> refusal;
    std::function<void(const std::string& name, ControlConnection connection)> seat;
};

/// The name of the receiver that calls in with this first message. `grant`: what its key is good for; nothing: it needs
/// none. Throws: ProtocolError(peer, ...) for other messages; RunError if its key is not good for it.
[[nodiscard]] std::string caller_of(const Message& first, const std::optional<Grant>& grant, const std::string& peer);

class Reception {
public:
    /// Listens. The io_context runs, and outlives the reception. Throws: SystemError; for the keys, as
    /// read_key_folder().
    Reception(boost::asio::io_context& io, const std::vector<SocketAddress>& listen, const SessionTimes& times,
              ReceptionDesk desk);
    Reception(const Reception&) = delete;
    Reception& operator=(const Reception&) = delete;
    /// Closes the listener. Callers that have not said who they are by then are left; the desk is not asked any more.
    ~Reception();

    /// What is to be said of those who were turned away. Thread: any.
    [[nodiscard]] std::vector<std::string> take_lines();

    /// "0.0.0.0:9002, [::]:9002".
    [[nodiscard]] std::string where() const;

private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with the coroutines, the last of which may end after this object
};

}  // namespace groma
