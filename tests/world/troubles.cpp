#include "tests/world/troubles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace groma::world {

using namespace std::chrono_literals;

Nanos Troubles::between(Nanos least, Nanos most) {
    return least + Nanos(static_cast<std::int64_t>(some(static_cast<std::uint64_t>((most - least).count()))));
}

Host& Troubles::some_host() {
    return *std::array{&programs_.alpha, &programs_.beta, &programs_.gamma}[some(3)];
}

std::pair<Host&, Host&> Troubles::some_way() {
    Host& from = some_host();
    Host& to = some_host();
    return &from == &to ? some_way() : std::pair<Host&, Host&>(from, to);
}

Daemon& Troubles::some_daemon() {
    return some(2) == 0 ? programs_.log_server : programs_.receiver;
}

void Troubles::add(const std::string& words, const std::string& mark, std::function<void()> begin,
                   std::function<void()> end, Nanos longest) {
    const Nanos at = between(500ms, 9s);
    chosen_.push_back({.at = at,
                       .until = std::min(at + between(1ms, longest), kTroublesEnd),
                       .words = words,
                       .begin =
                           [this, mark, begin = std::move(begin)] {
                               if (not mark.empty()) {
                                   world_.faults.met(mark);
                               }
                               begin();
                           },
                       .end = std::move(end)});
}

std::vector<Trouble> Troubles::choose(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        choose_one();
    }
    return std::exchange(chosen_, {});
}

void Troubles::choose_one() {
    constexpr std::array kKinds{&Troubles::choose_link,  &Troubles::choose_link,     &Troubles::choose_cut,
                                &Troubles::choose_kill,  &Troubles::choose_kill,     &Troubles::choose_power,
                                &Troubles::choose_power, &Troubles::choose_disk,     &Troubles::choose_disk,
                                &Troubles::choose_step,  &Troubles::choose_hold,     &Troubles::choose_shortage,
                                &Troubles::choose_stop,  &Troubles::choose_stranger, &Troubles::choose_call,
                                &Troubles::choose_call,  &Troubles::choose_address,  &Troubles::choose_second_server};
    (this->*kKinds[some(kKinds.size())])();
}

void Troubles::choose_link() {
    const auto& [from, to] = some_way();
    const Link worse{.delay = between(100us, 50ms),
                     .jitter = between(0ms, 20ms),
                     .loss = static_cast<double>(some(50)) / 100,
                     .copies = static_cast<double>(some(3)) / 20};
    add(
        fmt::format("the way from {} to {} delays {} us and up to {} us more, loses {:.2f}, copies {:.2f}", from.name,
                    to.name, worse.delay / 1us, worse.jitter / 1us, worse.loss, worse.copies),
        "bad link", [this, &from, &to, worse] { world_.network.link(from.address, to.address) = worse; },
        [this, &from, &to] { world_.network.link(from.address, to.address) = Link{}; }, 12s);
}

void Troubles::choose_cut() {
    const auto& [from, to] = some_way();
    const bool both = some(2) == 0;
    const auto set = [this, &from, &to, both](bool is_cut) {
        world_.network.link(from.address, to.address).is_cut = is_cut;
        if (both) {
            world_.network.link(to.address, from.address).is_cut = is_cut;
        }
    };
    const std::string ways = both ? "both ways" : "one way";
    add(
        fmt::format("{} is cut off from {}, {}", to.name, from.name, ways), "cut, " + ways, [set] { set(true); },
        [set] { set(false); }, 15s);
}

void Troubles::choose_kill() {
    if (some(3) == 0) {
        return add(
            "the sender is killed", "",
            [this] {
                if (sender_ != nullptr and not sender_->over) {
                    world_.faults.met("kill groma-send");
                    world_.kill(*sender_);
                }
            },
            {}, 8s);
    }
    Daemon& daemon = some_daemon();
    add(
        daemon.program + " is killed", "",
        [this, &daemon] {
            if (not daemon.process->over) {
                world_.faults.met("kill " + daemon.program);
                programs_.kill(daemon);
            }
        },
        {}, 8s);
}

void Troubles::choose_power() {
    if (some(4) == 0) {
        Host& host = programs_.alpha;
        return add(
            "alpha, where groma-send runs, loses its power", "power of groma-send",
            [this, &host] { world_.lose_power(host); }, [this, &host] { programs_.boot(host); }, 8s);
    }
    Daemon& daemon = some_daemon();
    add(
        fmt::format("{}, where {} runs, loses its power", daemon.host->name, daemon.program),
        "power of " + daemon.program, [this, &daemon] { world_.lose_power(*daemon.host); },
        [this, &daemon] { programs_.boot(*daemon.host); }, 8s);
}

