// Calls that fail by the choice of a seed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/world/tasks.hpp"

namespace groma::world {

/// Kinds of calls, as faults name them.
enum class Call : std::uint8_t {
    open,
    write,
    sync,
    rename,
    remove,
    folder,
    socket,
    accept,
    connect,
    epoll,
    event,
    thread,
    send,
    memory,
    none
};
constexpr auto kCalls = static_cast<std::size_t>(Call::none);

[[nodiscard]] std::string_view name_of(Call call);
/// The errors with which such a call fails.
[[nodiscard]] std::span<const int> errors_of(Call call);
[[nodiscard]] constexpr bool is_of_disk(Call call) {
    return call <= Call::folder;
}

/// Calls number `first` to `first + times - 1` of that kind, counted from when the fault was planted, fail.
struct Fault {
    std::string program;  ///< as Process::program
    Call call = Call::none;
    std::uint32_t first = 1;
    std::uint32_t times = 1;
    int error = 0;
    bool is_power = false;    ///< instead of failing, the call is the last: the host loses its power
    std::uint32_t calls = 0;  ///< so far
};

/// A fault as text: "groma-recv:open:3" fails once, "groma-recv:open:3+" from then on, "groma-recv:open:3!" is when the
/// host loses its power.
[[nodiscard]] std::string text_of(const Fault& fault);
/// Throws: std::invalid_argument.
[[nodiscard]] Fault parse_fault(const std::string& text);
/// For every program and kind of call, a fault that never strikes but counts.
[[nodiscard]] std::vector<Fault> counting_faults();

class Faults {
public:
    void plant(Fault fault) { planted_.push_back(std::move(fault)); }
    /// Faults that have not struck yet never do.
    void end();

    static constexpr int kPowerIsLost = -1;
    /// Called before each call. Returns: the error that it fails with, 0, or kPowerIsLost.
    int strike(const std::string& program, Call call);

    /// Counts what happened, by a word: kinds of faults, and rare paths that programs reported.
    void met(std::string_view what) { ++marks_[std::string(what)]; }
    [[nodiscard]] const std::map<std::string, std::uint64_t>& marks() const noexcept { return marks_; }
    /// For each fault, the calls so far that it could have met.
    [[nodiscard]] std::vector<std::uint32_t> calls() const;

private:
    std::vector<Fault> planted_;
    std::map<std::string, std::uint64_t> marks_;
};

}  // namespace groma::world
