// The logs that queries of one connection to SQLite have opened: the last few stay, so that the next query need not
// find out again where their blocks are. One thread at a time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "decoder/extension/packet_file.hpp"
#include "decoder/results/clock_state.hpp"

namespace groma {

class LogShelf {
public:
    /// The log of that path; opened anew when the file is another one, or has grown. Throws: as PacketFile.
    [[nodiscard]] std::shared_ptr<PacketFile> open(const std::string& path);

private:
    /// What tells a file from an older one of its name.
    struct Identity {
        dev_t device = 0;
        ino_t inode = 0;
        off_t size = 0;
        std::int64_t changed_ns = 0;
        bool operator==(const Identity&) const = default;
    };
    struct Entry {
        std::string path;
        Identity identity;
        std::shared_ptr<PacketFile> file;
    };

    [[nodiscard]] static Identity identity_of(const std::string& path);

    std::list<Entry> entries_;  ///< the last one used first
};

/// How the clock of the receiver whose log is `receiver` is related to that of `sender`.
/// Throws: UsageError when the logs are not of both sides of one run, or when their clocks cannot be related.
[[nodiscard]] ClockState relate(PacketFile& receiver, PacketFile& sender);

}  // namespace groma