void Troubles::choose_disk() {
    Host& host = some_host();
    Disk& disk = *host.disk;
    switch (some(4)) {
        case 0:
            return add(
                fmt::format("the disk of {} is full", host.name), "disk full", [&disk] { disk.is_full = true; },
                [&disk] { disk.is_full = false; }, 8s);
        case 1:
            return add(
                fmt::format("the disk of {} cannot make anything safe", host.name), "disk broken",
                [&disk] { disk.is_broken = true; }, [&disk] { disk.is_broken = false; }, 8s);
        case 2:
            return add(
                fmt::format("the disk of {} has no inodes left", host.name), "no inodes",
                [&disk] { disk.has_no_inodes = true; }, [&disk] { disk.has_no_inodes = false; }, 8s);
        default: {
            const std::size_t most = std::array<std::size_t, 3>{1, 100, 1000}[some(3)];
            return add(
                fmt::format("the disk of {} takes {} bytes at a time", host.name, most), "short writes",
                [&disk, most] { disk.most_taken = most; }, [&disk] { disk.most_taken = SIZE_MAX; }, 8s);
        }
    }
}

void Troubles::choose_step() {
    Host& host = some_host();
    const Nanos step = between(-3600s, 3600s);
    add(
        fmt::format("the wall clock of {} is set by {} s", host.name, step / 1s), "clock step",
        [&host, step] { host.wall_offset += step; }, {}, 8s);
}

void Troubles::choose_hold() {
    const auto which = some(3);
    const Nanos span = between(1s, 60s);
    add(
        fmt::format("{} is held for {} ms", std::array{"groma-send", "groma-recv", "groma-log"}[which], span / 1ms), "",
        [this, which, span] {
            const Process* const process =
                std::array<const Process*, 3>{sender_, programs_.receiver.process, programs_.log_server.process}[which];
            if (process != nullptr and not process->over) {
                world_.faults.met("hold " + process->program);
                world_.tasks.hold(process->id, world_.tasks.now() + span);
            }
        },
        {}, 8s);
}

void Troubles::choose_shortage() {
    Daemon& daemon = some_daemon();
    const std::size_t left = some(4);
    add(
        fmt::format("{} has {} descriptors left", daemon.program, left), "",
        [this, &daemon, left] {
            if (not daemon.process->over) {
                world_.faults.met("few descriptors");
                daemon.process->most_descriptors = daemon.process->descriptors.size() + left;
            }
        },
        [&daemon] { daemon.process->most_descriptors = kMostDescriptors; }, 8s);
}

void Troubles::choose_address() {
    Host& host = some_host();
    add(
        host.name + " has no address", "no address", [&host] { host.has_address = false; },
        [&host] { host.has_address = true; }, 12s);
}

void Troubles::choose_second_server() {
    const auto process = std::make_shared<Process*>();
    add(
        "a second groma-log begins", "",
        [this, process] {
            if (programs_.gamma.is_up) {
                *process = &programs_.serve_logs_twice();
            }
        },
        [this, process] {
            if (*process != nullptr and not(*process)->over) {
                world_.kill(**process);
            }
        },
        8s);
}

void Troubles::choose_stop() {
    const auto which = some(3);
    if (which == 2) {
        const bool twice = some(2) == 0;
        const auto interrupt = [this](const std::string& mark) {
            if (sender_ != nullptr and not sender_->over) {
                world_.faults.met(mark);
                programs_.interrupt(*sender_);
            }
        };
        return add(
            twice ? "the sender is interrupted twice" : "the sender is interrupted", "",
            [interrupt] { interrupt("interrupted"); },
            [interrupt, twice] {
                if (twice) {
                    interrupt("interrupted twice");
                }
            },
            8s);
    }
    Daemon& daemon = which == 0 ? programs_.receiver : programs_.log_server;
    add(
        daemon.program + " is asked to stop", "",
        [this, &daemon] {
            if (programs_.ask_to_stop(daemon)) {
                world_.faults.met("stop " + daemon.program);
            }
        },
        {}, 8s);
}

void Troubles::choose_stranger() {
    const auto process = std::make_shared<Process*>();
    add(
        "a stranger comes", "stranger", [this, process, seed = random_()] { *process = &programs_.be_stranger(seed); },
        [this, process] { world_.kill(**process); }, 15s);
}

void Troubles::choose_call() {
    Fault fault;
    fault.program = std::array{"groma-log", "groma-recv", "groma-send"}[some(3)];
    fault.call = static_cast<Call>(some(static_cast<std::uint64_t>(Call::none)));
    fault.first = static_cast<std::uint32_t>(1 + some(1U << some(7)));
    fault.times = static_cast<std::uint32_t>(1 + (some(3) == 0 ? some(20) : 0));
    const std::span<const int> errors = errors_of(fault.call);
    fault.error = errors[some(errors.size())];
    chosen_.push_back(
        {.at = some(3) == 0 ? 1ms : between(500ms, 6s),
         .until = kTroublesEnd,
         .words = fmt::format("{} from the call of {} number {} on, {} of them fail: {}", fault.program,
                              name_of(fault.call), fault.first, fault.times, strerrorname_np(fault.error)),
         .begin = [this, fault] { world_.faults.plant(fault); },
         .end = {}});
}

}  // namespace groma::world
