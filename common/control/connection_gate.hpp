// Accepts or refuses the connections of a daemon, also when the process has no descriptor left. Shared by all daemons
// that accept over TCP.
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
    bool later = false;           ///< slots are given by give_slot(), when a peer has proved who it is
    std::size_t refused = 64;     ///< connections at a time that get a reason; others are closed without one
    std::uint64_t fds_left = 64;  ///< descriptors kept for the daemon's work, at most a quarter of all
};

/// Wording of a refusal: "this receiver has 64 sessions already, ... (groma-recv --max-sessions N raises that)".
struct GateWords {
    std::string_view daemon;          ///< "this receiver"
    std::string_view connection;      ///< "session"
    std::string_view slots_option{};  ///< "groma-recv --max-sessions N"; empty: none
    std::string_view host_option{};
};

/// Why a connection has no slot. Requires: a verdict other than `admitted`.
[[nodiscard]] std::string refusal_in_words(Admission::Verdict verdict, const Admission& admission,
                                           const GateWords& words);

/// A new connection.
struct Caller {
    boost::asio::ip::tcp::socket socket;
    Admission::Slot slot;  ///< hold it as long as the connection lives; with GateLimits::later empty at first
    std::string refusal;   ///< a sentence to send before closing; empty: admitted
};

class ConnectionGate {
public:
    /// `say` takes a line for the operator. The clock outlives the gate.
    ConnectionGate(Clock& clock, const GateLimits& limits, const GateWords& words,
                   std::function<void(const std::string&)> say);
    ConnectionGate(const ConnectionGate&) = delete;
    ConnectionGate& operator=(const ConnectionGate&) = delete;

    /// Passes each new connection to `take`, until stop(). May run for several acceptors, which outlive it.
    boost::asio::awaitable<void> accept(boost::asio::ip::tcp::acceptor& acceptor, std::function<void(Caller)> take);

    /// With GateLimits::later: gives a slot, or a refusal, to a caller from this host. Returns: false if not even a
    /// refusal is to be told.
    [[nodiscard]] bool give_slot(Caller& caller, const std::string& host);

    /// Close the acceptors as well. A pause for lack of descriptors ends by itself, within 200 ms.
    void stop();

private:
    /// Why there is no descriptor for the connection; empty: there is.
    [[nodiscard]] std::string lack_of_fds(boost::asio::ip::tcp::socket& socket) const;
    /// Returns: whether a descriptor was freed for the next attempt.
    bool give_up_spare(const boost::system::error_code& error);
    void restore_spare();

    Clock& clock_;
    std::uint64_t fds_left_;
    bool later_;
    GateWords words_;
    std::function<void(const std::string&)> say_;
    Admission admitted_;
    Admission refused_;
    FileDescriptor spare_;  ///< closed to accept, and refuse, one connection if no other descriptor is left
    bool stopped_ = false;
    bool told_ = false;  ///< whether the failure to accept was reported
};

}  // namespace groma
