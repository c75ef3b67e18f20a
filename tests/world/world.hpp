// The simulated world: hosts with clocks, disks and programs, and the network between them, all determined by a seed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/world/disk.hpp"
#include "tests/world/faults.hpp"
#include "tests/world/kernel.hpp"
#include "tests/world/network.hpp"
#include "tests/world/tasks.hpp"

namespace groma::world {

struct Host {
    std::string name;
    std::uint32_t address = 0;
    bool is_up = true;
    bool has_address = true;
    Nanos wall_offset{0};  ///< of its wall clock, at world time zero
    Nanos monotonic_offset{0};
    double drift = 0;                    ///< of both its clocks: seconds in a second
    std::size_t stream_bytes = 212'992;  ///< room in sockets of new connections, each way
    std::unique_ptr<Disk> disk;
    std::filesystem::path boot_id_file;  ///< what /proc/sys/kernel/random/boot_id stands for
    std::map<ino_t, std::vector<std::pair<const OpenFile*, bool>>>
        locks;  ///< flock(2): its holder, and whether it is exclusive

    [[nodiscard]] Nanos monotonic(Nanos now) const;
    [[nodiscard]] Nanos wall(Nanos now) const;
    /// When its monotonic clock shows `time`.
    [[nodiscard]] Nanos world_time(Nanos time) const;
};

class World {
public:
    /// Its disks are below `folder`, which is empty.
    World(std::uint64_t seed, std::filesystem::path folder);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    Tasks tasks;
    std::function<void(Host&)> power_fails;  ///< called in the middle of a call, see Fault::is_power
    Network network;
    Faults faults;

    Host& add_host(std::string name);
    /// Runs a program's main function on a host. Its descriptors are closed when that returns, and its other tasks end.
    Process& start(Host& host, std::string program, std::function<void()> main);
    /// As SIGKILL does: the host's kernel closes its descriptors.
    void kill(Process& process);
    /// All its programs end, and peers get no message; its disk keeps the safe data.
    void lose_power(Host& host);
    void boot(Host& host);

    /// Of the task that has the turn.
    [[nodiscard]] Process& current();
    [[nodiscard]] Host* host_at(std::uint32_t address);
    /// The host on whose disk a path is; null: not in the world.
    [[nodiscard]] Host* host_of(const std::filesystem::path& path);

private:
    std::filesystem::path folder_;
    std::vector<std::unique_ptr<Host>> hosts_;
    std::map<ProcessId, std::unique_ptr<Process>> processes_;
};

/// The existing world, for calls of programs; null: there is none.
[[nodiscard]] World* living() noexcept;

}  // namespace groma::world
