// The counters of a log server: everything accepted, refused and dropped.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

enum class Counted : std::uint8_t {
    connections,
    refused_full,       ///< connections beyond --max-sessions
    refused_version,    ///< connections with another protocol version
    refused_rubbish,    ///< connections with invalid frames
    refused_protocol,   ///< connections with unexpected frames
    refused_silent,     ///< connections silent for too long
    refused_deaf,       ///< connections that did not read answers
    refused_key,        ///< connections without a key, or with one that lacks the role
    refused_strangers,  ///< datagrams and messages without a connection
    logs_opened,
    logs_completed,
    logs_given_up,
    logs_refused,
    logs_taken_over,  ///< by the same writer on another connection
    holds,
    pieces,
    bytes,
    pieces_repeated,  ///< dropped: already stored
    pieces_held,      ///< dropped for lack of space; sent again later
    pieces_stray,     ///< dropped: their log was already closed or refused
    sync_failures,
    last_of_them
};

class ServerCounters {
public:
    void count(Counted what, std::uint64_t times = 1) { counts_[static_cast<std::size_t>(what)] += times; }
    [[nodiscard]] std::uint64_t of(Counted what) const { return counts_[static_cast<std::size_t>(what)]; }

    /// By their names in the catalogue.
    [[nodiscard]] CounterValues values() const;

    bool operator==(const ServerCounters&) const = default;

private:
    std::array<std::uint64_t, static_cast<std::size_t>(Counted::last_of_them)> counts_{};
};

/// "12 connections, 3 logs opened, ...": the nonzero counters.
[[nodiscard]] std::string to_string(const CounterValues& values);

/// The sum of both.
[[nodiscard]] CounterValues sum(CounterValues one, const CounterValues& other);

}  // namespace groma
