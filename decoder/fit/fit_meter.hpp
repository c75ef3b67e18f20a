// Takes in the packets of many flows in bounded memory, and fits them at the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_results.hpp"

namespace groma {

/// The packets of one flow.
class FlowMeter {
public:
    FlowMeter(std::uint32_t number, std::string source, std::string name, Transport transport, bool reverse = false)
        : number_(number),
          source_(std::move(source)),
          name_(std::move(name)),
          transport_(transport),
          reverse_(reverse) {}

    /// `behind_last`: it directly follows the packet before, so the gap between them is one of the flow's.
    void add(std::int64_t time_ns, std::uint32_t size, bool behind_last) {
        last_ns_ = packets_ == 0 ? time_ns : std::max(last_ns_, time_ns);
        first_ns_ = packets_ == 0 ? time_ns : first_ns_;
        ++packets_;
        bytes_ += size;
        if (analyzers_ != nullptr) {
            analyze({time_ns, size, behind_last});
        } else {
            early_.push_back({time_ns, size, behind_last});
        }
    }

    /// Whether begin() is due: there are `fewest` packets, or as many as may be kept without figures.
    [[nodiscard]] bool is_due(std::uint64_t fewest) const {
        return analyzers_ == nullptr and early_.size() >= std::min(fewest, kMostEarly);
    }
    void begin(std::size_t most_values, std::size_t lags);
    void hold_to(std::size_t most_values);
    [[nodiscard]] std::size_t held() const;

    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::uint64_t packets() const { return packets_; }

    /// Requires: begin() was called.
    [[nodiscard]] TrafficFit fit(double constant_within) const;

private:
    static constexpr std::uint64_t kMostEarly = 1000;

    struct Packet {
        std::int64_t time_ns;
        std::uint32_t size;
        bool behind_last;
    };
    struct Analyzers {
        ProcessMeter gaps;
        ProcessMeter sizes;
        PacketCounts counts;
        std::int64_t before_ns = 0;
        bool any = false;
        std::uint64_t backwards = 0;  ///< packets with a time before that of the one before
        std::uint64_t apart = 0;      ///< packets whose gap is not known
    };

    void analyze(const Packet& packet);
    [[nodiscard]] std::vector<std::string> notes(const TrafficFit& fit) const;

    std::uint32_t number_;
    std::string source_;
    std::string name_;
    Transport transport_;
    bool reverse_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::int64_t first_ns_ = 0;
    std::int64_t last_ns_ = 0;
    std::vector<Packet> early_;
    std::unique_ptr<Analyzers> analyzers_;
};

/// All flows. A process of a flow is fitted to a random sample of at most 65,536 of its values. While there are more
/// than 2^25 values in all, each process halves its sample.
class TrafficMeter {
public:
    static constexpr std::size_t kMostOfProcess = 65'536;
    static constexpr std::size_t kFewestOfProcess = 1024;
    static constexpr std::size_t kMostOfAll = std::size_t{1} << 25U;
    static constexpr std::size_t kMostFlows = 100'000;

    explicit TrafficMeter(const FitOptions& options) : options_(options) {}

    /// `reverse`: as in TrafficFit. Returns: a new flow; null beyond kMostFlows. Its address stays valid.
    [[nodiscard]] FlowMeter* begin_flow(const std::string& source, const std::string& name, Transport transport,
                                        bool reverse = false);
    void add(FlowMeter& flow, std::int64_t time_ns, std::uint32_t size, bool behind_last = true);

    /// Called before each flow is fitted, with its place and the number of flows.
    using OnFit = std::function<void(std::size_t place, std::size_t all)>;

    /// Fits what was asked for: adds flows and counts to `results`.
    void fit(FitResults& results, const OnFit& on_fit) const;

private:
    [[nodiscard]] bool is_wanted(std::uint32_t number) const {
        return options_.flows.empty() or options_.flows.contains(number);
    }
    void save_memory();

    const FitOptions& options_;
    std::vector<std::unique_ptr<FlowMeter>> flows_;
    std::size_t most_values_ = kMostOfProcess;
    std::uint64_t packets_ = 0;
};

}  // namespace groma
