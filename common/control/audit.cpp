#include "common/control/audit.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_text.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr mode_t kMode = 0600;
constexpr std::size_t kMostSources = 64;
constexpr Nanos kBetweenLines = std::chrono::seconds(1);
constexpr std::size_t kLongestAuditText = 200;  // of each text, so that a line is written at once

FileDescriptor open_audit(const std::filesystem::path& file, const std::string& name) {
    // Opening a FIFO must not wait for its reader.
    return FileDescriptor(
        file == "-" ? checked("use standard error", ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0))
                    : checked("write the audit to " + name,
                              ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                                     kMode)));
}

/// As RFC 3339 has it: "2026-11-29T15:34:35.120Z".
std::string utc_of(WallTime time) {
    constexpr std::int64_t kPerSecond = 1'000'000'000;
    constexpr std::int64_t kPerMilli = 1'000'000;
    const std::int64_t ns = ns_since_epoch(time);
    const std::int64_t seconds = ns / kPerSecond - (ns % kPerSecond < 0 ? 1 : 0);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(seconds)),
                       (ns - seconds * kPerSecond) / kPerMilli);
}

}  // namespace

std::optional<std::uint64_t> LinesOfSources::may(const std::string& source, MonoTime now) {
    if (last_.size() >= kMostSources) {
        std::erase_if(last_, [now](const auto& one) { return now - one.second.last >= kBetweenLines; });
    }
    const auto known = last_.find(source);
    if (known == last_.end()) {
        if (last_.size() >= kMostSources) {
            return std::nullopt;
        }
        last_.emplace(source, Line{.last = now});
        return 0;
    }
    if (now - known->second.last < kBetweenLines) {
        ++known->second.left_out;
        return std::nullopt;
    }
    known->second.last = now;
    return std::exchange(known->second.left_out, 0);
}

void RefusalLines::tell(const std::function<void(const std::string&)>& say, const std::string& host,
                        const std::string& line, MonoTime now) {
    const auto left_out = lines_.may(host, now);
    if (left_out) {
        say(*left_out == 0 ? line
                           : fmt::format("{} ({} of {} before it {} no line)", line, counted(*left_out, "refusal"),
                                         host, by_count(*left_out, "has", "have")));
    }
}

std::string audit_line(const AuditEvent& event, std::string_view program, WallTime now, std::uint64_t left_out) {
    nlohmann::ordered_json line{{"time", utc_of(now)},
                                {"program", program},
                                {"what", event.what},
                                {"verdict", event.allowed ? "allowed" : "refused"},
                                {"from", plain_text(event.from, kLongestAuditText)}};
    const auto add = [&line](const char* name, const std::string& text) {
        if (not text.empty()) {
            line[name] = plain_text(text, kLongestAuditText);
        }
    };
    add("key", event.key);
    add("subject", event.subject);
    add("why", event.why);
    if (left_out > 0) {
        line["left_out"] = left_out;
    }
    return json_text(line);
}

AuditFile::AuditFile(const std::filesystem::path& file, std::string program, Clock& clock,
                     std::function<void(const std::string&)> say)
    : name_(plain_text(file.string())),
      program_(std::move(program)),
      clock_(clock),
      say_(std::move(say)),
      file_(open_audit(file, name_)) {}

void AuditFile::write(const AuditEvent& event) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        const std::string source = event.from.substr(0, event.from.rfind(':')) + ' ' + event.key;
        const std::optional<std::uint64_t> left_out = event.allowed ? 0 : lines_.may(source, clock_.now());
        if (not left_out) {
            return;
        }
        const std::string line = audit_line(event, program_, clock_.wall_now(), *left_out) + '\n';
        const ssize_t written = ::write(file_.get(), line.data(), line.size());
        if (written != static_cast<ssize_t>(line.size()) and not std::exchange(failed_, true)) {
            say_("the audit cannot be written to " + name_ + ": " + std::strerror(written < 0 ? errno : ENOSPC));
        }
    } catch (const std::exception&) {
        failed_ = true;  // a line that cannot be made must not end a session
    }
}

Audit audit_to(std::optional<AuditFile>& file) {
    return file ? Audit([&file](const AuditEvent& event) { file->write(event); }) : Audit();
}

}  // namespace groma
