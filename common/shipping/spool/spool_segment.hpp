// A segment of a spool: a file of records, of pieces in their order and of the totals after the last one
// (docs/reference/spool.md). It may be torn or foreign: every record is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/os/file_descriptor.hpp"
#include "common/shipping/spool/spool_record.hpp"

namespace groma {

struct SpoolSegment {
    std::uint64_t first = 0;
    std::uint64_t end = 0;  ///< number after its last piece
    std::uint64_t bytes = 0;
};

/// The file of the segment that begins with this piece.
[[nodiscard]] std::filesystem::path segment_file(const std::filesystem::path& spool, std::uint64_t first);
/// The first piece by the name of the file; empty if it is not a segment.
[[nodiscard]] std::optional<std::uint64_t> first_of_segment(const std::filesystem::path& file);

struct ScannedSegment {
    SpoolSegment segment;            ///< its complete records
    std::optional<CloseLog> totals;  ///< if they are its last record
    bool damaged = false;            ///< followed by bytes that are not a record
};

/// Throws: SystemError.
[[nodiscard]] ScannedSegment scan_spool_segment(const FileDescriptor& file, std::uint64_t first);

enum class SpoolRead : std::uint8_t { piece, missing, damaged };

/// Reads the pieces of a segment in order, while it is written.
class SegmentReader {
public:
    /// Reads nothing.
    SegmentReader() = default;
    SegmentReader(const std::filesystem::path& file, std::uint64_t first);

    /// Whether it can read on to this piece of the segment.
    [[nodiscard]] bool is_before(std::uint64_t segment, std::uint64_t number) const {
        return file_.valid() and segment_ == segment and next_ <= number;
    }
    /// Reads on to a piece. Throws: SystemError.
    [[nodiscard]] SpoolRead read(std::uint64_t number, std::vector<std::byte>& piece);

private:
    FileDescriptor file_;
    std::uint64_t segment_ = 0;  ///< its first piece
    std::uint64_t next_ = 0;     ///< the piece at `offset_`
    std::uint64_t offset_ = 0;
};

}  // namespace groma
