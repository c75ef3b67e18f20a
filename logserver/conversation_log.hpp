// One log within a conversation: its frames in, its answers out.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "logserver/peer_lines.hpp"
#include "logserver/store/stored_log.hpp"

namespace groma {

inline constexpr std::size_t kMostReasonBytes = 1000;  ///< of what a shipper is told

class LogServerCore;

/// Who is at the other end of a connection.
struct ShippingPeer {
    std::string node;            ///< its host, as it says
    std::string host;            ///< whose share of connections and logs is charged
    std::optional<Grant> grant;  ///< of the key that it has proved; nothing: it needs none
};

class ConversationLog final : public RemoteWriter {
public:
    using Say = std::function<void(const LogFrame&)>;

    /// The lines and the core outlive the log.
    ConversationLog(OpenLog request, PeerLines& lines, LogServerCore& core, Say say);
    ~ConversationLog() override;

    /// Opens it in the store, and answers. What is wrong is answered as well.
    void open(const ShippingPeer& shipper) noexcept;

    void on_piece(const LogPiece& piece) noexcept;
    void on_close(const CloseLog& totals) noexcept;
    void on_give_up(const GiveUpLog& last) noexcept;
    /// Its connection is gone.
    void on_lost(const std::string& reason) noexcept;

    /// Closed, refused, or taken over: frames that still come are dropped.
    [[nodiscard]] bool ended() const { return log_ == nullptr and not waits_; }
    /// The server makes it wait.
    [[nodiscard]] bool held() const { return waits_ or (log_ != nullptr and is_on_hold()); }

    void opened(StoredLog& log) override;
    void durable(std::uint64_t pieces) override;
    void closed() override;
    void failed(const std::string& why) override;
    void taken_over() override;
    void hold(const std::string& why) override;
    void go_on(std::uint64_t pieces) override;

private:
    [[nodiscard]] bool is_on_hold() const { return not held_.empty(); }
    /// What was sent before the log was opened, or a hold was heard of, is dropped: true for a frame that says there
    /// are more pieces than came.
    [[nodiscard]] bool comes_too_early(std::uint64_t pieces) const;
    /// Of a log that its writer has closed or given up: it is told at once, or when that is durable.
    void end_or_sweep(bool complete_already);
    void leave(const std::string& reason) noexcept;
    void refuse(const std::string& why, bool try_again) noexcept;
    [[nodiscard]] std::string name() const { return request_.experiment + '/' + request_.name; }
    template <typename Action>
    void act(const Action& action) noexcept;

    OpenLog request_;
    ShippingPeer peer_;
    PeerLines& lines_;
    LogServerCore& core_;
    Say say_;
    StoredLog* log_ = nullptr;
    bool waits_ = false;        ///< to be opened: it is read again
    std::string held_;          ///< why it is on hold; empty: it is not
    bool catching_up_ = false;  ///< after a hold, until the piece that is due has come
};

}  // namespace groma
