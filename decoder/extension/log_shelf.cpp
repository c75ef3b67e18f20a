#include "decoder/extension/log_shelf.hpp"

#include <sys/stat.h>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "decoder/analysis/clock_relation.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostKept = 8;

const RunMetadata& metadata_of(PacketFile& file) {
    if (not file.log().metadata()) {
        throw UsageError("the metadata of " + file.log().name() + " are damaged: delays cannot be corrected with it");
    }
    return *file.log().metadata();
}

}  // namespace

LogShelf::Identity LogShelf::identity_of(const std::string& path) {
    struct stat about {};
    checked("open " + path, ::stat(path.c_str(), &about));
    return {about.st_dev, about.st_ino, about.st_size,
            std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec};
}

std::shared_ptr<PacketFile> LogShelf::open(const std::string& path) {
    const Identity identity = identity_of(path);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (entry->path == path and entry->identity == identity) {
            entries_.splice(entries_.begin(), entries_, entry);
            return entry->file;
        }
    }
    auto file = std::make_shared<PacketFile>(path);
    entries_.remove_if([&](const Entry& entry) { return entry.path == path; });
    entries_.push_front({path, identity, file});
    if (entries_.size() > kMostKept) {
        entries_.pop_back();
    }
    return file;
}

ClockState relate(PacketFile& receiver, PacketFile& sender) {
    const RunMetadata& there = metadata_of(receiver);
    const RunMetadata& here = metadata_of(sender);
    const std::string both = receiver.log().name() + " and " + sender.log().name();
    if (there.role != LogRole::receiver or here.role != LogRole::sender) {
        throw UsageError(both + " are not a receiver's and its sender's log: groma_packets('recv.glog', 'send.glog')");
    }
    if (there.run_id != here.run_id) {
        throw UsageError(both + " are of different runs: " + there.run_id + " and " + here.run_id);
    }
    ClockState clock = relate_clocks(here, sender.log().probes(), there);
    if (not clock.absolute()) {
        throw UsageError("the clocks of " + both +
                         " cannot be related (no probe): give the receiver's log alone for delays "
                         "that hold the difference of the clocks");
    }
    return clock;
}

}  // namespace groma
