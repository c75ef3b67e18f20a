// The log of a session, on this receiver's disk, as its sender fetches it after the run: in sections, from one of them
// to the end. It is the file that this session wrote, whatever has its name by then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "common/control/messages.hpp"
#include "common/control/sectioned_log.hpp"

namespace groma {

/// Thread: the log's.
class OfferedLog {
public:
    /// `key`: the name of the sender's; empty: it has proved none. Requires: the sink that writes `file` is open, so
    /// that its part is locked. Throws: SystemError.
    OfferedLog(std::filesystem::path file, std::string key);

    /// As SectionedLog.
    [[nodiscard]] LogSection section(std::uint64_t offset) { return log_.section(offset); }

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

    /// Whether a sender with this key may go on with it: one of the same name, or an administrator's. `grant`: nothing:
    /// it has proved none.
    [[nodiscard]] bool is_for(const std::optional<Grant>& grant) const;

    /// From now on any section may be the next again.
    void rewind() { log_.rewind(); }

    /// Whether its last section was asked for.
    [[nodiscard]] bool given() const { return log_.given(); }

    /// Throws: UsageError if the last section was not given; RunError if the file has lost its name; SystemError.
    void remove();

private:
    std::filesystem::path file_;
    std::string key_;
    SectionedLog log_;
};

}  // namespace groma
