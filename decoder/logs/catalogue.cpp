#include "decoder/logs/catalogue.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// Metadata are at the start of a log: this stops reading after them.
class MetadataVisitor final : public LogVisitor {
public:
    struct Seen {};

    void on_metadata(const RunMetadata& metadata) override {
        metadata_ = metadata;
        throw Seen{};
    }

    std::optional<RunMetadata> metadata_;
};

std::optional<RunMetadata> metadata_of(const LogSource& source) {
    MetadataVisitor visitor;
    try {
        source.read(visitor);
    } catch (const MetadataVisitor::Seen&) {
        // thrown after the metadata
    }
    return visitor.metadata_;
}

RunLogs& run_of(Catalogue& result, const std::string& run_id) {
    const auto found =
        std::find_if(result.runs.begin(), result.runs.end(), [&](const RunLogs& run) { return run.run_id == run_id; });
    if (found != result.runs.end()) {
        return *found;
    }
    return result.runs.emplace_back(RunLogs{run_id, {}, {}});
}

/// A flow has one sender and may have several receivers (multicast); each has one log.
void refuse_a_side_twice(const std::vector<CataloguedLog>& logs) {
    std::map<std::tuple<FlowId, std::string, std::string>, const LogSource*> owners;
    for (const auto& log : logs) {
        for (const auto& flow : log.metadata.flows) {
            const bool sender = log.metadata.role == LogRole::sender;
            const auto [owner, fresh] =
                owners.emplace(std::tuple(flow.spec.id, sender ? std::string() : log.metadata.host,
                                          sender ? std::string() : flow.local_address),
                               log.source);
            if (not fresh) {
                throw UsageError(owner->second->name + " and " + log.source->name + " are both the " +
                                 std::string(to_string(log.metadata.role)) + "'s log of flow " +
                                 std::to_string(flow.spec.id.value) + " of one run" +
                                 (sender ? std::string() : " on " + log.metadata.host) + ": give one of them");
            }
        }
    }
}

}  // namespace

Catalogue catalogue(const std::vector<LogSource>& sources) {
    Catalogue result;
    for (const auto& source : sources) {
        auto metadata = metadata_of(source);
        if (not metadata) {
            result.unusable.push_back(source.name +
                                      ": its metadata cannot be read, so it is unknown which flows it is of: left out");
            continue;
        }
        RunLogs& run = run_of(result, metadata->run_id);
        auto& logs = metadata->role == LogRole::sender ? run.senders : run.receivers;
        logs.push_back({&source, std::move(*metadata)});
    }
    for (const auto& run : result.runs) {
        refuse_a_side_twice(run.senders);
        refuse_a_side_twice(run.receivers);
    }
    return result;
}

}  // namespace groma
