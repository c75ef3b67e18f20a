#include "common/shipping/datagram/datagram_opening.hpp"

#include <algorithm>
#include <array>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr Nanos kFirstPause = std::chrono::milliseconds(100);
// Short enough for a path that loses 30 % each way: an attempt of 5 s must not fail there by bad luck.
constexpr Nanos kLongestPause = std::chrono::milliseconds(200);
// After this number of tokens without an answer, requests a new token: the server may have restarted.
constexpr unsigned kTriesWithToken = 4;

}  // namespace

std::optional<OpeningDatagram> DatagramOpening::next_datagram(MonoTime now) {
    if (accepted_ or now < next_at_) {
        return std::nullopt;
    }
    if (retry_ and tries_ >= kTriesWithToken) {
        retry_.reset();
    }
    next_at_ = now + std::min<Nanos>(kFirstPause * (1 << std::min(tries_, 10U)), kLongestPause);
    ++tries_;
    return retry_ ? serialize(UdpOpen{nonce_, retry_->issued, retry_->token}) : serialize(UdpHello{nonce_});
}

void DatagramOpening::on_datagram(std::span<const std::byte> datagram) {
    if (const auto accepted = parse_accepted(datagram); accepted and accepted->nonce == nonce_ and retry_) {
        accepted_ = accepted;
        next_at_ = MonoTime::max();
    } else if (const auto retry = parse_retry(datagram); retry and retry->nonce == nonce_ and not retry_) {
        retry_ = retry;
        tries_ = 0;
        next_at_ = MonoTime{};
    }
}

OpeningGuard::OpeningGuard(const MacKey& secret, const OpeningLimits& limits, MonoTime now)
    : secret_(secret), limits_(limits), pacer_(limits.a_second, limits.at_once, now) {}

std::uint64_t OpeningGuard::derive(Purpose purpose, const UdpOpen& open, const OpeningPeer& peer) const {
    std::array<std::byte, 1 + sizeof(HostKey) + 2 + 8 + 8> bytes{};
    const std::span all(bytes);
    bytes[0] = static_cast<std::byte>(purpose);
    std::ranges::copy(std::as_bytes(std::span(peer.host)), bytes.begin() + 1);
    store_big_endian(all.subspan(17), peer.port);
    store_big_endian(all.subspan(19), open.nonce);
    store_big_endian(all.subspan(27), open.issued);
    return mac_of(secret_, bytes);
}

UdpRetry OpeningGuard::on_hello(const UdpHello& hello, const OpeningPeer& peer, MonoTime now) {
    ++counts_.hellos;
    const auto issued = static_cast<std::uint64_t>(now.time_since_epoch().count());
    return {hello.nonce, issued, derive(Purpose::token, {hello.nonce, issued, 0}, peer)};
}

std::optional<OpeningGuard::Verdict> OpeningGuard::on_open(const UdpOpen& open, const OpeningPeer& peer, MonoTime now) {
    const auto present = static_cast<std::uint64_t>(now.time_since_epoch().count());
    const auto life = static_cast<std::uint64_t>(limits_.token_life.count());
    if (open.issued > present or present - open.issued > life or open.token != derive(Purpose::token, open, peer)) {
        ++counts_.bad_tokens;
        return std::nullopt;
    }
    forget_old(now);
    Verdict verdict{.accepted = {.nonce = open.nonce,
                                 .connection = derive(Purpose::connection, open, peer),
                                 .key = {.low = derive(Purpose::key_low, open, peer),
                                         .high = derive(Purpose::key_high, open, peer)}}};
    verdict.is_new = not used_connections_.contains(verdict.accepted.connection);
    if (not verdict.is_new) {
        ++counts_.repeats;
        return verdict;
    }
    if (not pacer_.may_send(now)) {
        ++counts_.too_many;
        return std::nullopt;
    }
    pacer_.sent(1, now);
    ++counts_.accepted;
    used_.push_back({now + limits_.token_life, verdict.accepted.connection});
    used_connections_.insert(verdict.accepted.connection);
    return verdict;
}

void OpeningGuard::forget_old(MonoTime now) {
    while (not used_.empty() and used_.front().until < now) {
        used_connections_.erase(used_.front().connection);
        used_.pop_front();
    }
}

}  // namespace groma
