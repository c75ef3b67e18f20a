// One receiver's log on its way to this host, section by section. Nothing that the receiver says of it is believed:
// each section is checked before it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/control/messages.hpp"
#include "common/log/log_sink.hpp"
#include "common/log/running_hash.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Bytes that no receiver's log of such a run exceeds: so that a receiver cannot fill this host's disk.
[[nodiscard]] std::uint64_t longest_receiver_log(std::uint64_t flows, std::uint64_t packets, Nanos elapsed);

class FetchedLog {
public:
    explicit FetchedLog(std::unique_ptr<LogSink> sink) : sink_(std::move(sink)) {}

    /// Bytes that have come: where the next section begins.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Of the whole log; nothing before the first section.
    [[nodiscard]] std::optional<std::uint64_t> expected() const { return expected_; }
    [[nodiscard]] bool whole() const { return expected_ == bytes_; }

    /// `longest`: bytes that the whole log may have. Throws: RunError for anything but the next section, of which
    /// nothing is written; as LogSink. Nothing more can be taken then.
    void take(const LogSection& section, std::uint64_t longest);

    /// The log gets its name. Requires: whole(). Throws: as LogSink.
    void close() { sink_->close(); }

    [[nodiscard]] std::string describe() const { return sink_->describe(); }

private:
    std::unique_ptr<LogSink> sink_;
    RunningHash hash_;
    std::uint64_t bytes_ = 0;
    std::optional<std::uint64_t> expected_;
};

}  // namespace groma
