#include "common/net/channel/signalling.hpp"

#include <utility>

#include "common/base/counted.hpp"

namespace groma {

namespace {

void pulse(SignalLine& line, std::size_t times) noexcept {
    for (std::size_t i = 0; i < times; ++i) {
        line.pulse();
    }
}

class SignallingChannel final : public Channel {
public:
    SignallingChannel(std::unique_ptr<Channel> channel, SignalLine& line) : channel_(std::move(channel)), line_(line) {}

    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override {
        const SendOutcome outcome = channel_->send(frames);
        pulse(line_, outcome.sent);
        return outcome;
    }
    [[nodiscard]] bool holding() const noexcept override { return channel_->holding(); }
    [[nodiscard]] bool in_queue() const noexcept override { return channel_->in_queue(); }
    void warm_up() noexcept override { channel_->warm_up(); }
    void limit_unsent(std::size_t bytes) noexcept override { channel_->limit_unsent(bytes); }
    [[nodiscard]] bool finish(Nanos limit) noexcept override { return channel_->finish(limit); }
    [[nodiscard]] std::vector<std::string> warnings() const override {
        std::vector<std::string> warnings = channel_->warnings();
        if (line_.failures() > 0) {
            warnings.push_back("the lines of " + line_.device() + " could not be raised " +
                               counted(line_.failures(), "time") + ", by all flows together");
        }
        return warnings;
    }
    [[nodiscard]] std::optional<PathMtu> path() const noexcept override { return channel_->path(); }
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override {
        return channel_->open_replies(spec, clock);
    }
    [[nodiscard]] std::size_t take_transmit_stamps(std::span<TransmitStamp> out) noexcept override {
        return channel_->take_transmit_stamps(out);
    }
    [[nodiscard]] std::optional<HeldDepartures> held_departures() const override { return channel_->held_departures(); }
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override { return channel_->sample(); }
    [[nodiscard]] std::optional<SendLimits> limits() const noexcept override { return channel_->limits(); }
    [[nodiscard]] ConnectionCounts connections() const noexcept override { return channel_->connections(); }
    [[nodiscard]] int fd() const noexcept override { return channel_->fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return channel_->local_address(); }
    [[nodiscard]] SocketAddress remote_address() const override { return channel_->remote_address(); }

private:
    std::unique_ptr<Channel> channel_;
    SignalLine& line_;
};

class SignallingInbox final : public Inbox {
public:
    SignallingInbox(std::unique_ptr<Inbox> inbox, SignalLine& line) : inbox_(std::move(inbox)), line_(line) {}

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override {
        const std::size_t count = inbox_->drain(out);
        pulse(line_, count);
        return count;
    }
    [[nodiscard]] InboxState state() const noexcept override { return inbox_->state(); }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return inbox_->counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return inbox_->timestamps(); }
    [[nodiscard]] std::optional<GroStart> gro() const noexcept override { return inbox_->gro(); }
    [[nodiscard]] std::vector<std::string> warnings() const override { return inbox_->warnings(); }
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override {
        return inbox_->reflect(arrivals);
    }
    [[nodiscard]] bool holding() const noexcept override { return inbox_->holding(); }
    [[nodiscard]] bool cannot_accept() const noexcept override { return inbox_->cannot_accept(); }
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override { return inbox_->sample(); }
    [[nodiscard]] int fd() const noexcept override { return inbox_->fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return inbox_->local_address(); }
    [[nodiscard]] SocketAddress remote_address() const override { return inbox_->remote_address(); }

private:
    std::unique_ptr<Inbox> inbox_;
    SignalLine& line_;
};

}  // namespace

std::unique_ptr<Channel> signalling(std::unique_ptr<Channel> channel, SignalLine& line) {
    return std::make_unique<SignallingChannel>(std::move(channel), line);
}

std::unique_ptr<Inbox> signalling(std::unique_ptr<Inbox> inbox, SignalLine& line) {
    return std::make_unique<SignallingInbox>(std::move(inbox), line);
}

}  // namespace groma
