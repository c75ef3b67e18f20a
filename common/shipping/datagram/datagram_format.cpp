#include "common/shipping/datagram/datagram_format.hpp"

#include <algorithm>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::uint16_t kMagic = 0x474C;  // "GL"
constexpr std::uint8_t kVersion = 2;
constexpr std::size_t kKindAt = 3;
constexpr std::size_t kStartBytes = 4;
constexpr std::size_t kConnectionAt = 4;
constexpr std::size_t kNumberAt = 12;

void put_start(std::span<std::byte> out, DatagramKind kind) {
    store_big_endian(out, kMagic);
    store_big_endian(out.subspan(2), kVersion);
    store_big_endian(out.subspan(kKindAt), static_cast<std::uint8_t>(kind));
}

void put_field(std::span<std::byte> out, std::uint64_t value) {
    store_big_endian(out, value);
}
void put_field(std::span<std::byte> out, OpeningRefusal value) {
    store_big_endian(out, static_cast<std::uint8_t>(value));
}
template <std::size_t Size>
void put_field(std::span<std::byte> out, const std::array<std::byte, Size>& value) {
    std::ranges::copy(value, out.begin());
}

void get_field(std::span<const std::byte> in, std::uint64_t& value) {
    value = load_big_endian<std::uint64_t>(in);
}
void get_field(std::span<const std::byte> in, OpeningRefusal& value) {
    value = static_cast<OpeningRefusal>(byte_at(in, 0));
}
template <std::size_t Size>
void get_field(std::span<const std::byte> in, std::array<std::byte, Size>& value) {
    std::ranges::copy(in.first<Size>(), value.begin());
}

/// A datagram of `Size` bytes: the start, then the fields, then zeros.
template <std::size_t Size, typename... Field>
std::array<std::byte, Size> datagram_of(DatagramKind kind, const Field&... fields) {
    static_assert(kStartBytes + (sizeof(Field) + ...) <= Size);
    std::array<std::byte, Size> bytes{};
    put_start(bytes, kind);
    std::size_t at = kStartBytes;
    ((put_field(std::span(bytes).subspan(at), fields), at += sizeof(Field)), ...);
    return bytes;
}

bool is_zero(std::byte byte) {
    return byte == std::byte{0};
}

/// Returns: whether it has this kind and size, and only zeros after the fields; else these are as they were.
template <typename... Field>
bool read_fields(std::span<const std::byte> datagram, DatagramKind kind, std::size_t size, Field&... fields) {
    if (datagram.size() != size or kind_of(datagram) != kind or
        not std::ranges::all_of(datagram.subspan(kStartBytes + (sizeof(Field) + ...)), is_zero)) {
        return false;
    }
    std::size_t at = kStartBytes;
    ((get_field(datagram.subspan(at), fields), at += sizeof(Field)), ...);
    return true;
}

DatagramCipher::Nonce nonce_of(std::uint64_t number) {
    DatagramCipher::Nonce nonce{};
    store_big_endian(std::span(nonce).last<sizeof number>(), number);
    return nonce;
}

}  // namespace

std::optional<DatagramKind> kind_of(std::span<const std::byte> datagram) {
    if (datagram.size() <= kKindAt or load_big_endian<std::uint16_t>(datagram) != kMagic or
        byte_at(datagram, 2) != kVersion) {
        return std::nullopt;
    }
    const auto kind = static_cast<DatagramKind>(datagram[kKindAt]);
    if (kind < DatagramKind::hello or kind > DatagramKind::refused) {
        return std::nullopt;
    }
    return kind;
}

OpeningDatagram serialize(const UdpHello& hello) {
    return datagram_of<kOpeningBytes>(DatagramKind::hello, hello.nonce);
}

OpeningDatagram serialize(const UdpOpen& open) {
    return datagram_of<kOpeningBytes>(DatagramKind::open, open.nonce, open.issued, open.token, open.public_key, open.id,
                                      open.binder);
}

