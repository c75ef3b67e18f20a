// Spools as left by a program that died, by a full disk, or by other programs: opened, they have exactly the pieces
// that they announce, byte for byte. The input is a list of segments, each with the number of its first piece, its
// length, and its bytes. Segments of the first kind are used unchanged. Those of the second kind are records whose
// hashes are computed here, so that the code after the check is reached.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/spool/spool.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::size_t kMostSegments = 4;
constexpr std::size_t kMostPieces = 64;

using Bytes = std::vector<std::byte>;

const std::string& description() {
    static const std::string text = to_json({.server = "192.0.2.1:9001",
                                             .transport = LogTransport::tcp,
                                             .experiment = "e",
                                             .name = "sender",
                                             .token = {},
                                             .program = "groma-send 0.1.0",
                                             .started = {}});
    return text;
}

/// Records of a kind, a number, a length and that many bytes, with matching headers.
Bytes with_hashes(std::span<const std::byte> text) {
    Bytes records;
    constexpr std::size_t kFields = 3;
    while (text.size() >= kFields) {
        const auto kind = static_cast<SpoolRecordKind>(text[0]);
        const auto number = std::to_integer<std::uint64_t>(text[1]);
        const auto bytes =
            text.subspan(kFields, std::min(std::to_integer<std::size_t>(text[2]), text.size() - kFields));
        // The largest numbers as well.
        const auto header = spool_header(kind, number < 128 ? number : number - 256, bytes);
        records.insert(records.end(), header.begin(), header.end());
        records.insert(records.end(), bytes.begin(), bytes.end());
        text = text.subspan(kFields + bytes.size());
    }
    return records;
}

/// By the number of the first piece.
std::map<std::uint64_t, Bytes> segments_in(std::span<const std::byte> input) {
    std::map<std::uint64_t, Bytes> segments;
    constexpr std::size_t kFields = 4;  // kind, number, length
    while (input.size() >= kFields and segments.size() < kMostSegments) {
        const auto number = std::to_integer<std::uint64_t>(input[1]);
        const std::size_t length =
            std::to_integer<std::size_t>(input[2]) << 8U | std::to_integer<std::size_t>(input[3]);
        const auto bytes = input.subspan(kFields, std::min(length, input.size() - kFields));
        segments[number < 128 ? number : number - 256] =
            std::to_integer<unsigned>(input[0]) % 2 == 0 ? Bytes(bytes.begin(), bytes.end()) : with_hashes(bytes);
        input = input.subspan(kFields + bytes.size());
    }
    return segments;
}

void write(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Whether a piece is somewhere in the segments, after its header.
bool was_written(const std::map<std::uint64_t, Bytes>& segments, std::uint64_t number, const Bytes& piece) {
    const auto header = spool_header(SpoolRecordKind::piece, number, piece);
    Bytes record(header.begin(), header.end());
    record.insert(record.end(), piece.begin(), piece.end());
    return std::ranges::any_of(
        segments, [&](const auto& segment) { return not std::ranges::search(segment.second, record).empty(); });
}

void check_pieces(Spool& spool, const std::map<std::uint64_t, Bytes>& segments) {
    check(spool.first() <= spool.end(), "a spool ends before it begins");
    check(not spool.totals() or spool.totals()->pieces == spool.end(), "totals of other pieces");
    Bytes piece;
    for (std::uint64_t number = spool.first(); number != spool.end() and number - spool.first() < kMostPieces;
         ++number) {
        spool.read(number, piece);
        check(was_written(segments, number, piece), "a piece is not what was written");
    }
    try {
        spool.read(spool.end(), piece);
        check(false, "there is a piece behind the last");
    } catch (const RunError&) {
        // The expected outcome.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const TemporaryFolder parent("groma-fuzz");
    const std::filesystem::path folder = parent.path() / std::string(32, 'a');
    std::filesystem::create_directory(folder);
    const auto segments = segments_in(std::as_bytes(std::span(data, size)));
    write(folder / "log.json", std::as_bytes(std::span(description())));
    std::size_t bytes = 0;
    for (const auto& [number, segment] : segments) {
        write(folder / fmt::format("{:020}.pieces", number), segment);
        bytes += segment.size();
    }
    const auto spool = Spool::open(folder);
    check(spool != nullptr and spool->bytes() <= bytes, "there is more than was written");
    check_pieces(*spool, segments);
    spool->discard();
    return 0;
}
