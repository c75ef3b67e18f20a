#include "mpi/world/mpi_carrier.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr auto kNap = std::chrono::milliseconds(1);
/// Letters taken before others have their turn on this thread.
constexpr int kLettersInARow = 64;
/// Answers that a rank does not take: it is dead or stuck.
constexpr std::size_t kMostUnderWay = 10'000;

}  // namespace

/// One connection of one rank.
class MpiCarrier::Session final : public AnswerSink {
public:
    Session(MpiCarrier& carrier, int rank, std::uint32_t connection)
        : carrier_(carrier), rank_(rank), connection_(connection), peer_("rank " + std::to_string(rank)) {
        conversation_ = carrier.around_.host.begin({.name = peer_, .host = peer_}, *this, carrier.around_.clock.now());
    }

    void answer(std::vector<std::byte> frame) override { say(LogLetter::Kind::frame, frame); }
    void finish() override {
        say(LogLetter::Kind::end, {});
        finished_ = true;
    }

    void take(const LogLetter& letter) {
        const MonoTime now = carrier_.around_.clock.now();
        try {
            conversation_->on_frame(frame_of(letter, conversation_->longest_frame(), peer_), now);
        } catch (const ProtocolError& error) {
            conversation_->on_rubbish(error.what(), now);
        }
    }

    void tend(MonoTime now) {
        if (deaf_ and not finished_) {
            lose("takes no answers");
        } else if (not finished_ and now >= conversation_->next_deadline()) {
            conversation_->tick(now);
        }
    }

    void lose(const std::string& reason) {
        if (not std::exchange(finished_, true)) {
            conversation_->on_lost(reason);
        }
    }

    [[nodiscard]] std::uint32_t connection() const { return connection_; }
    [[nodiscard]] bool finished() const { return finished_; }
    [[nodiscard]] MonoTime read_again_at() const { return conversation_->read_again_at(); }

private:
    void say(LogLetter::Kind kind, std::span<const std::byte> frame) {
        try {
            carrier_.post_.send(rank_, serialize(LogLetter{connection_, kind, frame}));
            deaf_ = deaf_ or carrier_.post_.in_flight() > kMostUnderWay;
        } catch (const RunError&) {
            deaf_ = true;
        }
    }

    MpiCarrier& carrier_;
    int rank_;
    std::uint32_t connection_;
    std::string peer_;
    bool finished_ = false;
    bool deaf_ = false;
    std::unique_ptr<Conversation> conversation_;
};

MpiCarrier::MpiCarrier(Surroundings around)
    : around_(around),
      post_(around.world,
            {.says = PostKind::logs_to_shipper, .hears = PostKind::logs_to_server, .longest = kLongestLogLetter}),
      nap_(around.io.get_executor(), around.clock) {
    poll_again(true);
}

MpiCarrier::~MpiCarrier() = default;

void MpiCarrier::stop() {
    stopped_ = true;
    nap_.cancel();
    for (auto& [rank, session] : sessions_) {
        session->lose("the log server ended");
    }
    sessions_.clear();
}

void MpiCarrier::poll_again(bool soon) {
    nap_.call_after(soon ? std::chrono::milliseconds(0) : kNap, [this] {
        if (stopped_) {
            return;
        }
        const bool more = take_letters();
        tend();
        poll_again(more);
    });
}

bool MpiCarrier::take_letters() {
    const MonoTime now = around_.clock.now();
    for (const auto& [rank, session] : sessions_) {
        if (session->read_again_at() > now) {
            return false;  // the limit of rate is that of all connections together
        }
    }
    for (int i = 0; i < kLettersInARow; ++i) {
        const auto letter = post_.next();
        if (not letter) {
            return false;
        }
        take(*letter);
    }
    return true;
}

void MpiCarrier::take(const Letter& letter) {
    LogLetter content;
    try {
        content = parse_log_letter(letter.bytes, "rank " + std::to_string(letter.from));
    } catch (const ProtocolError&) {
        return;  // belongs to no connection
    }
    const auto found = sessions_.find(letter.from);
    const bool known = found != sessions_.end() and found->second->connection() == content.connection;
    if (content.kind == LogLetter::Kind::end) {
        if (known) {
            found->second->lose("ended the connection before its logs were complete");
        }
        return;
    }
    if (not known) {
        if (found != sessions_.end()) {
            if (content.connection < found->second->connection()) {
                return;  // of a connection before
            }
            found->second->lose("connected again");
            sessions_.erase(found);
        }
        sessions_[letter.from] = std::make_unique<Session>(*this, letter.from, content.connection);
    }
    Session& session = *sessions_.at(letter.from);
    if (not session.finished()) {
        session.take(content);
    }
}

/// Sessions that are over stay until their rank connects again, so that letters that were on their way begin no new
/// one.
void MpiCarrier::tend() {
    const MonoTime now = around_.clock.now();
    for (auto& [rank, session] : sessions_) {
        session->tend(now);
    }
}

}  // namespace groma
