#include "common/control/entrance.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <utility>

#include "common/access/tls.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/endpoint.hpp"
#include "common/control/watchdog.hpp"
#include "common/net/socket/peer_user.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kMostWaiting = 256;  // a handshake takes milliseconds
constexpr Nanos kBetweenLooks = std::chrono::minutes(1);
constexpr Nanos kShortestGreeting = std::chrono::milliseconds(1);

}  // namespace

Entrance::Entrance(asio::io_context& io, KeySource keys, const EntranceWords& words, Clock& clock,
                   std::function<void(const std::string&)> say, uid_t owner)
    : folder_(std::move(keys.folder)),
      words_(words),
      clock_(clock),
      say_(std::move(say)),
      owner_(owner),
      keys_(std::move(keys.given)),
      ends_sessions_(keys.ends_sessions),
      next_look_(io.get_executor(), clock),
      hangup_(io),
      lobby_(kMostWaiting) {
    ByteStream::prepare_tls();
    if (has_folder()) {
        keys_ = read_key_folder(folder_);
        say_("asks for keys: " + keys_in_words());
    }
}

void Entrance::read_again_on_hangup() {
    if (has_folder()) {
        hangup_.add(SIGHUP);
        await_hangup();
    }
}

void Entrance::await_hangup() {
    hangup_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
        if (not error and not stopped_) {
            read_again();
            await_hangup();
        }
    });
}

void Entrance::read_again() {
    try {
        keys_ = read_key_folder(folder_, [this](const std::string& why) { say_("a key is not good: " + why); });
        say_("has read the keys again: " + keys_in_words() +
             (is_folder_of_credentials(folder_) ? ", as they were when the service was started: restart it for others"
                                                : ""));
        end_what_lost_its_key();
        look_if_keys_expire();
    } catch (const std::exception& error) {
        say_("the keys stay as they were, those that were removed included: " + std::string(error.what()));
    }
}

void Entrance::end_with_key(KeyedPeers::Peer peer) {
    if (not ends_sessions_) {
        return;
    }
    keyed_.add(std::move(peer));
    look_if_keys_expire();
}

void Entrance::end_what_lost_its_key() {
    const auto valid = [this](const Token& key) { return valid_secret(key).has_value(); };
    for (const KeyedPeers::Peer& peer : keyed_.end_without(valid)) {
        say_(peer.caller + ": ended: " + kKeyIsLost);
    }
}

/// They do so without a signal.
void Entrance::look_if_keys_expire() {
    if (ends_sessions_ and keys_.some_expire() and not std::exchange(looks_, true)) {
        look_at_keys_later();
    }
}

void Entrance::look_at_keys_later() {
    next_look_.call_after(kBetweenLooks, [this] {
        if (not stopped_) {
            end_what_lost_its_key();
            look_at_keys_later();
        }
    });
}

std::string Entrance::keys_in_words() const {
    const std::string folder = plain_text(folder_.string());
    if (keys_.keys() == 0) {
        return "no file *.key is in " + folder + ", so that only programs of this user are served, over loopback";
    }
    return std::to_string(keys_.keys()) + (keys_.keys() == 1 ? " key in " : " keys in ") + folder;
}

std::string Entrance::need_in_words() const {
    const std::string takes = std::string(words_.daemon) + " takes " + std::string(words_.clients);
    return takes + (has_folder()
                        ? " that have a key: give yours with --key FILE (groma-key new makes one, and groma-key "
                          "host this host's part of it, for the folder of --keys)"
                        : " of its own job only (groma-mpi): start another one for yours");
}

void Entrance::stop() {
    stopped_ = true;
    hangup_.cancel();
    next_look_.cancel();
    lobby_.clear();
}

bool Entrance::needs_key(const tcp::socket& socket) const {
    if (not asks_for_keys()) {
        return false;
    }
    boost::system::error_code error;
    const auto local = socket.local_endpoint(error);
    const auto peer = socket.remote_endpoint(error);
    return error or needs_key(to_address(local), to_address(peer), IPPROTO_TCP);
}

bool Entrance::needs_key(const SocketAddress& local, const SocketAddress& peer, int protocol) const {
    const auto is_own = [&] { return peer.is_loopback() and user_at_other_end(local, peer, protocol) == owner_; };
    return asks_for_keys() and not(has_folder() and is_own());
}

std::optional<Grant> Entrance::grant_of(const Token& id) const {
    const KeyRing::Entry* const entry = keys_.find(id);
    return entry == nullptr ? std::nullopt : std::optional(entry->grant);
}

Grant Entrance::grant_for_logs(const Grant& proved) const {
    const Grant* const here = keys_.fewest_log_bytes(proved.name);
    return here == nullptr ? proved : *here;
}

