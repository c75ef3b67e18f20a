#include "tests/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <utility>

#include "tests/world/calls.hpp"

namespace groma::world {

namespace {

World* the_living = nullptr;

constexpr std::uint32_t kFirstAddress = 0x0A000001;  // 10.0.0.1
constexpr Nanos kCall{200};
constexpr Nanos kSinceBoot = std::chrono::seconds(1);

}  // namespace

World* living() noexcept {
    return the_living;
}

int enter(World& world, Call call) {
    world.tasks.pass(kCall);
    if (world.tasks.random()() % 16 == 0) {
        world.tasks.pause();
    }
    const int error = call == Call::none ? 0 : world.faults.strike(world.current().program, call);
    if (error == Faults::kPowerIsLost) {
        world.tasks.at(world.tasks.now(), [&world, &host = *world.current().host] { world.power_fails(host); });
        world.tasks.await([] { return false; });
    }
    return error;
}

Nanos Host::monotonic(Nanos now) const {
    return now + monotonic_offset + Nanos(std::llround(static_cast<double>(now.count()) * drift));
}

Nanos Host::wall(Nanos now) const {
    return now + wall_offset + Nanos(std::llround(static_cast<double>(now.count()) * drift));
}

Nanos Host::world_time(Nanos time) const {
    return Nanos(std::llround(std::ceil(static_cast<double>((time - monotonic_offset).count()) / (1 + drift)))) +
           Nanos(1);
}

World::World(std::uint64_t seed, std::filesystem::path folder)
    : tasks(seed), network(*this), folder_(std::move(folder)) {
    the_living = this;
    tasks.ended = let_go;
}

World::~World() {
    the_living = nullptr;
}

Host& World::add_host(std::string name) {
    Host& host = *hosts_.emplace_back(std::make_unique<Host>());
    host.name = std::move(name);
    host.address = kFirstAddress + static_cast<std::uint32_t>(hosts_.size()) - 1;
    const auto root = folder_ / host.name;
    std::filesystem::create_directories(root);
    host.disk = std::make_unique<Disk>(root);
    const auto some = [this](std::int64_t most) {
        return static_cast<std::int64_t>(tasks.random()() % static_cast<std::uint64_t>(most));
    };
    const auto uptime = std::chrono::seconds(some(100'000));
    host.wall_offset = std::chrono::seconds(1'700'000'000) + std::chrono::milliseconds(some(2000));
    host.boot_id_file = folder_ / (host.name + ".boot_id");
    boot(host);
    host.monotonic_offset = uptime;
    host.drift = (static_cast<double>(some(100)) - 50) * 1e-6;
    return host;
}

Process& World::start(Host& host, std::string program, std::function<void()> main) {
    const auto id = static_cast<ProcessId>(processes_.size() + 1);
    Process& process = *processes_.emplace(id, std::make_unique<Process>()).first->second;
    process.id = id;
    process.program = std::move(program);
    process.host = &host;
    Task& task = tasks.spawn(id, [this, &process, main = std::move(main)] {
        try {
            main();
        } catch (const std::exception& error) {
            process.failure = error.what();
        }
        process.over = true;
        for (const auto& [number, description] : process.descriptors) {
            process.left += typeid(*description).name() + std::string(" ");
        }
        process.tasks_left = tasks.tasks_of(process.id) - 1;
        process.close_all();
        tasks.end_others(process.id);
    });
    pthread_detach(task.thread);
    return process;
}

void World::kill(Process& process) {
    process.over = true;
    tasks.kill(process.id);
    process.close_all();
}

void World::lose_power(Host& host) {
    host.is_up = false;
    network.forget(host.address);
    for (const auto& [id, process] : processes_) {
        if (process->host == &host and not process->over) {
            process->over = true;
            tasks.kill(id);
            process->descriptors.clear();
        }
    }
    host.locks.clear();
    host.disk->lose_power(tasks.random());
}

void World::boot(Host& host) {
    host.is_up = true;
    host.monotonic_offset += kSinceBoot - host.monotonic(tasks.now());
    const auto part = [this] { return static_cast<unsigned>(tasks.random()() & 0xFFFFU); };
    char id[40];
    std::snprintf(id, sizeof id, "%04x%04x-%04x-%04x-%04x-%04x%04x%04x\n", part(), part(), part(), part(), part(),
                  part(), part(), part());
    std::ofstream(host.boot_id_file) << id;
}

Process& World::current() {
    return *processes_.at(Tasks::current()->process);
}

Host* World::host_at(std::uint32_t address) {
    const auto found = std::ranges::find_if(hosts_, [=](const auto& host) { return host->address == address; });
    return found == hosts_.end() ? nullptr : found->get();
}

Host* World::host_of(const std::filesystem::path& path) {
    const auto found = std::ranges::find_if(hosts_, [&](const auto& host) { return host->disk->holds(path); });
    return found == hosts_.end() ? nullptr : found->get();
}

}  // namespace groma::world
