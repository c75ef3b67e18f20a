#include "tests/world/log_contents.hpp"

#include <set>
#include <utility>

#include "common/log/log_reader.hpp"

namespace groma::world {

namespace {

class Counter final : public LogVisitor {
public:
    void on_sent(FlowId flow, std::span<const SentRecord> records) override { count(flow, records); }
    void on_received(FlowId flow, std::span<const ReceivedRecord> records) override { count(flow, records); }
    void on_gap(const LogGap& gap) override { contents.gaps.push_back(gap.reason); }

    LogContents contents;

private:
    template <class Records>
    void count(FlowId flow, const Records& records) {
        FlowRecords& counted = contents.flows[flow];
        counted.records += records.size();
        for (const auto& record : records) {
            counted.packets += seen_.emplace(flow, record.seq).second ? 1 : 0;
        }
    }

    std::set<std::pair<FlowId, std::uint64_t>> seen_;
};

}  // namespace

LogContents contents_of(const std::filesystem::path& file) {
    Counter counter;
    read_log(file, counter);
    return std::move(counter.contents);
}

/// "log server 10.0.0.3:9001 (tcp) as first-1a2b3c4d/sender"
std::optional<CatalogueEntry> entry_of(const LogShipment& shipment, const LogCatalogue& catalogue) {
    constexpr std::string_view kAs = " as ";
    const std::size_t as = shipment.to.find(kAs);
    if (as == std::string::npos) {
        return std::nullopt;
    }
    const std::string name = shipment.to.substr(as + kAs.size());
    const std::size_t slash = name.find('/');
    return catalogue.find(name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace groma::world
