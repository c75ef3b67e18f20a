// Logs for the tables of the SQLite extension: which blocks can hold rows of a query, by what earlier reads have shown
// of each; and the logs that stay open.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "decoder/logs/indexed_log.hpp"
#include "decoder/results/clock_state.hpp"

namespace groma {

/// From the lowest to the highest, both included; empty if lowest > highest.
struct PacketRange {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool holds(std::int64_t value) const { return value >= lowest and value <= highest; }
    [[nodiscard]] bool bounded() const { return *this != PacketRange{}; }
    void at_least(std::int64_t value) { lowest = std::max(lowest, value); }
    void at_most(std::int64_t value) { highest = std::min(highest, value); }
    bool operator==(const PacketRange&) const = default;
};

/// What a query wants of the packets. A field without bounds may have any value, or none.
struct PacketQuery {
    PacketRange flow{};
    PacketRange seq{};
    PacketRange at{};
    std::optional<BlockType> kind{};
    bool by_flow =
        false;  ///< in rising order of flows, each in the order of the log; false: all in the order of the log
};

/// The ranges of the records of a block.
struct BlockExtent {
    PacketRange at{};
    PacketRange seq{};     ///< of the records that have one
    bool known = false;    ///< it was read
    bool readable = true;  ///< if `known`: it holds the records that its header announces
};

/// Memory: IndexedLog's, and 44 bytes for each block. One thread at a time.
class PacketFile {
public:
    /// Throws: as IndexedLog.
    explicit PacketFile(const std::filesystem::path& file);

    [[nodiscard]] IndexedLog& log() { return log_; }
    /// Empty when the metadata do not name the flow.
    [[nodiscard]] const std::string& name_of(FlowId flow) const;

    /// Blocks that can hold a record of the query, as indices of IndexedLog::blocks(), in the order that
    /// it wants.
    [[nodiscard]] std::vector<std::uint32_t> candidates(const PacketQuery& query) const;

    [[nodiscard]] const BlockExtent& extent(std::uint32_t block) const { return extents_[block]; }
    void learn(std::uint32_t block, const BlockExtent& extent) { extents_[block] = extent; }

private:
    /// The blocks of one kind of one flow.
    struct Lane {
        std::vector<std::uint32_t> blocks{};
        bool rising = true;  ///< of sent records: the blocks' first sequence numbers rise, and so do all numbers
    };
    using Lanes = std::map<std::pair<FlowId, BlockType>, Lane>;

    void add_candidates(const Lane& lane, BlockType kind, const PacketQuery& query,
                        std::vector<std::uint32_t>& out) const;
    [[nodiscard]] bool can_hold(std::uint32_t block, const PacketQuery& query) const;

    IndexedLog log_;
    Lanes lanes_;
    std::map<FlowId, std::string> names_;
    std::vector<BlockExtent> extents_;
};

/// The logs that queries of one connection to SQLite have opened. The last few stay open, so that the next query need
/// not locate their blocks again. One thread at a time.
class LogShelf {
public:
    /// The log of that path; opened anew when the file is another one, or has grown. Throws: as PacketFile.
    [[nodiscard]] std::shared_ptr<PacketFile> open(const std::string& path);

private:
    /// Distinguishes a file from an older one of the same name.
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

    std::list<Entry> entries_;  ///< most recently used first
};

/// How the clock of the receiver whose log is `receiver` is related to that of `sender`.
/// Throws: UsageError when the logs are not of both sides of one run, or when their clocks cannot be related.
[[nodiscard]] ClockState relate(PacketFile& receiver, PacketFile& sender);

}  // namespace groma
