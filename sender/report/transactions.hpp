// Requests and their responses, of all flows of a run: how many a second, and what each cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

struct Transactions {
    std::uint64_t count = 0;  ///< requests whose responses came, each counted once
    /// While requests were sent, from the first of any flow to the last; unknown of a single one.
    std::optional<double> per_s{};
    std::uint64_t timed_out = 0;  ///< requests given up
    std::uint64_t connections_failed = 0;
    LogHistogram connect_ns{};  ///< of all connections that were made for some requests each
    /// CPU time of a process for each (netperf: service demand); unknown if the run has other flows as well, or the
    /// process does not tell. Those of several receivers are added.
    std::optional<Nanos> sender_cpu{};
    std::optional<Nanos> receiver_cpu{};
};

/// Of flows with responses of their own, or that wait for them; nothing: there are none, or no response came, no
/// request was given up, and no connection failed.
[[nodiscard]] std::optional<Transactions> transactions(const SendReport& report);

/// "23456 transactions/s, each with 12 us of CPU here and 9 us at the receiver; connecting took p50 30 us p99 90 us; 3
/// requests given up without a response"; empty: there are none.
[[nodiscard]] std::string transactions_text(const SendReport& report);

}  // namespace groma
