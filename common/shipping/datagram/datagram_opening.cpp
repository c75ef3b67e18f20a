#include "common/shipping/datagram/datagram_opening.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr Nanos kFirstPause = std::chrono::milliseconds(100);
// Short enough for a path that loses 30 % each way: an attempt of 5 s must not fail there by bad luck.
constexpr Nanos kLongestPause = std::chrono::milliseconds(200);
// After this number of tokens without an answer, requests a new token: the server may have restarted.
constexpr unsigned kTriesWithToken = 4;
// An attempt of 5 s makes fewer.
constexpr std::size_t kMostOpens = 8;

MacKey hash_key_of(const Secret& random) {
    const std::span bytes(random.bytes());
    return {.low = load_big_endian<std::uint64_t>(bytes), .high = load_big_endian<std::uint64_t>(bytes.subspan(8))};
}

}  // namespace

DatagramOpening::DatagramOpening(std::uint64_t nonce, const Secret& random, std::optional<SharedKey> key)
    : nonce_(nonce), agreement_(random), key_(std::move(key)) {}

UdpOpen DatagramOpening::open_with(const UdpRetry& retry) const {
    UdpOpen open{.nonce = nonce_, .issued = retry.issued, .token = retry.token, .public_key = agreement_.public_key()};
    if (key_) {
        open.id = key_->id;
        open.binder = binder_of(key_->secret, open);
    }
    return open;
}

std::optional<OpeningDatagram> DatagramOpening::next_datagram(MonoTime now) {
    if (accepted_ or refused_ or now < next_at_) {
        return std::nullopt;
    }
    if (retry_ and tries_ >= kTriesWithToken) {
        retry_.reset();
    }
    next_at_ = now + std::min<Nanos>(kFirstPause * (1 << std::min(tries_, 10U)), kLongestPause);
    ++tries_;
    return retry_ ? serialize(opens_.back()) : serialize(UdpHello{nonce_});
}

void DatagramOpening::on_datagram(std::span<const std::byte> datagram) {
    if (accepted_ or refused_) {
        return;
    }
    if (const auto accepted = parse_accepted(datagram); accepted and accepted->nonce == nonce_) {
        take(*accepted);
    } else if (const auto refused = parse_refused(datagram);
               refused and refused->nonce == nonce_ and not opens_.empty()) {
        refused_ = refused->why;
        next_at_ = MonoTime::max();
    } else if (const auto retry = parse_retry(datagram); retry and retry->nonce == nonce_ and not retry_) {
        retry_ = retry;
        opens_.push_back(open_with(*retry));
        if (opens_.size() > kMostOpens) {
            opens_.pop_front();
        }
        tries_ = 0;
        next_at_ = MonoTime{};
    }
}

void DatagramOpening::take(const UdpAccepted& accepted) {
    if (opens_.empty()) {
        return;
    }
    if (const auto shared = agreement_.shared_with(accepted.public_key)) {
        const auto secret = key_ ? std::optional(key_->secret) : std::nullopt;
        for (const UdpOpen& open : opens_) {
            const Agreement agreement = agree(*shared, secret, open, accepted);
            if (same_token(agreement.proof, accepted.proof)) {
                accepted_ = {.connection = accepted.connection, .keys = agreement.keys};
                next_at_ = MonoTime::max();
                return;
            }
        }
    }
    unproved_ = true;
}

OpeningGuard::OpeningGuard(std::function<Secret()> draw, const OpeningLimits& limits, MonoTime now)
    : draw_(std::move(draw)),
      hash_key_(hash_key_of(draw_())),
      nobodys_(draw_()),
      limits_(limits),
      pacer_(limits.a_second, limits.at_once, now) {}

