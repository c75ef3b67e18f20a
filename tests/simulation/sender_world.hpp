// A complete sending worker with any number of flows in virtual time: it never sleeps, and every run is the same.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "sender/engine/send_worker.hpp"
#include "tests/sender/fake_channel.hpp"

namespace groma {

/// Sockets of the world are numbered from 0; each becomes writable, or has replies, when its wire says so.
class FakeWatch final : public WritableWatch {
public:
    FakeWatch(ManualClock& clock, const std::vector<std::unique_ptr<FakeWire>>& wires) : clock_(clock), wires_(wires) {}

    void wait(std::span<pollfd> sockets, Nanos limit) noexcept override {
        ++looks;
        MonoTime until = clock_.now() + limit;
        for (const pollfd& socket : sockets) {
            until = std::min(until, ready_at(socket));
        }
        clock_.sleep_until(until);
        for (pollfd& socket : sockets) {
            socket.revents = ready_at(socket) <= clock_.now() ? socket.events : short{0};
        }
    }

    int looks = 0;

private:
    MonoTime ready_at(const pollfd& socket) const {
        const FakeWire& wire = *wires_[static_cast<std::size_t>(socket.fd)];
        MonoTime at = (socket.events & POLLOUT) != 0 ? wire.writable_at : MonoTime::max();
        if ((socket.events & POLLIN) != 0) {
            if (wire.closed) {
                return clock_.now();
            }
            if (not wire.replies.empty()) {
                at = std::min(at, clock_.now() + (wire.replies.front().received_at - clock_.wall_now()));
            }
        }
        return at;
    }

    ManualClock& clock_;
    const std::vector<std::unique_ptr<FakeWire>>& wires_;
};

class SenderWorld {
public:
    explicit SenderWorld(std::size_t queue_records = 1 << 16, std::size_t largest_batch = 64)
        : queue_records_(queue_records), largest_batch_(largest_batch) {}

    /// Returns: the flow's end of the network, to inspect and to manipulate.
    FakeWire& add(const FlowSpec& spec, std::optional<Nanos> answers_after = std::nullopt) {
        wires_.push_back(std::make_unique<FakeWire>());
        wires_.back()->answers_after = answers_after;
        return add_beside(spec, wires_.size() - 1);
    }

    /// On another flow's socket: the one that was opened as number `socket`, from 0.
    FakeWire& add_beside(const FlowSpec& spec, std::size_t socket) {
        const auto place = static_cast<std::uint32_t>(flows_.size());
        FlowToSend flow{spec, std::make_unique<FakeChannel>(*wires_[socket], clock, static_cast<int>(socket)),
                        &any_payload()};
        auto replies = spec.in_flight > 0 ? flow.channel->open_replies({}, clock) : nullptr;
        flows_.push_back(std::make_unique<FlowSender>(std::move(flow), place, largest_batch_));
        loops_.emplace_back();
        if (replies) {
            loops_.back() = std::make_unique<FlowReplies>(place, std::move(replies), sent_.emplace_back(), nullptr);
            flows_.back()->note_sent_in(sent_.back());
            flows_.back()->close_loop(spec, *loops_.back(), nullptr);
        }
        return *wires_[socket];
    }

    /// After the last add(): the run starts a millisecond from now.
    void begin() {
        std::vector<FlowSender*> all;
        for (const std::unique_ptr<FlowSender>& flow : flows_) {
            all.push_back(flow.get());
        }
        worker_.emplace(std::move(all), WorkerOptions{queue_records_, largest_batch_}, clock, watch);
        start = clock.now() + Nanos{1'000'000};
        worker_->begin(start);
    }

    /// Steps until the time is `until` or all flows have ended. Returns: whether all flows have ended.
    bool run_until(MonoTime until) {
        while (clock.now() < until) {
            const SendWorker::Step step = worker_->step();
            if (step == SendWorker::Step::finished) {
                return true;
            }
            if (step == SendWorker::Step::spinning) {
                clock.advance(worker_->next_deadline() - clock.now());
            }
        }
        return false;
    }
    bool run() { return run_until(MonoTime::max()); }

    /// The records of one flow, in the order of the queue. Takes all from the queue.
    std::vector<SentRecord> records(std::uint32_t place) {
        std::vector<QueuedRecord> piece(1024);
        for (std::size_t count = worker_->queue().pop(piece); count > 0; count = worker_->queue().pop(piece)) {
            taken_.insert(taken_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
        }
        std::vector<SentRecord> own;
        for (const QueuedRecord& queued : taken_) {
            if (queued.flow == place) {
                own.push_back(queued.record);
            }
        }
        return own;
    }

    SendWorker& worker() { return *worker_; }
    /// What came back. Requires: the flow waits for replies.
    RoundTrip replies(std::uint32_t place) { return loops_[place]->result(); }
    FlowSender& flow(std::uint32_t place) { return *flows_[place]; }

    ManualClock clock;
    MonoTime start{};

private:
    std::size_t queue_records_;
    std::size_t largest_batch_;
    std::vector<std::unique_ptr<FakeWire>> wires_;
    std::deque<SentRange> sent_;  ///< of flows that wait for replies
    std::vector<std::unique_ptr<FlowReplies>> loops_;
    std::vector<std::unique_ptr<FlowSender>> flows_;
    std::vector<QueuedRecord> taken_;

public:
    FakeWatch watch{clock, wires_};

private:
    std::optional<SendWorker> worker_;
};

}  // namespace groma
