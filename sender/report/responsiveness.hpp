// Responsiveness under working conditions, in round trips a minute (draft-ietf-ippm-responsiveness-08, without TLS).
#pragma once

#include <optional>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Trimmed means of the smallest 95 %.
struct Responsiveness {
    /// On new connections: 60 s divided by half of the time from the beginning of connecting to the response.
    double foreign_rpm = 0;
    /// On connections that carry the load: 60 s divided by the kernel's smoothed round-trip time in their last 4 s.
    double loaded_rpm = 0;

    [[nodiscard]] double rpm() const { return (foreign_rpm + loaded_rpm) / 2; }
};

/// Of a run with requests on a new connection each, beside streams that go as fast as possible all that time; nothing:
/// it has none of one of them, or their times are unknown.
[[nodiscard]] std::optional<Responsiveness> responsiveness(const SendReport& report);

/// "Responsiveness 412 round trips a minute: 520 on new connections, 304 on those of the load"; empty: there is none.
[[nodiscard]] std::string responsiveness_text(const SendReport& report);

}  // namespace groma
