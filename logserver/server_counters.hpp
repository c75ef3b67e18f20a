// What a log server counts: everything that it takes, refuses and drops.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

enum class Counted : std::uint8_t {
    connections,
    refused_full,       ///< connections beyond --max-sessions
    refused_version,    ///< connections of another version of the protocol
    refused_rubbish,    ///< connections that sent no frames
    refused_protocol,   ///< connections that sent frames which do not belong there
    refused_silent,     ///< connections that said nothing for too long
    refused_deaf,       ///< connections that did not read what they were answered
    refused_strangers,  ///< datagrams and messages that belong to no connection
    logs_opened,
    logs_completed,
    logs_given_up,
    logs_refused,
    logs_taken_over,  ///< by their own writer on another connection
    holds,
    pieces,
    bytes,
    pieces_repeated,  ///< dropped: they are here already
    pieces_held,      ///< dropped while the server has no room; they come again
    pieces_stray,     ///< dropped: their log had been closed or refused when they came
    sync_failures,
    last_of_them
};

class ServerCounters {
public:
    void count(Counted what, std::uint64_t times = 1) { counts_[static_cast<std::size_t>(what)] += times; }
    [[nodiscard]] std::uint64_t of(Counted what) const { return counts_[static_cast<std::size_t>(what)]; }

    /// By the names that the catalogue keeps them under.
    [[nodiscard]] CounterValues values() const;

    bool operator==(const ServerCounters&) const = default;

private:
    std::array<std::uint64_t, static_cast<std::size_t>(Counted::last_of_them)> counts_{};
};

/// "12 connections, 3 logs opened, ...": what is not zero.
[[nodiscard]] std::string to_string(const CounterValues& values);

/// Both together.
[[nodiscard]] CounterValues sum(CounterValues one, const CounterValues& other);

}  // namespace groma