std::uint64_t OpeningGuard::derive(Purpose purpose, const OpeningPeer& peer, std::span<const std::byte> bytes) const {
    std::array<std::byte, 1 + sizeof(HostKey) + 2 + kOpeningBytes> all{};
    constexpr std::size_t kPortAt = 1 + sizeof(HostKey);
    all[0] = static_cast<std::byte>(purpose);
    std::ranges::copy(std::as_bytes(std::span(peer.host)), all.begin() + 1);
    store_big_endian(std::span(all).subspan(kPortAt), peer.port);
    std::ranges::copy(bytes, all.begin() + kPortAt + sizeof peer.port);
    return mac_of(hash_key_, std::span(all).first(kPortAt + sizeof peer.port + bytes.size()));
}

std::uint64_t OpeningGuard::token_of(std::uint64_t nonce, std::uint64_t issued, const OpeningPeer& peer) const {
    std::array<std::byte, 16> bytes{};
    store_big_endian(std::span(bytes), nonce);
    store_big_endian(std::span(bytes).subspan(8), issued);
    return derive(Purpose::token, peer, bytes);
}

UdpRetry OpeningGuard::on_hello(const UdpHello& hello, const OpeningPeer& peer, MonoTime now) {
    ++counts_.hellos;
    const auto issued = static_cast<std::uint64_t>(now.time_since_epoch().count());
    return {hello.nonce, issued, token_of(hello.nonce, issued, peer)};
}

std::optional<OpeningGuard::Verdict> OpeningGuard::on_open(const UdpOpen& open, const OpeningPeer& peer,
                                                           const OpeningRules& rules, MonoTime now) {
    const auto present = static_cast<std::uint64_t>(now.time_since_epoch().count());
    const auto life = static_cast<std::uint64_t>(limits_.token_life.count());
    if (open.issued > present or present - open.issued > life or
        open.token != token_of(open.nonce, open.issued, peer)) {
        ++counts_.bad_tokens;
        return std::nullopt;
    }
    forget_old(now);
    const std::uint64_t connection = derive(Purpose::connection, peer, serialize(open));
    if (const auto answer = answers_.find(connection); answer != answers_.end()) {
        ++counts_.repeats;
        return Verdict{.answer = answer->second};
    }
    std::optional<Secret> secret;
    if (open.id != Token{}) {
        secret = proved(open, rules);
        if (not secret) {
            ++counts_.refused;
            return Verdict{.answer = UdpRefused{open.nonce, OpeningRefusal::key_not_taken}};
        }
    } else if (rules.needs_key()) {
        ++counts_.refused;
        return Verdict{.answer = UdpRefused{open.nonce, OpeningRefusal::key_needed}};
    }
    return rules.has_room() ? begin(open, secret, connection, now) : std::nullopt;
}

std::optional<Secret> OpeningGuard::proved(const UdpOpen& open, const OpeningRules& rules) const {
    const auto secret = rules.secret_of(open.id);
    const bool is_proved = same_token(binder_of(secret.value_or(nobodys_), open), open.binder);
    return is_proved ? secret : std::nullopt;
}

std::optional<OpeningGuard::Verdict> OpeningGuard::begin(const UdpOpen& open, const std::optional<Secret>& secret,
                                                         std::uint64_t connection, MonoTime now) {
    if (not pacer_.may_send(now)) {
        ++counts_.too_many;
        return std::nullopt;
    }
    pacer_.sent(1, now);
    const AgreementKey own(draw_());
    const auto shared = own.shared_with(open.public_key);
    if (not shared) {
        ++counts_.bad_points;
        return std::nullopt;
    }
    UdpAccepted accepted{.nonce = open.nonce, .connection = connection, .public_key = own.public_key()};
    const Agreement agreement = agree(*shared, secret, open, accepted);
    accepted.proof = agreement.proof;
    ++counts_.accepted;
    used_.push_back({now + limits_.token_life, connection});
    answers_.emplace(connection, accepted);
    return Verdict{.answer = accepted, .keys = agreement.keys};
}

void OpeningGuard::forget_old(MonoTime now) {
    while (not used_.empty() and used_.front().until < now) {
        answers_.erase(used_.front().connection);
        used_.pop_front();
    }
}

}  // namespace groma
