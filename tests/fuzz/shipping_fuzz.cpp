// Lying log servers: any frames in any order, over a byte stream that is cut anywhere or in wrong datagrams with a
// valid seal, with connections that end. A shipper sends only what the log protocol allows
// (docs/reference/log-protocol.md), with every byte as in its log. It keeps what no server has confirmed, and an honest
// server gets the rest.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/datagram/datagram_content.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "common/shipping/datagram/datagram_stream.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/shipping/shipper/shipping_conversation.hpp"
#include "common/shipping/spool/kept_log.hpp"
#include "tests/fuzz/choices.hpp"

namespace groma {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMostPieces = 40;

/// Room for logs. If memory and spool are small, only as much is handed over as memory takes: a writer would wait.
struct Room {
    std::size_t memory;
    std::uint64_t spool;  ///< 0: none
};
constexpr Room kMemory{1U << 20U, 0};
constexpr Room kSpool{100, 1U << 20U};
constexpr Room kScarce{9000, 7000};

/// Piece `number` of a log: its bytes identify it.
Bytes piece_of(std::size_t log, std::uint64_t number) {
    Bytes piece(number % 5 == 4 ? 3000 : 3 + number);
    for (std::size_t i = 0; i < piece.size(); ++i) {
        piece[i] = static_cast<std::byte>(31 * log + 7 * number + i);
    }
    return piece;
}

/// Carries frames to the server, and bytes back.
class Carrier {
public:
    Carrier() = default;
    Carrier(const Carrier&) = delete;
    Carrier& operator=(const Carrier&) = delete;
    virtual ~Carrier() = default;

    /// Returns: whether there was room for it.
    virtual bool send(std::span<const std::byte> frame) = 0;
    /// The server writes these bytes; some of them may arrive.
    virtual void answer(std::span<const std::byte> bytes, Choices& choices, MonoTime now) = 0;
    /// Reads arrived bytes into `out`. Returns: their number.
    virtual std::size_t read(std::span<std::byte> out) = 0;
    virtual void turn(Choices& choices, MonoTime now) = 0;
    [[nodiscard]] virtual bool lost() const { return false; }
};

class StreamCarrier final : public Carrier {
public:
    bool send(std::span<const std::byte> /*frame*/) override { return true; }
    void answer(std::span<const std::byte> bytes, Choices& /*choices*/, MonoTime /*now*/) override {
        came_.insert(came_.end(), bytes.begin(), bytes.end());
    }
    std::size_t read(std::span<std::byte> out) override {
        const std::size_t count = std::min({out.size(), came_.size(), std::size_t{7}});  // frames come in parts
        std::copy_n(came_.begin(), count, out.begin());
        came_.erase(came_.begin(), came_.begin() + static_cast<std::ptrdiff_t>(count));
        return count;
    }
    void turn(Choices& /*choices*/, MonoTime /*now*/) override {}

private:
    std::deque<std::byte> came_;
};

/// The shipper's end of a connection over datagrams, with a server that sends anything with a valid seal.
class DatagramCarrier final : public Carrier {
public:
    explicit DatagramCarrier(MonoTime now) : stream_({true, kConnection, {}}, settings(), now) {}

    bool send(std::span<const std::byte> frame) override {
        if (stream_.room() < frame.size()) {
            return false;
        }
        check(stream_.write(frame) == frame.size(), "a stream took less than it had room for");
        written_.insert(written_.end(), frame.begin(), frame.end());
        return true;
    }
    void answer(std::span<const std::byte> bytes, Choices& choices, MonoTime now) override {
        const std::uint64_t offset = choices.one_in(16) ? choices.number<std::uint64_t>() : answered_;
        for (std::size_t done = 0; done < bytes.size(); done += kPart) {
            const auto part = bytes.subspan(done, std::min(kPart, bytes.size() - done));
            deliver({.ack = std::nullopt,
                     .data = DataField{.offset = offset + done, .bytes = part, .last = choices.one_in(64)}},
                    choices, now);
        }
        answered_ += bytes.size();
    }
    std::size_t read(std::span<std::byte> out) override { return stream_.read(out); }

