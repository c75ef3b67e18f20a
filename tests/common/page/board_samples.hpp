// Runs and rows for tests of the live page.
#pragma once

#include <string>

#include "common/page/run_board.hpp"

namespace groma {

inline BoardRun sample_run(std::size_t flows = 2, const std::string& experiment = "sample") {
    BoardRun run{.run_id = std::string(32, 'a'),
                 .experiment = experiment,
                 .began = wall_time_from_ns(1'000'000'000),
                 .hosts = {{.role = "sender", .name = "alpha", .address = "10.0.0.1:41234"}}};
    for (std::uint32_t i = 1; i <= flows; ++i) {
        run.flows.push_back(
            {.id = FlowId{i}, .name = "flow " + std::to_string(i), .transport = "udp", .from = "alpha", .to = "beta"});
    }
    return run;
}

/// The interval from second number `second`: each flow got its own number of packets.
inline IntervalRow sample_row(std::uint64_t second, std::size_t flows = 2) {
    const auto figures = [second](std::uint64_t packets) {
        return RowFigures{.from = std::chrono::seconds(second),
                          .length = std::chrono::seconds(1),
                          .received_packets = packets,
                          .received_bytes = 100 * packets,
                          .received_over = std::chrono::seconds(1),
                          .missing_packets = second};
    };
    IntervalRow row;
    std::uint64_t all = 0;
    for (std::uint32_t i = 1; i <= flows; ++i) {
        row.flows.push_back({.flow = FlowId{i}, .name = "flow " + std::to_string(i), .figures = figures(i)});
        all += i;
    }
    row.all = figures(all);
    return row;
}

}  // namespace groma
