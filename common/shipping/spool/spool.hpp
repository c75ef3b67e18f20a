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
#include "common/shipping/spool/spool_description.hpp"
#include "common/shipping/spool/spool_record.hpp"

namespace groma {

/// Bytes that spools may take together: those of one shipper, or all that are in one folder. Thread: any.
class SpoolBudget {
public:
    explicit SpoolBudget(std::uint64_t limit) : limit_(limit) {}

    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
    void give_back(std::uint64_t bytes) noexcept { used_ -= bytes; }
    /// So many bytes stay on the disk, in a spool that this program leaves.
    void leave(std::uint64_t bytes) noexcept;
    /// The spools of the folder have so many bytes on the disk. What is not of spools in use was left there.
    void measured(std::uint64_t on_disk) noexcept;
    /// By spools in use.
    [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> left_{0};  ///< in spools that were left, as far as is known
};

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
    struct Segment {
        std::uint64_t first = 0;
        std::uint64_t end = 0;  ///< behind its last piece
        std::uint64_t bytes = 0;
    };
    /// Where the reader is: pieces are read in order, mostly.
    struct Place {
        FileDescriptor file;
        std::uint64_t segment = 0;  ///< its first piece
        std::uint64_t next = 0;     ///< the piece at `offset`
        std::uint64_t offset = 0;
    };

    Spool(std::filesystem::path folder, FileDescriptor lock, SpoolDescription description, SpoolBudget* budget);

    [[nodiscard]] bool write(SpoolRecordKind kind, std::uint64_t number, std::span<const std::byte> bytes);
    [[nodiscard]] bool begin_segment(std::uint64_t first);
    [[nodiscard]] bool refuse(std::string why);
    [[nodiscard]] std::filesystem::path file_of(std::uint64_t segment) const;
    void scan();
    /// Returns: what is whole of the segment, and whether something damaged comes behind it.
    [[nodiscard]] std::pair<Segment, bool> read_segment(const FileDescriptor& file, std::uint64_t first);
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

    std::mutex mutex_;               ///< guards segments_
    std::vector<Segment> segments_;  ///< in order
    Place place_;

    std::atomic<std::uint64_t> first_{0};
    std::atomic<std::uint64_t> end_{0};
    std::atomic<std::uint64_t> bytes_{0};
    std::optional<CloseLog> totals_;
    std::string damage_;
};

/// Whether no program has it.
[[nodiscard]] bool is_unattended(const std::filesystem::path& spool);

/// Whether a log of this name, while it is written or later, would stand where the folder of spools is, belongs, or has
/// a folder above it: then no spool could be made any more. An empty `parent` is no folder.
[[nodiscard]] bool is_in_the_way_of_spools(const std::filesystem::path& log, const std::filesystem::path& parent);

/// Deletes what programs that were ended left of spools that they had delivered, and nothing else in the folder.
void remove_delivered(const std::filesystem::path& parent) noexcept;

/// The bytes of pieces in them. A folder that cannot be read has none.
[[nodiscard]] std::uint64_t bytes_on_disk(const std::vector<std::filesystem::path>& spools) noexcept;

/// The folders below `parent` that look like spools. Throws: SystemError when `parent` is there and cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> spools_in(const std::filesystem::path& parent);

}  // namespace groma
