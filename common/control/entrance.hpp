// The entrance of a daemon: where keys are asked for, a peer proves one under TLS before a byte of a message is read.
// Where the keys are those of a folder, programs of the daemon's own user need none if they connect over loopback.
//
// Thread: the control thread.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/access/key_files.hpp"
#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/control/connection.hpp"
#include "common/control/keyed_peers.hpp"
#include "common/control/lobby.hpp"
#include "common/control/timer.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// "this receiver", and who comes: "senders".
struct EntranceWords {
    std::string_view daemon;
    std::string_view clients;
};

/// A connection that has come in.
struct Entrant {
    ByteStream stream;
    Token key{};                   ///< that its peer has proved
    std::optional<Grant> grant{};  ///< of it; nothing: there is none
    std::string refusal{};         ///< it lacks a key: what to tell its peer; empty: it may go on
    Nanos took{0};
    std::unique_ptr<Lobby::Place> place{};  ///< of one that lacks a key: it keeps it until it has been told
};

class Entrance {
public:
    /// `owner`: whose programs on this host need no key of a folder. Clock and io_context outlive the entrance.
    /// Throws: as read_key_folder(); RunError, as ByteStream::prepare_tls().
    Entrance(boost::asio::io_context& io, KeySource keys, const EntranceWords& words, Clock& clock,
             std::function<void(const std::string&)> say, uid_t owner = ::geteuid());
    /// Who is turned away is in the audit as well.
    void report_to(Audit audit) { audit_ = std::move(audit); }

    [[nodiscard]] bool asks_for_keys() const { return has_folder() or keys_.keys() > 0; }
    /// From now on SIGHUP has the folder read again, until stop(). Does nothing if there is none.
    void read_again_on_hangup();
    /// Requires: a folder. Reads it again and says what it has found: files that are no keys, too. A folder that cannot
    /// be read changes nothing.
    void read_again();

    /// Waits at most `greeting` for the first bytes of the peer, and for the key that it proves. `at_once`: where no
    /// keys are asked for, nothing is awaited, and what looks like TLS is left to the protocol. Returns: empty if the
    /// peer went, or was turned away.
    boost::asio::awaitable<std::optional<Entrant>> let_in(boost::asio::ip::tcp::socket socket, bool at_once,
                                                          Nanos greeting);

    /// The same, within SessionTimes::greeting, of which the connection has the rest; a peer that lacks a key is told
    /// so. `refusal`: what the peer will be told then; empty: nothing. `parsing` as ControlConnection has it.
    boost::asio::awaitable<std::optional<ControlConnection>> admit(boost::asio::ip::tcp::socket socket,
                                                                   const std::string& refusal, SessionTimes times,
                                                                   ParsingThread* parsing);

    /// Turns away all that wait, and those that come.
    void stop();

    // What else asks for the same keys has of the entrance:

    /// Nothing: there is no such key, or it has expired.
    [[nodiscard]] std::optional<Secret> valid_secret(const Token& id) const;
    /// Also of a key that has expired.
    [[nodiscard]] std::optional<Grant> grant_of(const Token& id) const;
    /// As it is now, if the key is still here: KeyRing::fewest_log_bytes() of its name.
    [[nodiscard]] Grant grant_for_logs(const Grant& proved) const;
    [[nodiscard]] bool needs_key(const SocketAddress& local, const SocketAddress& peer, int protocol) const;
    /// What is served under the key ends with it, if KeySource::ends_sessions.
    void end_with_key(KeyedPeers::Peer peer);
    /// A line for the operator, if the peer's host has not had one just now, and one for the audit.
    void turn_away(const SocketAddress& peer, const std::string& why);
    /// How many were.
    [[nodiscard]] std::uint64_t turned_away() const { return turned_away_; }

private:
    /// Returns: the key's id.
    boost::asio::awaitable<std::optional<Token>> proved(ByteStream& stream, SocketAddress peer);
    [[nodiscard]] bool needs_key(const boost::asio::ip::tcp::socket& socket) const;
    [[nodiscard]] bool has_folder() const { return not folder_.empty(); }
    [[nodiscard]] std::string keys_in_words() const;
    [[nodiscard]] std::string need_in_words() const;
    void await_hangup();
    void end_what_lost_its_key();
    void look_if_keys_expire();
    void look_at_keys_later();

    std::filesystem::path folder_;
    EntranceWords words_;
    Clock& clock_;
    std::function<void(const std::string&)> say_;
    Audit audit_;
    uid_t owner_;
    KeyRing keys_;
    bool ends_sessions_;
    KeyedPeers keyed_;
    Timer next_look_;
    bool looks_ = false;  ///< for keys that have expired
    LinesOfSources lines_;
    std::uint64_t turned_away_ = 0;
    boost::asio::signal_set hangup_;
    Lobby lobby_;
    bool stopped_ = false;
};

}  // namespace groma
