// Histograms of the sent gaps next to the requested distribution.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/model/distributions/distribution.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

/// Counts gaps of consecutive packets, in nanoseconds. Takes the records of one flow, in order of departure.
class SentGaps : public LogVisitor {
public:
    /// Bins of equal width cover nearly all of the model's probability; one more bin takes the rest. A constant gap has
    /// no density: the bins surround it.
    explicit SentGaps(const Distribution& asked);

    void on_sent(FlowId flow, std::span<const SentRecord> records) override;

    [[nodiscard]] const std::vector<GapBin>& bins() const { return bins_; }

private:
    void add(double gap_ns);

    std::vector<GapBin> bins_;
    double first_ns_ = 0;
    double width_ns_ = 0;
    std::optional<SentRecord> last_;
};

/// Reads a sender's log with one flow. Throws: as read_log().
[[nodiscard]] std::vector<GapBin> gaps_in_log(const std::filesystem::path& file, const Distribution& asked);

}  // namespace groma
