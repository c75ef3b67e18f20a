// A log of another host on its way to this one, section by section. Nothing that the other host says of it is believed:
// each section is checked before it is written.
#pragma once

#include <cstdint>
#include <functional>
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
    /// It is not kept here, but handed on: each section to `next`, which throws as LogSink.
    FetchedLog(std::string name, std::function<void(const LogSection&)> next)
        : name_(std::move(name)), next_(std::move(next)) {}

    /// Bytes that have come: where the next section begins.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Of the whole log; nothing before the first section.
    [[nodiscard]] std::optional<std::uint64_t> expected() const { return expected_; }
    [[nodiscard]] bool whole() const { return expected_ == bytes_; }

    /// `longest`: bytes that the whole log may have. Throws: RunError for anything but the next section, of which
    /// nothing is written; as LogSink. Nothing more can be taken then.
    void take(const LogSection& section, std::uint64_t longest);

    /// The log gets its name. Requires: whole(). Throws: as LogSink.
    void close();

    [[nodiscard]] std::string describe() const { return sink_ ? sink_->describe() : name_; }

private:
    std::unique_ptr<LogSink> sink_;  ///< null: it is handed on
    std::string name_{};
    std::function<void(const LogSection&)> next_{};
    RunningHash hash_;
    std::uint64_t bytes_ = 0;
    std::optional<std::uint64_t> expected_;
};

}  // namespace groma
