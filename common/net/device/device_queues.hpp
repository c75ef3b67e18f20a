// The queues of this host that the packets of a run pass: the kernel is asked once for each device, not for each flow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/net/device/queueing_discipline.hpp"
#include "common/net/device/way.hpp"

namespace groma {

/// Of the network namespace of the caller. Thread: one at a time.
class DeviceQueues {
public:
    /// As device_towards(). Flows to one host come one after the other: what was found last is kept.
    [[nodiscard]] int device_of(const Way& way);

    /// Throws: SystemError.
    [[nodiscard]] const std::vector<QueueingDiscipline>& of(int device);

    /// The kind of a queue on this way that takes messages of several packets apart: token buckets and the like ("tbf")
    /// queue some of the packets, throw others away, and report only a message of which nothing is left. Empty: none is
    /// known.
    [[nodiscard]] std::string that_takes_apart(const Way& way);

private:
    Way latest_{};
    int latest_device_ = 0;  ///< that packets take on latest_; 0: nobody has asked yet
    std::map<int, std::vector<QueueingDiscipline>> disciplines_{};
};

}  // namespace groma
