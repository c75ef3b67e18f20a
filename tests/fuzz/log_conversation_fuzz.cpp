// Any frames in any order, from two connections, with time and holds in between: the server's side of a log connection
// never crashes, and never acknowledges what it has not written. Each byte chooses the next event.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/base/errors.hpp"
#include "common/log/running_hash.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "logserver/log_server_core.hpp"
#include "tests/fuzz/choices.hpp"

namespace groma {
namespace {

/// A connection whose answers are checked against the files.
class Peer final : public AnswerSink {
public:
    Peer(LogServerCore& core, const std::filesystem::path& folder, MonoTime now)
        : folder_(folder), conversation_(core.begin({.name = "fuzz", .host = "fuzz"}, *this, now)) {}

    void answer(std::vector<std::byte> frame) override {
        check(not finished_, "answered after the end");
        const LogFrame parsed = parse_log_frame(std::span<const std::byte>(frame).subspan(4), "server");
        if (const auto* durable = std::get_if<LogDurable>(&parsed)) {
            // Each piece is as long as its number and one more: the number of bytes follows from that of pieces.
            const auto file = folder_ / "e" / (names_[durable->log] + ".glog.part");
            const std::uint64_t least = durable->pieces * (durable->pieces + 1) / 2;
            check(std::filesystem::file_size(file) >= least, "acknowledged what is not in the file");
        }
    }
    void finish() override { finished_ = true; }

    void happen(Choices& choices, MonoTime now) {
        const LogNumber log = choices.below(4);
        switch (choices.below(9)) {
            case 0:
                say(ShipperHello{static_cast<std::uint16_t>(choices.below(8) == 0 ? 1 : kLogProtocolVersion), "n"},
                    now);
                break;
            case 1:
                open(log, choices, now);
                break;
            case 2:
            case 3:
                piece(log, choices.below(6), now);
                break;
            case 4:
                say(CloseLog{log, choices.below(4), choices.below(8), choices.next()}, now);
                break;
            case 5:
                say(GiveUpLog{log, choices.below(4), "why"}, now);
                break;
            case 6:
                conversation_->tick(now);
                break;
            case 7:
                say(LogGoOn{log, choices.below(4)}, now);
                break;
            default:
                if (choices.below(8) == 0) {
                    conversation_->on_lost("lost");
                }
        }
    }

private:
    void say(const LogFrame& frame, MonoTime now) { conversation_->on_frame(frame, now); }
    void open(LogNumber log, Choices& choices, MonoTime now) {
        constexpr std::array kNames = {"a", "b", "..", "c/d"};
        OpenLog open{log, {}, "e", kNames[choices.below(kNames.size())]};
        open.token.fill(static_cast<std::byte>(choices.below(2)));
        if (not names_.contains(log)) {
            names_[log] = open.name;
        }
        say(open, now);
    }
    void piece(LogNumber log, std::uint64_t number, MonoTime now) {
        const std::vector<std::byte> bytes(number + 1);
        say(LogPiece{log, number, bytes}, now);
    }

    std::filesystem::path folder_;
    std::map<LogNumber, std::string> names_;
    bool finished_ = false;
    std::unique_ptr<Conversation> conversation_;
};

void play(Choices choices) {
    const TemporaryFolder folder("groma-fuzz");
    ManualClock clock;
    LogServerSettings settings;
    settings.directory = folder.path();
    settings.reserve = 0;
    settings.max_disk = 20;
    settings.sync = static_cast<SyncPolicy>(choices.below(3));
    LogServerCore core(settings, clock, std::make_unique<InlineBackground>());
    std::array<std::optional<Peer>, 2> peers;
    while (choices.more()) {
        auto& peer = peers[choices.below(2)];
        if (not peer) {
            peer.emplace(core, folder.path(), clock.now());
        }
        const unsigned what = choices.below(8);
        if (what == 0) {
            clock.advance(std::chrono::seconds(choices.next()));
            core.tick(clock.now());
        } else if (what == 1 and choices.below(4) == 0) {
            peer.reset();
        } else {
            peer->happen(choices, clock.now());
        }
    }
    core.stop([] {});
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 500;
    groma::play(groma::Choices(std::span(data, std::min(size, kMostBytes))));
    return 0;
}
