#include "common/net/socket/time_limits.hpp"

#include <string>

#include "common/base/errors.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

/// Below it a peer that says once a second that it lives would be given up for one sign of life that is late.
constexpr Nanos kShortestTimeout = std::chrono::seconds(2);
constexpr Nanos kLongestTimeout = std::chrono::hours(1);

}  // namespace

TimeLimits TimeLimits::with_timeout(Nanos timeout) {
    TimeLimits limits;
    const double factor = static_cast<double>(timeout.count()) / static_cast<double>(limits.session.silence.count());
    const auto stretch = [factor](auto& times, auto... members) {
        ((times.*members = Nanos(static_cast<Nanos::rep>(static_cast<double>((times.*members).count()) * factor))),
         ...);
    };
    using Session = SessionTimes;
    stretch(limits.session, &Session::silence, &Session::greeting, &Session::starting, &Session::lookup,
            &Session::connecting, &Session::farewell, &Session::answer, &Session::answer_per_flow, &Session::results,
            &Session::meeting, &Session::token);
    using Shipping = ShippingTimes;
    for (Shipping* const shipping : {&limits.shipping, &limits.receiver_shipping}) {
        stretch(*shipping, &Shipping::connecting, &Shipping::opening, &Shipping::patience, &Shipping::farewell,
                &Shipping::silence, &Shipping::unanswered);
    }
    using Server = LogServerTimes;
    stretch(limits.log_server, &Server::greeting, &Server::silence, &Server::unanswered, &Server::writing,
            &Server::farewell);
    using Job = JobTimes;
    stretch(limits.job, &Job::prepared, &Job::ready, &Job::end, &Job::end_of_logs, &Job::failed_end, &Job::file,
            &Job::ping);
    return limits;
}

Nanos parse_timeout(std::string_view text) {
    const Nanos timeout = parse_duration(text);
    if (timeout < kShortestTimeout or timeout > kLongestTimeout) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 2s to 1h");
    }
    return timeout;
}

}  // namespace groma
