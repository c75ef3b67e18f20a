// What the queues of this host's devices dropped while a run sent through them (tc(8), "dropped").
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/net/device/device_queues.hpp"
#include "common/net/device/queueing_discipline.hpp"
#include "common/net/device/way.hpp"

namespace groma {

/// Of the queueing disciplines of one device, of all programs.
struct QueueDrops {
    std::string queue;  ///< "tbf on eth0"
    std::uint64_t packets = 0;
    bool operator==(const QueueDrops&) const = default;
};

/// What the outermost discipline of the device counted between two looks: it counts what those inside drop as well.
/// Nothing: none, or it was replaced. Pure.
[[nodiscard]] std::vector<QueueDrops> drops_between(const std::string& device,
                                                    const std::vector<QueueingDiscipline>& before,
                                                    const std::vector<QueueingDiscipline>& after);

/// Of the network namespace of the caller. What the kernel does not tell is left out. Thread: one at a time.
class QueueDropWatch {
public:
    static constexpr std::size_t kMostWays = 64;  ///< a question to the kernel for each

    /// The device on this way as well, but of so many ways only.
    void watch(const Way& way, DeviceQueues& devices);
    /// From here on.
    void begin();
    [[nodiscard]] std::vector<QueueDrops> drops() const;

private:
    struct Device {
        std::string name;
        std::vector<QueueingDiscipline> before{};
    };
    std::map<int, Device> devices_;
    std::set<std::string> ways_;  ///< hosts and devices that were asked for
};

}  // namespace groma
