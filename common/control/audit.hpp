// The audit of a daemon: a JSON line for whatever it has let a peer do, and for whatever it has not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// A decision about a peer.
struct AuditEvent {
    std::string_view what;  ///< "connection", "session", "run", "log"
    bool allowed = false;
    std::string from;       ///< "10.0.0.1:4711", "10.0.0.1"
    std::string key{};      ///< the name of the key that it has proved; empty: none
    std::string subject{};  ///< the experiment, or the log
    std::string why{};      ///< it is refused
};

/// Takes an event. Empty: there is no audit.
using Audit = std::function<void(const AuditEvent&)>;

/// Of --audit.
inline constexpr const char* kAuditHelp =
    "add a line of JSON to FILE for each peer that is served, and for each that is refused: who, from where, what, why";
inline constexpr const char* kAuditMore =
    "With - it goes to standard error, for a journal. Refusals of a host, by its key, have a line a second, with the "
    "number of those left out.";

/// Lets a line a second pass for each source, of a bounded number of sources. Pure.
class LinesOfSources {
public:
    /// Returns: how many of the source were left out before; nothing: this one is to be.
    [[nodiscard]] std::optional<std::uint64_t> may(const std::string& source, MonoTime now);

private:
    struct Line {
        MonoTime last;
        std::uint64_t left_out = 0;
    };
    std::map<std::string, Line> last_;
};

/// The operator's lines about who is refused: one a second for each host. Pure.
class RefusalLines {
public:
    /// `say` takes the line, if it has one, and how many of the host had none before.
    void tell(const std::function<void(const std::string&)>& say, const std::string& host, const std::string& line,
              MonoTime now);

private:
    LinesOfSources lines_;
};

/// One line without its end: "time", "program", "what", "verdict" ("allowed", "refused"), "from", and what of the
/// others is not empty. `left_out`: of the same host, before. Pure.
[[nodiscard]] std::string audit_line(const AuditEvent& event, std::string_view program, WallTime now,
                                     std::uint64_t left_out = 0);

/// A file to which lines are added, made for its owner alone; "-": standard error, for a journal. Of a host's
/// refusals, by its key, a line a second. Thread: any.
class AuditFile {
public:
    /// `say` takes a sentence, once, if lines cannot be written any more. The clock outlives the file. Throws:
    /// SystemError.
    AuditFile(const std::filesystem::path& file, std::string program, Clock& clock,
              std::function<void(const std::string&)> say);

    void write(const AuditEvent& event) noexcept;

private:
    std::string name_;
    std::string program_;
    Clock& clock_;
    std::function<void(const std::string&)> say_;
    FileDescriptor file_;
    std::mutex mutex_;  ///< for what follows, and for lines to be whole
    LinesOfSources lines_;
    bool failed_ = false;
};

/// Empty: nothing is written. The file outlives what it is given to.
[[nodiscard]] Audit audit_to(std::optional<AuditFile>& file);

}  // namespace groma