std::array<std::byte, 28> serialize(const UdpRetry& retry) {
    return datagram_of<28>(DatagramKind::retry, retry.nonce, retry.issued, retry.token);
}

std::array<std::byte, 68> serialize(const UdpAccepted& accepted) {
    return datagram_of<68>(DatagramKind::accepted, accepted.nonce, accepted.connection, accepted.public_key,
                           accepted.proof);
}

std::array<std::byte, 13> serialize(const UdpRefused& refused) {
    return datagram_of<13>(DatagramKind::refused, refused.nonce, refused.why);
}

std::optional<UdpHello> parse_hello(std::span<const std::byte> datagram) {
    UdpHello hello;
    return read_fields(datagram, DatagramKind::hello, kOpeningBytes, hello.nonce) ? std::optional(hello) : std::nullopt;
}

std::optional<UdpOpen> parse_open(std::span<const std::byte> datagram) {
    UdpOpen open;
    const bool is_open = read_fields(datagram, DatagramKind::open, kOpeningBytes, open.nonce, open.issued, open.token,
                                     open.public_key, open.id, open.binder);
    const bool proves_nothing = open.id == Token{} and open.binder != Token{};
    return is_open and not proves_nothing ? std::optional(open) : std::nullopt;
}

std::optional<UdpRetry> parse_retry(std::span<const std::byte> datagram) {
    UdpRetry retry;
    return read_fields(datagram, DatagramKind::retry, 28, retry.nonce, retry.issued, retry.token) ? std::optional(retry)
                                                                                                  : std::nullopt;
}

std::optional<UdpAccepted> parse_accepted(std::span<const std::byte> datagram) {
    UdpAccepted accepted;
    return read_fields(datagram, DatagramKind::accepted, 68, accepted.nonce, accepted.connection, accepted.public_key,
                       accepted.proof)
               ? std::optional(accepted)
               : std::nullopt;
}

std::optional<UdpRefused> parse_refused(std::span<const std::byte> datagram) {
    UdpRefused refused;
    const bool is_refused = read_fields(datagram, DatagramKind::refused, 13, refused.nonce, refused.why) and
                            (refused.why == OpeningRefusal::key_not_taken or refused.why == OpeningRefusal::key_needed);
    return is_refused ? std::optional(refused) : std::nullopt;
}

std::optional<std::uint64_t> connection_of(std::span<const std::byte> datagram) {
    const auto kind = kind_of(datagram);
    if (datagram.size() < kSealBytes or (kind != DatagramKind::from_shipper and kind != DatagramKind::from_server)) {
        return std::nullopt;
    }
    return load_big_endian<std::uint64_t>(datagram.subspan(kConnectionAt));
}

std::size_t seal(std::span<std::byte> datagram, std::size_t content, const DatagramHeader& header,
                 DatagramCipher& cipher) noexcept {
    put_start(datagram, header.kind);
    store_big_endian(datagram.subspan(kConnectionAt), header.connection);
    store_big_endian(datagram.subspan(kNumberAt), header.number);
    const auto tag = datagram.subspan(kDatagramHeader + content).first<DatagramCipher::kTagBytes>();
    cipher.encrypt(nonce_of(header.number), datagram.first(kDatagramHeader), datagram.subspan(kDatagramHeader, content),
                   tag);
    return content + kSealBytes;
}

std::optional<OpenedDatagram> unseal(std::span<const std::byte> datagram, DatagramKind kind, std::uint64_t connection,
                                     DatagramCipher& cipher) {
    if (connection_of(datagram) != connection or kind_of(datagram) != kind) {
        return std::nullopt;
    }
    const auto number = load_big_endian<std::uint64_t>(datagram.subspan(kNumberAt));
    const auto content = cipher.decrypt(nonce_of(number), datagram.first(kDatagramHeader),
                                        datagram.subspan(kDatagramHeader, datagram.size() - kSealBytes),
                                        datagram.last<DatagramCipher::kTagBytes>());
    return content ? std::optional(OpenedDatagram{number, *content}) : std::nullopt;
}

}  // namespace groma
