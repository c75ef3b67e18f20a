// Takes in the connections of a daemon: who may come in and who is refused, also when the process has no descriptor
// left. All daemons that accept over TCP share it.
//
// Thread: the one of the acceptors' io_context. A gate outlives its coroutines: stop it, and let the io_context run out
// of work.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/control/admission.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

struct GateLimits {
    std::size_t slots = 64;
    std::size_t slots_of_host = usual_share(64);
    std::size_t refused = 64;     ///< connections at a time that are told why; others are closed without a word
    std::uint64_t fds_left = 64;  ///< that connections leave to the daemon's work, but no more than a quarter of all
};

/// How a refusal calls things: "this receiver has 64 sessions already, ... (groma-recv --max-sessions N raises that)".
struct GateWords {
    std::string_view daemon;          ///< "this receiver"
    std::string_view connections;     ///< "sessions"
    std::string_view slots_option{};  ///< "groma-recv --max-sessions N"; empty: there is none
    std::string_view host_option{};
};

/// Why a connection has no slot. Requires: a verdict other than `admitted`.
[[nodiscard]] std::string refusal_in_words(Admission::Verdict verdict, const Admission& admission,
                                           const GateWords& words);

/// One that came.
struct Caller {
    boost::asio::ip::tcp::socket socket;
    Admission::Slot slot;  ///< to be held as long as the connection lives
    std::string refusal;   ///< a sentence to be told before it is closed; empty: it is admitted
};

class ConnectionGate {
public:
    /// The clock outlives the gate. `say` takes a line for the operator.
    ConnectionGate(Clock& clock, const GateLimits& limits, const GateWords& words,
                   std::function<void(const std::string&)> say);
    ConnectionGate(const ConnectionGate&) = delete;
    ConnectionGate& operator=(const ConnectionGate&) = delete;

    /// Hands over each connection that comes, until stop(). May run for several acceptors, which outlive it.
    boost::asio::awaitable<void> accept(boost::asio::ip::tcp::acceptor& acceptor, std::function<void(Caller)> take);

    /// The acceptors are to be closed as well. A pause for want of descriptors ends by itself, within 200 ms.
    void stop();

private:
    [[nodiscard]] Caller judge(boost::asio::ip::tcp::socket socket);
    /// Returns: whether the next attempt has a descriptor, that which was kept for this.
    bool give_up_spare(const boost::system::error_code& error);
    void restore_spare();

    Clock& clock_;
    std::uint64_t fds_left_;
    GateWords words_;
    std::function<void(const std::string&)> say_;
    Admission admitted_;
    Admission refused_;
    FileDescriptor spare_;  ///< given up to accept, and refuse, one connection when there is no other
    bool stopped_ = false;
    bool told_ = false;  ///< that nothing can be accepted
};

}  // namespace groma
