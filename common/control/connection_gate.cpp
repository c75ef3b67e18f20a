#include "common/control/connection_gate.hpp"

#include <fcntl.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

#include "common/base/counted.hpp"
#include "common/control/endpoint.hpp"
#include "common/control/timer.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
/// Pause when the kernel has no resources for another connection.
constexpr auto kPause = std::chrono::milliseconds(200);
constexpr std::uint64_t kLargestPart = 4;

std::string host_of(const asio::ip::tcp::socket& socket) {
    boost::system::error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    return error ? std::string() : to_address(endpoint).host_to_string();
}

std::string raised_by(std::string_view option) {
    return option.empty() ? std::string() : " (" + std::string(option) + " raises that)";
}

}  // namespace

std::string refusal_in_words(Admission::Verdict verdict, const Admission& admission, const GateWords& words) {
    std::string text(words.daemon);
    if (verdict == Admission::Verdict::host_full) {
        return text + " has " + counted(admission.slots_of_host(), words.connection) +
               " of your host already, the most that one host may have" + raised_by(words.host_option);
    }
    return text + " has " + counted(admission.slots(), words.connection) + " already, the most that it may have" +
           raised_by(words.slots_option);
}

ConnectionGate::ConnectionGate(Clock& clock, const GateLimits& limits, const GateWords& words,
                               std::function<void(const std::string&)> say)
    : clock_(clock),
      fds_left_(limits.fds_left),
      later_(limits.later),
      words_(words),
      say_(std::move(say)),
      admitted_(limits.slots, limits.slots_of_host),
      refused_(limits.refused, limits.refused) {
    restore_spare();
}

void ConnectionGate::restore_spare() {
    if (not spare_.valid()) {
        spare_ = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
}

bool ConnectionGate::give_up_spare(const boost::system::error_code& error) {
    const bool short_of_fds = error.value() == EMFILE or error.value() == ENFILE;
    const bool given = short_of_fds and spare_.valid();
    if (given) {
        spare_.reset();
    }
    return given;
}

std::string ConnectionGate::lack_of_fds(asio::ip::tcp::socket& socket) const {
    const std::uint64_t left = spare_.valid() ? fds_beyond(socket.native_handle()) : 0;
    const std::uint64_t kept =
        std::min(fds_left_, (left + static_cast<std::uint64_t>(socket.native_handle())) / kLargestPart);
    if (spare_.valid() and left >= kept) {
        return {};
    }
    return std::string(words_.daemon) +
           " has no file descriptors left for one more connection: try again later, or raise its limit (ulimit -n)";
}

bool ConnectionGate::give_slot(Caller& caller, const std::string& host) {
    const auto verdict = admitted_.verdict(host);
    if (verdict != Admission::Verdict::admitted) {
        caller.refusal = refusal_in_words(verdict, admitted_, words_);
    } else if (caller.refusal.empty()) {
        caller.slot = admitted_.admit(host);
    }
    if (not caller.slot and refused_.verdict({}) == Admission::Verdict::admitted) {
        caller.slot = refused_.admit({});
    }
    return static_cast<bool>(caller.slot);
}

asio::awaitable<void> ConnectionGate::accept(asio::ip::tcp::acceptor& acceptor, std::function<void(Caller)> take) {
    Timer pause(acceptor.get_executor(), clock_);
    while (not stopped_) {
        auto [error, socket] = co_await acceptor.async_accept(kAsTuple);
        if (stopped_) {
            co_return;
        }
        if (error) {
            if (not give_up_spare(error)) {
                if (not std::exchange(told_, true)) {
                    say_("cannot take one more connection: " + error.message());
                }
                co_await pause.pause(kPause);
                restore_spare();
            }
            continue;
        }
        told_ = false;
        restore_spare();  // accept() may have taken the spare's descriptor: then this fails, and judge() refuses
        Caller caller{.socket = std::move(socket), .slot = {}, .refusal = {}};
        caller.refusal = lack_of_fds(caller.socket);
        if ((later_ and caller.refusal.empty()) or give_slot(caller, host_of(caller.socket))) {
            take(std::move(caller));
        } else {
            caller.socket.close(error);
        }
        restore_spare();
    }
}

void ConnectionGate::stop() {
    stopped_ = true;
}

}  // namespace groma
