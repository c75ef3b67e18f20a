// The flows of a run that come here from one host: it is asked to send, and received from (docs/guide/reverse.md).
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "joint/own_receiver.hpp"
#include "joint/run_part.hpp"

namespace groma {

class ReversePart final : public RunPart {
public:
    /// In the options `log` is here, `receiver_log` there.
    using RunPart::RunPart;
    ReversePart(const ReversePart&) = delete;
    ReversePart& operator=(const ReversePart&) = delete;
    ~ReversePart() override { join(); }

private:
    [[nodiscard]] std::string who() const override;
    [[nodiscard]] Target where() override { return peer(); }
    [[nodiscard]] SenderOptions far_options() const override;
    [[nodiscard]] decltype(JointRun::call) call() override;
    [[nodiscard]] std::string end() override;

    [[nodiscard]] const Target& peer() const { return options().experiment.flows.front().target; }
    [[nodiscard]] std::string log_file_here() const;
    void receive(const SocketAddress& sender, const std::string& name);

    std::mutex said_mutex_;
    std::string last_said_;  ///< by the receiver, on its threads, until it has ended
    std::optional<OwnReceiver> receiver_;
};

}  // namespace groma
