// Conversations with a real core and store, in virtual time, without a socket.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/log/running_hash.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "logserver/log_conversation.hpp"
#include "logserver/log_server_core.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "tests/files.hpp"
#include "tests/logserver/recording_sink.hpp"

namespace groma {

inline std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

inline CloseLog totals_of(LogNumber log, std::string_view text, std::uint64_t pieces) {
    RunningHash hash;
    hash.add(bytes(text));
    return {log, pieces, text.size(), hash.value()};
}

/// One connection, from the shipper's side.
struct Shipper {
    explicit Shipper(LogServerCore& core, Clock& time, const std::string& name = "10.0.0.1:40000")
        : Shipper(core, time, ConversationPeer{.name = name, .host = name.substr(0, name.rfind(':'))}) {}
    Shipper(LogServerCore& core, Clock& time, const ConversationPeer& peer)
        : clock(time), conversation(core.begin(peer, sink, time.now())) {}
    /// Has proved a key.
    Shipper(LogServerCore& core, Clock& time, const Grant& grant)
        : Shipper(core, time, peer_at(SocketAddress::from_literal("10.0.0.1", 40000), grant)) {}

    void say(const LogFrame& frame) const { conversation->on_frame(frame, clock.now()); }
    void greet() const { say(ShipperHello{kLogProtocolVersion, "hosta"}); }
    void open(LogNumber log = 7, const std::string& name = "sender", unsigned char token = 1) const {
        OpenLog open{log, {}, "voip-1a2b3c4d", name};
        open.token.fill(static_cast<std::byte>(token));
        say(open);
    }
    void piece(std::uint64_t number, std::string_view text, LogNumber log = 7) const {
        say(LogPiece{log, number, bytes(text)});
    }

    Clock& clock;
    RecordingSink sink;
    std::unique_ptr<Conversation> conversation;
};

class LogConversationTest : public testing::Test {
protected:
    LogConversationTest() {
        settings_.directory = directory_.path();
        settings_.reserve = 0;
        settings_.report = [this](const std::string& line) { reported_ += line + '\n'; };
    }
    LogServerCore& core() {
        if (not core_) {
            core_.emplace(settings_, clock_, std::move(background_));
        }
        return *core_;
    }
    void pass(Nanos time) {
        clock_.advance(time);
        core().tick(clock_.now());
    }
    [[nodiscard]] CatalogueEntry entry(const std::string& name = "sender") const {
        return LogCatalogue(directory_.path(), LogCatalogue::Access::read).find("voip-1a2b3c4d", name).value();
    }
    [[nodiscard]] std::string stored(const std::string& file = "sender.glog") const {
        return content_of(directory_.path() / "voip-1a2b3c4d" / file);
    }

    TemporaryFolder directory_;
    ManualClock clock_;
    LogServerSettings settings_;
    std::string reported_;
    std::unique_ptr<Background> background_ = std::make_unique<InlineBackground>();
    std::optional<LogServerCore> core_;
};

}  // namespace groma
