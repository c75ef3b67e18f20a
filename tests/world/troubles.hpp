// The troubles of a history: each has a time at which it begins and one at which it is over.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/world/programs.hpp"

namespace groma::world {

struct Trouble {
    Nanos at{0};
    Nanos until{0};
    std::string words;
    std::function<void()> begin;
    std::function<void()> end;  ///< empty: it ends by itself
};

/// All troubles are over by then.
constexpr Nanos kTroublesEnd = std::chrono::seconds(20);

class Troubles {
public:
    /// `random` chooses; `sender` is the process of the run among the troubles, once it exists.
    Troubles(World& world, Programs& programs, std::mt19937_64& random, Process* const& sender)
        : world_(world), programs_(programs), random_(random), sender_(sender) {}

    [[nodiscard]] std::vector<Trouble> choose(std::size_t count);

private:
    [[nodiscard]] std::uint64_t some(std::uint64_t most) { return random_() % most; }
    [[nodiscard]] Nanos between(Nanos least, Nanos most);
    [[nodiscard]] Host& some_host();
    /// The path between two hosts.
    [[nodiscard]] std::pair<Host&, Host&> some_way();
    [[nodiscard]] Daemon& some_daemon();
    /// Without a mark, `begin` itself notes what it met.
    void add(const std::string& words, const std::string& mark, std::function<void()> begin, std::function<void()> end,
             Nanos longest);
    void choose_one();
    void choose_link();
    void choose_cut();
    void choose_kill();
    void choose_power();
    void choose_disk();
    void choose_step();
    void choose_hold();
    void choose_shortage();
    void choose_address();
    void choose_second_server();
    void choose_stop();
    void choose_stranger();
    void choose_call();

    World& world_;
    Programs& programs_;
    std::mt19937_64& random_;
    Process* const& sender_;
    std::vector<Trouble> chosen_;
};

}  // namespace groma::world
