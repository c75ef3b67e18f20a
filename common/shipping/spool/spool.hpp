// One log's spool: a folder with the pieces that its log server has not confirmed (docs/reference/spool.md). What was
// appended survives the death of the program, not that of the machine. While a program has a Spool, others are kept out
// (flock). Thread: append() and seal() one, everything else another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/os/file_descriptor.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/shipping/spool/spool_budget.hpp"
#include "common/shipping/spool/spool_description.hpp"
#include "common/shipping/spool/spool_record.hpp"
#include "common/shipping/spool/spool_segment.hpp"

namespace groma {

/// The bytes of pieces in the folders. One that cannot be read has none.
[[nodiscard]] SpooledBytes bytes_on_disk(const std::vector<std::filesystem::path>& spools);

class Spool {
public:
    /// Makes the folder `parent`/TOKEN, and `parent` if need be. The budget outlives the spool. Throws: SystemError.
    [[nodiscard]] static std::unique_ptr<Spool> create(const std::filesystem::path& parent,
                                                       const SpoolDescription& description, SpoolBudget& budget);

    /// Takes over what a program left. Returns: null when a program that lives has it.
    /// Throws: SystemError, RunError with what is wrong with it.
    [[nodiscard]] static std::unique_ptr<Spool> open(const std::filesystem::path& folder);

    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;
    ~Spool();

    /// Hands the piece to the kernel. Returns: false when there is no room or the disk refuses (error() says why); then
    /// nothing of it stays, and the caller may try again. Requires: pieces in their order, of which some may be left
    /// out if the server has them.
    [[nodiscard]] bool append(std::uint64_t number, std::span<const std::byte> piece);
    /// There will be no more pieces. Returns: as append().
    [[nodiscard]] bool seal(const CloseLog& totals);
    /// Why append() or seal() could not, the last time it could not. Thread: that of append().
    [[nodiscard]] const std::string& error() const { return error_; }

    /// The bytes of a piece that is here. Throws: RunError when it is not, or is damaged; SystemError.
    void read(std::uint64_t number, std::vector<std::byte>& piece);

    /// The server has the first `pieces` pieces: segments with nothing but those are deleted.
    void forget(std::uint64_t pieces);

    /// The log is where it belongs: deletes the folder. Nothing else may be done with the spool then.
    void discard() noexcept;

    /// The pieces that are here: from first() on, without gap, to the one before end().
    [[nodiscard]] std::uint64_t first() const { return first_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// If it was sealed and everything up to there is here.
    [[nodiscard]] const std::optional<CloseLog>& totals() const { return totals_; }
    /// What was wrong with a spool that was opened: where a damaged record ended it; empty: nothing.
    [[nodiscard]] const std::string& damage() const { return damage_; }

    [[nodiscard]] const SpoolDescription& description() const { return description_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    Spool(std::filesystem::path folder, FileDescriptor lock, SpoolDescription description, SpoolBudget* budget);

    [[nodiscard]] bool write(SpoolRecordKind kind, std::uint64_t number, std::span<const std::byte> bytes);
    [[nodiscard]] bool begin_segment(std::uint64_t first);
    [[nodiscard]] bool refuse(std::string why);
    void scan();
    [[nodiscard]] bool scan_segment(std::uint64_t first, bool last);
    void seek(std::uint64_t number);

    std::filesystem::path folder_;
    FileDescriptor lock_;
    SpoolDescription description_;
    SpoolBudget* budget_;  ///< null for one that is only read
    std::uint64_t segment_bytes_;
    FileDescriptor writing_;
    std::string error_;
    bool discarded_ = false;

    std::mutex mutex_;                    ///< guards segments_
    std::vector<SpoolSegment> segments_;  ///< in order
    SegmentReader reader_;                ///< pieces are read in order, mostly

    std::atomic<std::uint64_t> first_{0};
    std::atomic<std::uint64_t> end_{0};
    std::atomic<std::uint64_t> bytes_{0};
    std::optional<CloseLog> totals_;
    std::string damage_;
};

}  // namespace groma