std::optional<Secret> Entrance::valid_secret(const Token& id) const {
    const KeyRing::Entry* const entry = keys_.find(id);
    return entry == nullptr or entry->grant.expired(clock_.wall_now()) ? std::nullopt : std::optional(entry->secret);
}

void Entrance::turn_away(const SocketAddress& peer, const std::string& why) {
    ++turned_away_;
    if (lines_.may(source_of(peer), clock_.now())) {
        say_(peer.host_to_string() + ": turned away: " + why);
    }
    if (audit_) {
        audit_({.what = "connection", .from = peer.to_string(), .why = why});
    }
}

asio::awaitable<std::optional<Token>> Entrance::proved(ByteStream& stream, SocketAddress peer) {
    KeyQuestion question{.secret_of = [this](const Token& id) { return valid_secret(id); }};
    const boost::system::error_code error = co_await stream.ask(question);
    const KeyRing::Entry* const entry = question.id ? keys_.find(*question.id) : nullptr;
    if (not error and entry != nullptr) {
        co_return question.id;
    }
    if (error and error.category() != asio::error::get_ssl_category()) {
        turn_away(peer, "it left before its key was compared");
    } else if (not question.id) {
        turn_away(peer, asks_for_keys() ? "it began TLS and offered no key" : "it began TLS, and --keys is not given");
    } else if (entry == nullptr) {
        turn_away(peer, asks_for_keys() ? "its key is none of those here" : "it offers a key, and --keys is not given");
    } else if (entry->grant.expired(clock_.wall_now())) {
        turn_away(peer, "its key '" + entry->grant.name + "' was good until " + to_string(*entry->grant.last_day));
    } else {
        turn_away(peer, "it did not prove the key '" + entry->grant.name + "'");
    }
    co_return std::nullopt;
}

asio::awaitable<std::optional<Entrant>> Entrance::let_in(tcp::socket socket, bool at_once, Nanos greeting) {
    boost::system::error_code error;
    const SocketAddress peer = to_address(socket.remote_endpoint(error));
    const MonoTime begin = clock_.now();
    Entrant entrant{.stream = ByteStream(std::move(socket))};
    const auto leave = [&waiting = entrant.stream.socket()] {
        boost::system::error_code ignored;
        waiting.close(ignored);
    };
    std::unique_ptr<Lobby::Place> place(new Lobby::Place(lobby_.enter(source_of(peer), leave)));
    if (asks_for_keys() or not at_once) {
        const Watchdog watchdog(entrant.stream.socket(), greeting, clock_);
        co_await entrant.stream.socket().async_wait(tcp::socket::wait_read,
                                                    asio::redirect_error(asio::use_awaitable, error));
        char first = 0;
        if (error or ::recv(entrant.stream.socket().native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT) != 1) {
            co_return std::nullopt;
        }
        if (first == kFirstByteOfTls) {
            const std::optional<Token> key = co_await proved(entrant.stream, peer);
            if (not key) {
                co_return std::nullopt;
            }
            entrant.key = *key;
            entrant.grant = grant_of(*key);
        }
    }
    if (stopped_) {
        co_return std::nullopt;
    }
    if (not entrant.grant and needs_key(entrant.stream.socket())) {
        turn_away(peer, "it has no key");
        entrant.refusal = need_in_words();
        entrant.place = std::move(place);
    }
    entrant.took = clock_.now() - begin;
    co_return std::optional(std::move(entrant));
}

asio::awaitable<std::optional<ControlConnection>> Entrance::admit(tcp::socket socket, const std::string& refusal,
                                                                  SessionTimes times, ParsingThread* parsing) {
    std::optional<Entrant> entrant = co_await let_in(std::move(socket), not refusal.empty(), times.greeting);
    if (not entrant) {
        co_return std::nullopt;
    }
    times.greeting = std::max(times.greeting - entrant->took, kShortestGreeting);
    ControlConnection connection(std::move(entrant->stream), times, clock_, parsing);
    if (not entrant->refusal.empty()) {
        const Message last = Refused{.reason = std::move(entrant->refusal), .flow = std::nullopt};
        co_await connection.close_with(last);
        co_return std::nullopt;
    }
    if (entrant->grant) {
        const std::string why = std::string(words_.daemon) + " takes the key '" + entrant->grant->name +
                                "' no more: it was removed there, or has expired, and what is under way ends with it "
                                "(--end-with-key): ask whoever keeps its folder of keys";
        connection.set_grant(*std::move(entrant->grant));
        end_with_key({.key = entrant->key,
                      .caller = connection.caller(),
                      .alive = connection.ending(),
                      .end = [ending = connection.ending(), why] { ending.lock()->end(why); }});
    }
    co_return connection;
}

}  // namespace groma