    /// Takes the shipper's data, and acknowledges anything.
    void turn(Choices& choices, MonoTime now) override {
        take_all(now);
        DatagramContent content{
            .ping = choices.one_in(4), .closing = choices.one_in(64), .ack = AckField{}, .data = {}};
        content.ack->held_back = std::chrono::microseconds(choices.number<std::uint32_t>());
        content.ack->limit = choices.one_in(4) ? choices.number<std::uint64_t>() : limit_ + choices.next() * 64U;
        std::uint64_t end = choices.one_in(8) ? choices.number<std::uint64_t>()
                                              : sent_ - std::min<std::uint64_t>(sent_, choices.below(3));
        for (unsigned ranges = choices.below(4); ranges > 0 and end > 1; --ranges) {
            const std::uint64_t begin = end - std::min<std::uint64_t>(end, 1 + choices.below(4));
            content.ack->came.push_back({begin, end});
            end = begin - std::min<std::uint64_t>(begin, 1 + choices.below(2));
        }
        deliver(content, choices, now);
        take_all(now);
    }
    [[nodiscard]] bool lost() const override {
        return stream_.state() != DatagramStream::State::open or stream_.ended();
    }

private:
    static constexpr std::uint64_t kConnection = 7;
    static constexpr std::size_t kPart = 500;
    static constexpr int kMostDatagrams = 200;  // of 1200 bytes and less: the send buffer, and what is sent again

    static DatagramStreamSettings settings() {
        DatagramStreamSettings small;
        small.send_buffer = 8192;
        return small;
    }

    void deliver(const DatagramContent& content, Choices& choices, MonoTime now) {
        const std::size_t length = serialize(content, std::span(buffer_).subspan(kDatagramHeader));
        const std::uint64_t number = choices.one_in(8) ? choices.number<std::uint64_t>() : number_++;
        const std::size_t size = seal(buffer_, length, {DatagramKind::from_server, kConnection, number}, cipher_);
        const bool damaged = choices.one_in(32);
        if (damaged) {
            buffer_[choices.next() % size] ^= std::byte{1};
        }
        const bool took = stream_.on_datagram(std::span(buffer_).first(size), now);
        check(not took or not damaged, "a damaged datagram was taken");
        if (took and content.ack) {
            limit_ = std::max(limit_, content.ack->limit);
        }
    }

    void take_all(MonoTime now) {
        int count = 0;
        while (const std::size_t size = stream_.next_datagram(out_, now)) {
            check(++count < kMostDatagrams, "a datagram is answered with a flood");
            const auto opened = unseal(std::span(out_).first(size), DatagramKind::from_shipper, kConnection, cipher_);
            check(opened and opened->number == sent_, "a datagram is not sealed as it should be");
            ++sent_;
            const auto content = parse_content(opened->content);
            check(content.has_value(), "a datagram is not as it should be");
            if (content->data) {
                check_data(*content->data);
            }
        }
        check(stream_.state() != DatagramStream::State::open or stream_.next_deadline() > now,
              "a deadline that has passed is not met");
    }
    void check_data(const DataField& data) const {
        const std::uint64_t end = data.offset + data.bytes.size();
        check(end <= limit_ and end <= written_.size(),
              "bytes were sent that the server does not take, or that are none");
        check(std::ranges::equal(data.bytes, std::span(written_).subspan(data.offset, data.bytes.size())),
              "bytes were sent that were not written");
    }

    DatagramStream stream_;
    Bytes written_;
    DatagramCipher cipher_{Secret()};  ///< of both directions
    Bytes buffer_ = Bytes(kLongestDatagram);
    Bytes out_ = Bytes(kLongestDatagram);
    std::uint64_t number_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t limit_ = 64U << 10U;
    std::uint64_t answered_ = 0;
};

/// A log being shipped, and what its server may get of it on this connection.
struct OneLog {
    std::unique_ptr<KeptLog> kept;
    std::optional<LogEnding> ending;
    std::uint64_t confirmed = 0;
    std::uint64_t sent = 0;  ///< pieces before this one were sent once, or a server said that it had them
    bool over = false;
    // Of this connection:
    std::optional<LogNumber> number;
    std::optional<std::uint64_t> next;  ///< the piece that is due; empty: not requested
    bool ending_sent = false;
};

class Shipper {
public:
    Shipper(Choices& choices, const std::filesystem::path& folder)
        : room_(std::array{kMemory, kSpool, kScarce}.at(choices.below(3))), budget_(room_.spool) {
        over_datagrams_ = choices.one_in(2);
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string name(1, static_cast<char>('a' + i));
            SpoolDescription about{.server = "192.0.2.1:9001", .experiment = "e", .name = name, .program = "p"};
            about.token.fill(static_cast<std::byte>(i + 1));
            OneLog log;
            log.kept = std::make_unique<KeptLog>(room_.memory,
                                                 room_.spool > 0 ? Spool::create(folder, about, budget_) : nullptr);
            logs_.push_back(std::move(log));
            conversation_.add({OpenLog{0, about.token, "e", name}, 0, 0});
        }
        connect();
    }

