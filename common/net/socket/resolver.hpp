// Finds the addresses of hosts by name for a program that takes names from its peers: no name waits for another, and
// none longer than it may. Each name is looked up on a thread of its own, since getaddrinfo() cannot be ended. A thread
// whose answer nobody waits for any more is left to itself, and outlives the Resolver if need be.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// As resolve(); what a part that is given names finds addresses with.
using ResolveName = std::function<SocketAddress(std::string_view host, std::uint16_t port)>;

/// The address of a name, with any port. Blocks. Throws: RunError.
using LookUpName = std::function<SocketAddress(const std::string& host)>;

[[nodiscard]] inline SocketAddress look_up_name(const std::string& host) {
    return resolve(host, 0);
}

struct ResolverSettings {
    Nanos time = SessionTimes().lookup;  ///< for an answer
    std::size_t lookups = 32;            ///< at once, each a thread and a descriptor
    std::size_t lookups_of_peer = 24;    ///< of those that one peer asked for
    LookUpName look_up = look_up_name;
    ThreadMaker make_thread = groma::make_thread;
};

/// Who asks for an address.
struct Asker {
    std::string peer{};               ///< the host whose name it is; empty: this program's user
    std::function<bool()> gave_up{};  ///< whether the address is not wanted any more; empty: it is
};

class Resolver {
public:
    /// The clock outlives it; `look_up` outlives all threads.
    Resolver(ResolverSettings settings, Clock& clock);
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;
    ~Resolver();

    /// A literal is answered at once. Two who ask for one name at a time share a look-up. Thread: any; blocks.
    /// Throws: RunError "cannot find the host NAME: ... (advice)" when there is none, no answer in time, too many other
    /// names are being looked up, or the asker gave up; SystemError when there is no thread.
    [[nodiscard]] SocketAddress resolve(std::string_view host, std::uint16_t port, const Asker& asker);

private:
    struct Lookup;
    struct State;

    [[nodiscard]] std::shared_ptr<Lookup> begin(const std::string& host, const std::string& peer);

    std::shared_ptr<State> state_;  ///< shared with the threads, which may live longer
    Clock& clock_;
};

}  // namespace groma
