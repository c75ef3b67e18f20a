#include "common/shipping/datagram/datagram_format.hpp"

#include <algorithm>
#include <concepts>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::uint16_t kMagic = 0x474C;  // "GL"
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kKindAt = 3;
constexpr std::size_t kConnectionAt = 4;
constexpr std::size_t kNumberAt = 12;

void put_start(std::span<std::byte> out, DatagramKind kind) {
    store_big_endian(out, kMagic);
    store_big_endian(out.subspan(2), kVersion);
    store_big_endian(out.subspan(kKindAt), static_cast<std::uint8_t>(kind));
}

/// A datagram of `Size` bytes: the start, then the numbers, then zeros.
template <std::size_t Size, std::same_as<std::uint64_t>... Number>
std::array<std::byte, Size> of_numbers(DatagramKind kind, Number... numbers) {
    static_assert(4 + 8 * sizeof...(numbers) <= Size);
    std::array<std::byte, Size> bytes{};
    put_start(bytes, kind);
    std::size_t at = 4;
    ((store_big_endian(std::span(bytes).subspan(at), numbers), at += 8), ...);
    return bytes;
}

std::uint64_t number_at(std::span<const std::byte> datagram, std::size_t index) {
    return load_big_endian<std::uint64_t>(datagram.subspan(4 + 8 * index));
}

/// Whether the datagram has this kind and size, and only zeros after `numbers` numbers.
bool is(DatagramKind kind, std::size_t size, std::size_t numbers, std::span<const std::byte> datagram) {
    return datagram.size() == size and kind_of(datagram) == kind and
           std::ranges::all_of(datagram.subspan(4 + 8 * numbers), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

std::optional<DatagramKind> kind_of(std::span<const std::byte> datagram) {
    if (datagram.size() <= kKindAt or load_big_endian<std::uint16_t>(datagram) != kMagic or
        load_big_endian<std::uint8_t>(datagram.subspan(2)) != kVersion) {
        return std::nullopt;
    }
    const auto kind = static_cast<DatagramKind>(datagram[kKindAt]);
    if (kind < DatagramKind::hello or kind > DatagramKind::from_server) {
        return std::nullopt;
    }
    return kind;
}

OpeningDatagram serialize(const UdpHello& hello) {
    return of_numbers<kOpeningBytes>(DatagramKind::hello, hello.nonce);
}

OpeningDatagram serialize(const UdpOpen& open) {
    return of_numbers<kOpeningBytes>(DatagramKind::open, open.nonce, open.issued, open.token);
}

std::array<std::byte, 28> serialize(const UdpRetry& retry) {
    return of_numbers<28>(DatagramKind::retry, retry.nonce, retry.issued, retry.token);
}

std::array<std::byte, 44> serialize(const UdpAccepted& accepted) {
    auto bytes = of_numbers<44>(DatagramKind::accepted, accepted.nonce, accepted.connection, accepted.key.high,
                                accepted.key.low);
    const auto sealed = std::span(bytes).first(bytes.size() - kMacBytes);
    store_big_endian(std::span(bytes).last(kMacBytes), mac_of(accepted.key, sealed));
    return bytes;
}

std::optional<UdpHello> parse_hello(std::span<const std::byte> datagram) {
    if (not is(DatagramKind::hello, kOpeningBytes, 1, datagram)) {
        return std::nullopt;
    }
    return UdpHello{number_at(datagram, 0)};
}

std::optional<UdpOpen> parse_open(std::span<const std::byte> datagram) {
    if (not is(DatagramKind::open, kOpeningBytes, 3, datagram)) {
        return std::nullopt;
    }
    return UdpOpen{number_at(datagram, 0), number_at(datagram, 1), number_at(datagram, 2)};
}

std::optional<UdpRetry> parse_retry(std::span<const std::byte> datagram) {
    if (not is(DatagramKind::retry, 28, 3, datagram)) {
        return std::nullopt;
    }
    return UdpRetry{number_at(datagram, 0), number_at(datagram, 1), number_at(datagram, 2)};
}

std::optional<UdpAccepted> parse_accepted(std::span<const std::byte> datagram) {
    if (not is(DatagramKind::accepted, 44, 5, datagram)) {
        return std::nullopt;
    }
    const MacKey key{.low = number_at(datagram, 3), .high = number_at(datagram, 2)};
    if (mac_of(key, datagram.first(datagram.size() - kMacBytes)) != number_at(datagram, 4)) {
        return std::nullopt;
    }
    return UdpAccepted{number_at(datagram, 0), number_at(datagram, 1), key};
}

std::optional<std::uint64_t> connection_of(std::span<const std::byte> datagram) {
    const auto kind = kind_of(datagram);
    if (datagram.size() < kSealBytes or not kind or *kind < DatagramKind::from_shipper) {
        return std::nullopt;
    }
    return load_big_endian<std::uint64_t>(datagram.subspan(kConnectionAt));
}

std::size_t seal(std::span<std::byte> datagram, std::size_t content, const DatagramHeader& header, const MacKey& key) {
    put_start(datagram, header.kind);
    store_big_endian(datagram.subspan(kConnectionAt), header.connection);
    store_big_endian(datagram.subspan(kNumberAt), header.number);
    const auto sealed = datagram.first(kDatagramHeader + content);
    store_big_endian(datagram.subspan(sealed.size()), mac_of(key, sealed));
    return sealed.size() + kMacBytes;
}

std::optional<OpenedDatagram> unseal(std::span<const std::byte> datagram, DatagramKind kind, std::uint64_t connection,
                                     const MacKey& key) {
    if (connection_of(datagram) != connection or kind_of(datagram) != kind) {
        return std::nullopt;
    }
    const auto sealed = datagram.first(datagram.size() - kMacBytes);
    if (mac_of(key, sealed) != load_big_endian<std::uint64_t>(datagram.last(kMacBytes))) {
        return std::nullopt;
    }
    return OpenedDatagram{load_big_endian<std::uint64_t>(sealed.subspan(kNumberAt)), sealed.subspan(kDatagramHeader)};
}

}  // namespace groma