    void play(Choices& choices) {
        const auto which = static_cast<LogId>(choices.below(2));
        switch (choices.below(12)) {
            case 0:
            case 1:
                append(which, 1 + choices.below(4));
                break;
            case 2:
                end(which, choices.one_in(4));
                break;
            case 3:
                now_ += std::chrono::milliseconds(choices.next() * (choices.one_in(8) ? 100 : 1));
                break;
            case 4:
                if (choices.one_in(4)) {
                    connect();
                }
                break;
            default:
                answer(which, choices);
        }
        carrier_->turn(choices, now_);
        listen();
        speak();
        carrier_->turn(choices, now_);
        check_kept(which);
        if (carrier_->lost()) {
            connect();
        }
    }

    /// All logs that no server has refused arrive at an honest server that has the confirmed pieces.
    void deliver_the_rest() {
        over_datagrams_ = false;
        for (LogId id = 0; id < logs_.size(); ++id) {
            if (not logs_[id].ending) {
                end(id, false);
            }
        }
        connect();
        hear(ServerWelcome{});
        for (int rounds = 0; conversation_.needs_connection(); ++rounds) {
            check(rounds < 4, "a log does not get on with a server that does not lie");
            speak();
            for (OneLog& log : logs_) {
                if (log.over or not log.number) {
                    continue;
                }
                if (log.ending_sent) {
                    hear(LogClosed{*log.number});
                } else if (not log.next) {
                    hear(LogOpened{*log.number, log.confirmed});
                }
            }
        }
        check(std::ranges::all_of(logs_, &OneLog::over), "a log has no end");
        logs_.clear();
        check(budget_.used() == 0, "a spool's bytes are not given back");
    }

private:
    void connect() {
        conversation_.connected();
        welcome_ = false;
        greeted_ = false;
        numbers_ = 0;
        for (OneLog& log : logs_) {
            log.number.reset();
            log.next.reset();
            log.ending_sent = false;
        }
        frames_.emplace("log server", kMaxOtherFrame);
        if (over_datagrams_) {
            carrier_ = std::make_unique<DatagramCarrier>(now_);
        } else {
            carrier_ = std::make_unique<StreamCarrier>();
        }
        speak();
    }

    void append(LogId id, unsigned count) {
        OneLog& log = logs_[id];
        for (; count > 0 and not log.ending; --count) {
            const std::uint64_t number = log.kept->counts().handed_pieces;
            std::size_t unconfirmed = 0;
            for (std::uint64_t each = log.confirmed; each <= number; ++each) {
                unconfirmed += piece_of(id, each).size();
            }
            if (number < kMostPieces and (room_.spool == kSpool.spool or unconfirmed <= room_.memory)) {
                conversation_.handed(id, log.kept->append(piece_of(id, number)));
            }
        }
    }
    void end(LogId id, bool given_up) {
        OneLog& log = logs_[id];
        if (not log.ending) {
            const CloseLog totals = log.kept->seal();
            log.ending = given_up ? LogEnding(GiveUpLog{0, totals.pieces, "its writer ended"}) : LogEnding(totals);
            conversation_.end(id, *log.ending);
        }
    }

    // The shipper's frames.

