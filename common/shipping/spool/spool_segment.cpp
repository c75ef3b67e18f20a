#include "common/shipping/spool/spool_segment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "common/os/checked.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLastPiece = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view kSegmentSuffix = ".pieces";

/// Returns: the number of bytes read, at most `bytes.size()`. Throws: SystemError.
std::size_t read_at(const FileDescriptor& file, std::uint64_t offset, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = checked("read a spool", ::pread(file.get(), bytes.data() + done, bytes.size() - done,
                                                            static_cast<off_t>(offset + done)));
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

enum class RecordState : std::uint8_t { whole, torn, damaged };

/// Reads the record at `offset`. Returns: whether it is complete and intact.
RecordState read_record(const FileDescriptor& file, std::uint64_t offset, SpoolRecordHeader& header,
                        std::vector<std::byte>& bytes) {
    std::array<std::byte, kSpoolHeaderBytes> head{};
    if (read_at(file, offset, head) < head.size()) {
        return RecordState::torn;
    }
    const auto parsed = parse_spool_header(head);
    if (not parsed) {
        return RecordState::damaged;
    }
    header = *parsed;
    bytes.resize(header.length);
    if (read_at(file, offset + head.size(), bytes) < bytes.size()) {
        return RecordState::torn;
    }
    return belongs_to(head, bytes) ? RecordState::whole : RecordState::damaged;
}

}  // namespace

fs::path segment_file(const fs::path& spool, std::uint64_t first) {
    return spool / fmt::format("{:020}{}", first, kSegmentSuffix);
}

std::optional<std::uint64_t> first_of_segment(const fs::path& file) {
    const std::string stem = file.stem().string();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    const bool good = error == std::errc{} and end == stem.data() + stem.size();
    return good and file.extension() == kSegmentSuffix ? std::optional(number) : std::nullopt;
}

ScannedSegment scan_spool_segment(const FileDescriptor& file, std::uint64_t first) {
    ScannedSegment scanned{{first, first, 0}, {}, false};
    SpoolSegment& segment = scanned.segment;
    SpoolRecordHeader header;
    std::vector<std::byte> bytes;
    RecordState state = RecordState::whole;
    bool sealed = false;  // no record follows the totals
    while ((state = read_record(file, segment.bytes, header, bytes)) == RecordState::whole) {
        const bool piece = header.kind == SpoolRecordKind::piece;
        const auto totals = piece ? std::nullopt : parse_spool_totals(bytes);
        const bool next = piece ? header.number == segment.end and segment.end < kLastPiece : totals.has_value();
        if (sealed or not next) {
            state = RecordState::damaged;
            break;
        }
        segment.end += piece ? 1 : 0;
        scanned.totals = totals;
        sealed = not piece;
        segment.bytes += kSpoolHeaderBytes + header.length;
    }
    scanned.damaged = state == RecordState::damaged;
    return scanned;
}

SegmentReader::SegmentReader(const fs::path& file, std::uint64_t first)
    : file_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)), segment_(first), next_(first) {}

SpoolRead SegmentReader::read(std::uint64_t number, std::vector<std::byte>& piece) {
    SpoolRecordHeader header;
    while (file_.valid()) {
        const RecordState state = read_record(file_, offset_, header, piece);
        if (state == RecordState::damaged) {
            return SpoolRead::damaged;
        }
        if (state == RecordState::torn or header.kind != SpoolRecordKind::piece or header.number != next_) {
            break;
        }
        offset_ += kSpoolHeaderBytes + header.length;
        ++next_;
        if (header.number == number) {
            return SpoolRead::piece;
        }
    }
    return SpoolRead::missing;
}

}  // namespace groma
