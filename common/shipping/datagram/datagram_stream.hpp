// One end of a connection over datagrams: an ordered stream of bytes each way that loses nothing and doubles nothing,
// over a path that loses, doubles, reorders and damages (docs/reference/log-udp.md). Built after QUIC (RFC 9000, 9002):
// every datagram has a number of its own, acknowledgements name ranges of numbers, what was lost is sent again in a new
// one. Pure: datagrams and instants come from outside, nothing is read from a clock or a socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/shipping/datagram/datagram_agreement.hpp"
#include "common/shipping/datagram/datagram_format.hpp"
#include "common/shipping/datagram/datagram_pacer.hpp"
#include "common/shipping/datagram/datagram_receiver.hpp"
#include "common/shipping/datagram/datagram_sender.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Which connection, which of its two ends, and what seals it.
struct DatagramIdentity {
    bool is_shipper = true;
    std::uint64_t connection = 0;
    DatagramKeys keys;
};

struct DatagramStreamSettings {
    std::size_t datagram = kSafeDatagram;  ///< no datagram is longer; kShortestDatagram to kLongestDatagram
    std::size_t wire_overhead = 28;        ///< bytes of IP and UDP around each
    std::size_t send_buffer = 1U << 20U;
    std::size_t receive_buffer = 512U << 10U;  ///< at least 64 KiB
    std::optional<double> bytes_per_second;    ///< on the wire, what is sent again included
    Nanos silence = std::chrono::seconds(30);  ///< the peer is gone when nothing was heard for so long
    std::optional<Nanos> keep_alive;           ///< asks whether it is there after so long
};

struct DatagramCounts {
    std::uint64_t sent = 0;
    std::uint64_t sent_bytes = 0;  ///< on the wire
    std::uint64_t received = 0;
    std::uint64_t repeats = 0;    ///< had come before
    std::uint64_t malformed = 0;  ///< rightly sealed, but nonsense
    std::uint64_t foreign = 0;    ///< not sealed with this connection's keys, or damaged
};

class DatagramStream {
public:
    enum class State : std::uint8_t {
        open,
        closed,  ///< close() was called here
        closed_by_peer,
        silent  ///< nothing was heard for too long
    };

    DatagramStream(const DatagramIdentity& identity, const DatagramStreamSettings& settings, MonoTime now);

    /// Returns: how many bytes were taken: as many as there is room().
    std::size_t write(std::span<const std::byte> bytes) { return sender_.write(bytes); }
    [[nodiscard]] std::size_t room() const { return sender_.room(); }
    /// No more will be written; sent_all() once the peer has acknowledged everything.
    void finish() { sender_.finish(); }
    [[nodiscard]] bool sent_all() const { return sender_.done(); }

    /// Returns: how many bytes were put to `out`.
    std::size_t read(std::span<std::byte> out) { return receiver_.read(out); }
    [[nodiscard]] std::size_t readable() const { return receiver_.readable(); }
    /// The peer finished, and all it wrote was read.
    [[nodiscard]] bool ended() const { return receiver_.ended(); }

    /// Ends the connection without waiting for anything; a few datagrams say so to the peer.
    void close();

    /// Returns: whether it was one of this connection that had not come before.
    bool on_datagram(std::span<const std::byte> datagram, MonoTime now);

    /// Writes the next datagram to be sent now. Returns: its length; 0 when there is none.
    [[nodiscard]] std::size_t next_datagram(std::span<std::byte> out, MonoTime now);

    /// When next_datagram() should be asked again if nothing happens before.
    [[nodiscard]] MonoTime next_deadline() const;

    /// The path carries no more than this, as the kernel says; what was larger is sent again.
    void limit_datagram(std::size_t bytes);

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] std::size_t datagram() const { return datagram_; }
    [[nodiscard]] const DatagramCounts& counts() const { return counts_; }
    [[nodiscard]] const DatagramSender& sender() const { return sender_; }

private:
    [[nodiscard]] bool take(const DatagramContent& content, std::uint64_t number, MonoTime now);
    void on_time(MonoTime now);
    [[nodiscard]] bool may_send(MonoTime now);
    [[nodiscard]] DatagramContent next_content(std::size_t room, MonoTime now);
    std::size_t send(const DatagramContent& content, std::span<std::byte> out, MonoTime now);
    void follow_the_window(MonoTime now);
    [[nodiscard]] MonoTime keep_alive_at() const;

    bool is_shipper_;
    std::uint64_t connection_;
    DatagramCipher sealing_;
    DatagramCipher unsealing_;
    DatagramStreamSettings settings_;
    std::size_t datagram_;
    DatagramSender sender_;
    DatagramReceiver receiver_;
    DatagramPacer pacer_;
    std::optional<DatagramPacer> cap_;
    State state_ = State::open;
    unsigned farewells_ = 0;  ///< closing datagrams still to be sent
    MonoTime last_heard_;
    DatagramCounts counts_;
};

}  // namespace groma
