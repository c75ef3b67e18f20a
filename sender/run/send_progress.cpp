#include "sender/run/send_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

std::string in_seconds(Nanos span) {
    return human_time(std::chrono::round<std::chrono::seconds>(span));
}

std::string time_text(Nanos elapsed, std::optional<Nanos> end) {
    const Nanos shown = std::max(elapsed, Nanos(0));
    return end and shown <= *end ? fmt::format("{} of {}", in_seconds(shown), in_seconds(*end)) : in_seconds(shown);
}

}  // namespace

Progress::Progress(const std::vector<FlowSpec>& flows) : planned_end_(Nanos(0)) {
    for (const FlowSpec& flow : flows) {
        if (planned_end_ and flow.stop.duration) {
            planned_end_ = std::max(*planned_end_, flow.start_delay + *flow.stop.duration);
        } else {
            planned_end_.reset();
        }
    }
}

std::string Progress::line(Nanos elapsed, const std::vector<FlowProgress>& flows) {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::size_t running = 0;
    for (const FlowProgress& flow : flows) {
        packets += flow.packets;
        bytes += flow.bytes;
        running += flow.finished ? 0U : 1U;
    }
    const double seconds = to_seconds(elapsed - last_elapsed_);
    const double pps = seconds > 0 ? static_cast<double>(packets - last_packets_) / seconds : 0;
    const double bps = seconds > 0 ? 8 * static_cast<double>(bytes - last_bytes_) / seconds : 0;
    last_elapsed_ = elapsed;
    last_packets_ = packets;
    last_bytes_ = bytes;
    return fmt::format("{}, {} of {}, {}, {}, {}", time_text(elapsed, planned_end_), running,
                       counted(flows.size(), "flow"), human_rate(pps), human_bits(bps), counted(packets, "packet"));
}

}  // namespace groma