    void speak() {
        std::size_t frames = 0;
        while (const auto due = conversation_.next(now_)) {
            check(++frames < 3 * logs_.size() * kMostPieces, "a shipper does not stop talking");
            Bytes bytes;
            if (const auto* const piece = std::get_if<PieceDue>(&*due)) {
                Bytes content;
                logs_.at(piece->log).kept->read(piece->piece, content);
                check(content == piece_of(piece->log, piece->piece), "a piece is not what was handed over");
                bytes = serialize(LogPiece{piece->number_of_log, piece->piece, content});
            } else {
                bytes = serialize(std::get<LogFrame>(*due));
            }
            if (not carrier_->send(bytes)) {
                return;
            }
            std::visit([this](const auto& frame) { said(frame); }, *due);
            conversation_.sent();
        }
        check(conversation_.next_deadline() > now_ or not welcome_, "a log that was put off is not opened again");
    }
    void said(const PieceDue& piece) {
        OneLog& log = logs_.at(piece.log);
        check(welcome_ and log.number == piece.number_of_log and log.next == piece.piece and not log.ending_sent and
                  piece.piece < log.kept->counts().handed_pieces,
              "a piece was sent that is not due");
        ++*log.next;
        log.sent = std::max(log.sent, *log.next);
        log.kept->sent(*log.next);
    }
    void said(const LogFrame& frame) {
        if (const auto* const open = std::get_if<OpenLog>(&frame)) {
            OneLog& log = logs_.at(open->name == "a" ? 0 : 1);
            check(welcome_ and open->log == numbers_ and not log.over, "a log was opened that should not be");
            ++numbers_;
            log.number = open->log;
            log.next.reset();
            log.ending_sent = false;
        } else if (const auto* const hello = std::get_if<ShipperHello>(&frame)) {
            check(not greeted_ and hello->node == "here", "a shipper greets twice");
            greeted_ = true;
        } else {
            const auto* const close = std::get_if<CloseLog>(&frame);
            const auto* const give_up = std::get_if<GiveUpLog>(&frame);
            check(close != nullptr or give_up != nullptr, "a shipper says what only a server says");
            const LogNumber number = close != nullptr ? close->log : give_up->log;
            const auto log = std::ranges::find(logs_, std::optional(number), &OneLog::number);
            check(log != logs_.end() and log->ending and not log->over and not log->ending_sent and
                      log->next >= log->kept->counts().handed_pieces,
                  "a log was ended that is not at its end");
            check(close == nullptr or close->pieces == log->next, "a log was closed with other pieces than were sent");
            log->ending_sent = true;
        }
    }

    // The server's frames.

    void answer(LogId id, Choices& choices) {
        const OneLog& log = logs_[id];
        const LogNumber number = choices.one_in(16) ? choices.number<LogNumber>() : log.number.value_or(id);
        const std::uint64_t next = log.next.value_or(log.confirmed);
        const std::uint64_t pieces = choices.one_in(8) ? choices.number<std::uint64_t>()
                                                       : next - std::min<std::uint64_t>(next, choices.below(4));
        LogFrame frame = ServerWelcome{};
        switch (choices.below(10)) {
            case 0:
                frame = ServerWelcome{static_cast<std::uint16_t>(choices.one_in(8) ? 1 : kLogProtocolVersion)};
                break;
            case 1:
            case 2:
                frame = LogOpened{number, pieces};
                break;
            case 3:
            case 4:
                frame = LogDurable{number, pieces};
                break;
            case 5:
                frame = LogHold{number, choices.text()};
                break;
            case 6:
                frame = LogGoOn{number, pieces};
                break;
            case 7:
                frame = LogClosed{number};
                break;
            case 8:
                frame =
                    LogRefused{choices.one_in(8) ? kWholeConnection : number, not choices.one_in(4), choices.text()};
                break;
            default:
                break;
        }
        if (choices.one_in(8)) {
            const std::string any = choices.text();
            carrier_->answer(std::as_bytes(std::span(any)), choices, now_);
        } else if (choices.one_in(16)) {
            carrier_->answer(serialize(LogFrame(ShipperHello{})), choices, now_);
        } else {
            carrier_->answer(serialize(frame), choices, now_);
        }
    }

    void listen() {
        try {
            while (true) {
                if (const auto frame = frames_->next()) {
                    hear(*frame);
                    continue;
                }
                const std::size_t count = carrier_->read(frames_->space());
                if (count == 0) {
                    return;
                }
                frames_->filled(count);
            }
        } catch (const LogServerBusy& error) {
            check_reason(error.what());
        } catch (const ProtocolError& error) {
            check_reason(error.what());
        }
        connect();
    }
    void hear(const LogFrame& frame) {
        welcome_ = welcome_ or (greeted_ and std::holds_alternative<ServerWelcome>(frame));
        for (const LogNews& news : conversation_.hear(frame, now_)) {
            take(logs_.at(news.log), news);
        }
    }
    void take(OneLog& log, const LogNews& news) {
        check_reason(news.reason);
        check(log.number.has_value(), "there is news of a log that is not open");
        switch (news.kind) {
            case LogNews::Kind::opened:
                check(not log.next and news.pieces >= log.confirmed, "a log was opened that was open, or has shrunk");
                go_on(log, news.pieces);
                log.kept->sent(news.pieces);
                break;
            case LogNews::Kind::going_on:
                check(news.pieces >= log.confirmed and news.pieces <= log.sent, "a log goes on where it cannot");
                go_on(log, news.pieces);
                log.ending_sent = false;
                break;
            case LogNews::Kind::durable:
                confirm(log, news.pieces);
                break;
            case LogNews::Kind::closed:
                check(log.ending_sent, "a log was closed that was not to be closed");
                confirm(log, news.pieces);
                log.over = true;
                break;
            case LogNews::Kind::refused:
                log.over = true;
                break;
            case LogNews::Kind::held:
                break;
            case LogNews::Kind::put_off:
                log.number.reset();
                log.next.reset();
                break;
        }
    }
    static void go_on(OneLog& log, std::uint64_t pieces) {
        const bool given_up = log.ending and std::holds_alternative<GiveUpLog>(*log.ending);
        check(given_up or pieces <= log.kept->counts().handed_pieces, "a server has pieces that there are not");
        log.next = pieces;
        log.sent = std::max(log.sent, pieces);
    }
    static void confirm(OneLog& log, std::uint64_t pieces) {
        check(pieces >= log.confirmed and pieces <= log.sent, "pieces are confirmed that no server can have");
        log.confirmed = pieces;
        log.kept->confirmed(pieces);
    }

