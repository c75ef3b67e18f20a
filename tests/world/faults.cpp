#include "tests/world/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <regex>
#include <stdexcept>

namespace groma::world {

namespace {

constexpr std::array<std::string_view, kCalls> kNames{"open",    "write",  "fsync",  "rename",  "unlink",
                                                      "mkdir",   "socket", "accept", "connect", "epoll",
                                                      "eventfd", "thread", "send",   "memory"};
constexpr std::array kPrograms{"groma-log", "groma-recv", "groma-send"};
constexpr std::uint32_t kForEver = UINT32_MAX;

}  // namespace

std::string_view name_of(Call call) {
    return kNames.at(static_cast<std::size_t>(call));
}

std::string text_of(const Fault& fault) {
    const char* const times = fault.is_power ? "!" : fault.times == kForEver ? "+" : "";
    return fmt::format("{}:{}:{}{}", fault.program, name_of(fault.call), fault.first, times);
}

Fault parse_fault(const std::string& text) {
    static const std::regex kForm("(groma-log|groma-recv|groma-send):([a-z]+):([1-9][0-9]{0,9})([+!]?)");
    std::smatch parts;
    const bool fits = std::regex_match(text, parts, kForm);
    const auto* const name = fits ? std::ranges::find(kNames, parts[2].str()) : kNames.end();
    if (name == kNames.end()) {
        throw std::invalid_argument("'" + text + "' is no fault (as groma-recv:open:3 is)");
    }
    Fault fault{.program = parts[1],
                .call = static_cast<Call>(name - kNames.begin()),
                .first = static_cast<std::uint32_t>(std::stoul(parts[3])),
                .times = parts[4] == "+" ? kForEver : 1,
                .is_power = parts[4] == "!"};
    if (fault.is_power and not is_of_disk(fault.call)) {
        throw std::invalid_argument("'" + text + "': power is lost at calls of files only, such as groma-log:fsync:3!");
    }
    const std::span<const int> errors = errors_of(fault.call);
    fault.error = errors[fault.first % errors.size()];
    return fault;
}

std::vector<Fault> counting_faults() {
    std::vector<Fault> faults;
    for (const char* const program : kPrograms) {
        for (std::size_t call = 0; call < kCalls; ++call) {
            faults.push_back({.program = program, .call = static_cast<Call>(call), .first = kForEver});
        }
    }
    return faults;
}

std::span<const int> errors_of(Call call) {
    static constexpr std::array kOpen{EMFILE, ENFILE, ENOSPC, EIO};
    static constexpr std::array kWrite{ENOSPC, EIO, EDQUOT};
    static constexpr std::array kDisk{EIO, ENOSPC};
    static constexpr std::array kDescriptor{EMFILE, ENFILE, ENOMEM};
    static constexpr std::array kEpoll{ENOMEM, ENOSPC};
    static constexpr std::array kConnect{EADDRNOTAVAIL, ENETUNREACH, ECONNREFUSED};
    static constexpr std::array kThread{EAGAIN};
    static constexpr std::array kMemory{ENOMEM};
    static constexpr std::array kSend{ENOBUFS, ENETUNREACH, EPERM};
    switch (call) {
        case Call::open:
            return kOpen;
        case Call::write:
            return kWrite;
        case Call::sync:
        case Call::rename:
        case Call::remove:
        case Call::folder:
            return kDisk;
        case Call::socket:
        case Call::accept:
        case Call::event:
            return kDescriptor;
        case Call::epoll:
            return kEpoll;
        case Call::connect:
            return kConnect;
        case Call::thread:
            return kThread;
        case Call::memory:
            return kMemory;
        default:
            return kSend;
    }
}

void Faults::end() {
    planted_.clear();
}

std::vector<std::uint32_t> Faults::calls() const {
    std::vector<std::uint32_t> calls;
    std::ranges::transform(planted_, std::back_inserter(calls), &Fault::calls);
    return calls;
}

int Faults::strike(const std::string& program, Call call) {
    int error = 0;
    for (Fault& fault : planted_) {
        if (fault.call != call or fault.program != program) {
            continue;
        }
        ++fault.calls;
        if (fault.calls >= fault.first and fault.calls - fault.first < fault.times) {
            error = fault.is_power ? kPowerIsLost : fault.error;
            met(std::string(name_of(call)) + ' ' + (fault.is_power ? "power" : strerrorname_np(error)));
        }
    }
    return error;
}

}  // namespace groma::world
