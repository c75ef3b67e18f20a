#include "common/shipping/spool/spool_record.hpp"

#include <algorithm>

#include "common/log/running_hash.hpp"

namespace groma {

namespace {

constexpr std::size_t kHashed = 16;
constexpr std::size_t kTotalsBytes = 24;

void put(std::span<std::byte> to, std::uint64_t value) {
    for (std::size_t i = to.size(); i-- > 0; value >>= 8U) {
        to[i] = static_cast<std::byte>(value & 0xffU);
    }
}

std::uint64_t number_in(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    for (const std::byte byte : bytes) {
        value = (value << 8U) | std::to_integer<std::uint64_t>(byte);
    }
    return value;
}

std::uint64_t hash_of(std::span<const std::byte> header, std::span<const std::byte> bytes) {
    RunningHash hash;
    hash.add(header.first(kHashed));
    hash.add(bytes);
    return hash.value();
}

}  // namespace

std::array<std::byte, kSpoolHeaderBytes> spool_header(SpoolRecordKind kind, std::uint64_t number,
                                                      std::span<const std::byte> bytes) {
    std::array<std::byte, kSpoolHeaderBytes> header{};
    const std::span<std::byte> fields(header);
    put(fields.first(4), bytes.size());
    put(fields.subspan(4, 4), static_cast<std::uint32_t>(kind));
    put(fields.subspan(8, 8), number);
    put(fields.subspan(16, 8), hash_of(header, bytes));
    return header;
}

std::optional<SpoolRecordHeader> parse_spool_header(std::span<const std::byte> header) {
    const auto kind = static_cast<std::uint32_t>(number_in(header.subspan(4, 4)));
    const SpoolRecordHeader parsed{.length = static_cast<std::uint32_t>(number_in(header.first(4))),
                                   .kind = static_cast<SpoolRecordKind>(kind),
                                   .number = number_in(header.subspan(8, 8)),
                                   .hash = number_in(header.subspan(16, 8))};
    const bool known = parsed.kind == SpoolRecordKind::piece or parsed.kind == SpoolRecordKind::totals;
    return known and parsed.length <= kMaxPieceBytes ? std::optional(parsed) : std::nullopt;
}

bool belongs_to(std::span<const std::byte> header, std::span<const std::byte> bytes) {
    return hash_of(header, bytes) == number_in(header.subspan(16, 8));
}

std::vector<std::byte> spool_totals(const CloseLog& totals) {
    std::vector<std::byte> bytes(kTotalsBytes);
    const std::span<std::byte> fields(bytes);
    put(fields.first(8), totals.pieces);
    put(fields.subspan(8, 8), totals.bytes);
    put(fields.subspan(16, 8), totals.hash);
    return bytes;
}

std::optional<CloseLog> parse_spool_totals(std::span<const std::byte> bytes) {
    if (bytes.size() != kTotalsBytes) {
        return std::nullopt;
    }
    return CloseLog{0, number_in(bytes.first(8)), number_in(bytes.subspan(8, 8)), number_in(bytes.subspan(16, 8))};
}

}  // namespace groma