    static void check_reason(const std::string& reason) {
        constexpr std::size_t kLongest = 4 * 2000 + 200;  // plain_text() writes four bytes for one at most
        check(shows_as_it_is(reason) and reason.size() <= kLongest, "a reason is not plain text, or has no end");
    }

    /// After any frames, what is not confirmed can be sent again.
    void check_kept(LogId id) {
        OneLog& log = logs_[id];
        const KeptCounts counts = log.kept->counts();
        check(counts.durable_bytes <= counts.handed_bytes and counts.largest_backlog <= counts.handed_bytes,
              "more is confirmed than was handed over");
        if (log.confirmed < counts.handed_pieces and not log.over) {
            const std::uint64_t number = log.confirmed + ++turns_ % (counts.handed_pieces - log.confirmed);
            Bytes piece;
            log.kept->read(number, piece);
            check(piece == piece_of(id, number), "a piece that is not confirmed is not kept");
        }
    }

    Room room_;
    SpoolBudget budget_;
    ShippingConversation conversation_{"log server", "here"};
    std::vector<OneLog> logs_;
    std::unique_ptr<Carrier> carrier_;
    std::optional<LogFrameReader> frames_;
    MonoTime now_{std::chrono::seconds(100)};
    bool over_datagrams_ = false;
    bool greeted_ = false;
    bool welcome_ = false;
    LogNumber numbers_ = 0;    ///< used on this connection
    std::uint64_t turns_ = 0;  ///< which piece is checked
};

/// Answers of a server to a request for a connection over datagrams: only the requested one is accepted.
void open_over_datagrams(Choices& choices) {
    const std::uint64_t asked = choices.below(2);
    const std::uint64_t nonce = choices.below(2);
    DatagramOpening opening(asked, {});
    const AgreementKey server{Secret()};
    bool has_token = false;
    MonoTime now{};
    for (unsigned count = choices.below(8); count > 0 and not opening.accepted() and not opening.refused(); --count) {
        now = std::max(now, opening.next_deadline());
        const auto question = opening.next_datagram(now);
        check(question.has_value(), "an opening that is not answered is given up");
        check(opening.next_deadline() > now, "an opening floods");
        bool proves = false;
        switch (choices.below(4)) {
            case 0: {
                UdpAccepted accepted{.nonce = nonce, .connection = 7, .public_key = server.public_key()};
                const auto open = parse_open(*question);
                proves = open and choices.one_in(2);
                if (proves) {
                    accepted.proof = agree(server.shared_with(open->public_key).value(), {}, *open, accepted).proof;
                }
                opening.on_datagram(serialize(accepted));
                break;
            }
            case 1:
                opening.on_datagram(serialize(UdpRefused{nonce, OpeningRefusal::key_needed}));
                check(not opening.refused() or (has_token and nonce == asked), "refused what was not asked for");
                break;
            default:
                opening.on_datagram(serialize(UdpRetry{nonce, choices.next(), choices.next()}));
                has_token = has_token or nonce == asked;
        }
        check(opening.accepted().has_value() == (proves and nonce == asked), "accepted what was not proved");
    }
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 600;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    const groma::TemporaryFolder folder("groma-fuzz");
    groma::open_over_datagrams(choices);
    groma::Shipper shipper(choices, folder.path());
    while (choices.more()) {
        shipper.play(choices);
    }
    shipper.deliver_the_rest();
    return 0;
}
