#include "common/shipping/spool/spool.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/shipping/spool/spool_folders.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSegmentBytes = 8U << 20U;
constexpr std::uint64_t kSmallestSegment = 4096;

std::uint64_t bytes_of_pieces(const fs::path& spool) {
    std::uint64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(spool)) {
        bytes += first_of_segment(entry.path()) ? entry.file_size() : 0;
    }
    return bytes;
}

/// Whose it is cannot be read: nobody's.
std::string asker_of(const fs::path& spool) noexcept {
    try {
        return read_spool_description(spool).asker;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

SpooledBytes bytes_on_disk(const std::vector<fs::path>& spools) {
    SpooledBytes bytes;
    for (const fs::path& spool : spools) {
        try {
            bytes[asker_of(spool)] += bytes_of_pieces(spool);
        } catch (const fs::filesystem_error&) {
            continue;  // delivered meanwhile
        }
    }
    return bytes;
}

Spool::Spool(fs::path folder, FileDescriptor lock, SpoolDescription description, SpoolBudget* budget)
    : folder_(std::move(folder)),
      lock_(std::move(lock)),
      description_(std::move(description)),
      budget_(budget),
      segment_bytes_(budget == nullptr ? kSegmentBytes
                                       : std::clamp(budget->limit() / 8, kSmallestSegment, kSegmentBytes)) {}

std::unique_ptr<Spool> Spool::create(const fs::path& parent, const SpoolDescription& description, SpoolBudget& budget) {
    make_spool_folder(parent);
    // Named only once it is locked and described, so that no other program takes it for an abandoned spool.
    const fs::path folder = parent / to_hex(description.token);
    const fs::path unnamed = parent / ('.' + to_hex(description.token));
    make_spool_folder(unnamed);
    FileDescriptor lock = lock_spool_folder(unnamed);
    write_spool_description(unnamed, description);
    checked("name the spool " + folder.string(), ::rename(unnamed.c_str(), folder.c_str()));
    return std::unique_ptr<Spool>(new Spool(folder, std::move(lock), description, &budget));
}

std::unique_ptr<Spool> Spool::open(const fs::path& folder) {
    FileDescriptor lock = lock_spool_folder(folder);
    if (not lock.valid()) {
        return nullptr;
    }
    std::unique_ptr<Spool> spool(new Spool(folder, std::move(lock), read_spool_description(folder), nullptr));
    spool->scan();
    return spool;
}

Spool::~Spool() {
    if (budget_ == nullptr) {
        return;
    }
    if (discarded_) {
        budget_->give_back(bytes_);
    } else {
        budget_->leave(bytes_);
    }
}

void Spool::discard() noexcept {
    discarded_ = true;
    // Renames it at once, so that no other program takes the rest of a delivered spool for a waiting one.
    const fs::path delivered = name_of_delivered(folder_);
    std::error_code left_for_the_next_who_delivers;
    fs::rename(folder_, delivered, left_for_the_next_who_delivers);
    fs::remove_all(delivered, left_for_the_next_who_delivers);
}

bool Spool::append(std::uint64_t number, std::span<const std::byte> piece) {
    if (not write(SpoolRecordKind::piece, number, piece)) {
        return false;
    }
    if (first_ == end_) {
        first_ = number;
    }
    end_ = number + 1;
    return true;
}

bool Spool::seal(const CloseLog& totals) {
    if (totals.pieces != end_ or not write(SpoolRecordKind::totals, totals.pieces, spool_totals(totals))) {
        return false;
    }
    totals_ = totals;
    return true;
}

bool Spool::write(SpoolRecordKind kind, std::uint64_t number, std::span<const std::byte> bytes) {
    const std::uint64_t size = kSpoolHeaderBytes + bytes.size();
    if (not budget_->take(size)) {
        return refuse(budget_->shortage(size));
    }
    std::uint64_t offset = 0;
    {
        const std::scoped_lock lock(mutex_);
        const bool full = segments_.empty() or segments_.back().bytes >= segment_bytes_ or
                          (kind == SpoolRecordKind::piece and segments_.back().end != number);
        offset = full ? 0 : segments_.back().bytes;
    }
    if (offset == 0 and not begin_segment(number)) {
        budget_->give_back(size);
        return false;
    }
    auto head = spool_header(kind, number, bytes);
    const std::array<iovec, 2> parts{iovec{.iov_base = head.data(), .iov_len = head.size()},
                                     iovec{.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()}};
    const ssize_t written = ::pwritev(writing_.get(), parts.data(), parts.size(), static_cast<off_t>(offset));
    if (written != static_cast<ssize_t>(size)) {
        const int error = written < 0 ? errno : ENOSPC;
        budget_->give_back(size);
        if (::ftruncate(writing_.get(), static_cast<off_t>(offset)) != 0) {
            return refuse(std::string("cannot cut the spool back: ") + std::strerror(errno));
        }
        return refuse("cannot write the spool " + folder_.string() + ": " + std::strerror(error));
    }
    const std::scoped_lock lock(mutex_);
    segments_.back().bytes += size;
    segments_.back().end = number + (kind == SpoolRecordKind::piece ? 1 : 0);
    bytes_ += size;
    return true;
}

bool Spool::begin_segment(std::uint64_t first) {
    const fs::path file = segment_file(folder_, first);
    FileDescriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_TRUNC, 0600));
    if (not fd.valid()) {
        return refuse("cannot make " + file.string() + ": " + std::strerror(errno));
    }
    writing_ = std::move(fd);
    const std::scoped_lock lock(mutex_);
    if (segments_.empty() or segments_.back().first != first) {
        segments_.push_back({first, first, 0});
    }
    return true;
}

bool Spool::refuse(std::string why) {
    error_ = std::move(why);
    return false;
}

void Spool::read(std::uint64_t number, std::vector<std::byte>& piece) {
    const std::string what = "piece " + std::to_string(number) + " of the spool " + folder_.string();
    seek(number);
    const SpoolRead result = reader_.read(number, piece);
    if (result != SpoolRead::piece) {
        reader_ = {};
        throw RunError(what + (result == SpoolRead::damaged ? " is damaged" : " is not there"));
    }
}

void Spool::seek(std::uint64_t number) {
    std::optional<std::uint64_t> segment;
    {
        const std::scoped_lock lock(mutex_);
        const auto behind = std::ranges::upper_bound(segments_, number, {}, &SpoolSegment::first);
        if (behind != segments_.begin() and number < std::prev(behind)->end) {
            segment = std::prev(behind)->first;
        }
    }
    if (not segment) {
        reader_ = {};
    } else if (not reader_.is_before(*segment, number)) {
        reader_ = SegmentReader(segment_file(folder_, *segment), *segment);
    }
}

void Spool::forget(std::uint64_t pieces) {
    const std::scoped_lock lock(mutex_);
    // Keeps the last segment, which is still being written.
    while (segments_.size() > 1 and segments_.front().end <= pieces) {
        std::error_code left_until_the_end;
        fs::remove(segment_file(folder_, segments_.front().first), left_until_the_end);
        bytes_ -= segments_.front().bytes;
        if (budget_ != nullptr) {
            budget_->give_back(segments_.front().bytes);
        }
        segments_.erase(segments_.begin());
        first_ = segments_.front().first;
    }
}

void Spool::scan() {
    std::vector<std::uint64_t> numbers;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        if (const auto number = first_of_segment(entry.path())) {
            numbers.push_back(*number);
        }
    }
    std::ranges::sort(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (not scan_segment(numbers[i], i + 1 == numbers.size())) {
            break;
        }
    }
    if (totals_ and totals_->pieces != end_) {
        totals_.reset();
    }
}

bool Spool::scan_segment(std::uint64_t first, bool last) {
    const fs::path path = segment_file(folder_, first);
    const FileDescriptor file(checked("read " + path.string(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
    if (first != end_) {
        first_ = first;  // a gap: the server had the missing pieces, or their segment would be here
        end_ = first;
    }
    const auto [segment, totals, damaged] = scan_spool_segment(file, first);
    totals_ = segment.bytes > 0 ? totals : totals_;
    end_ = segment.end;
    bytes_ += segment.bytes;
    segments_.push_back(segment);
    struct stat about {};
    checked("look at " + path.string(), ::fstat(file.get(), &about));
    const bool whole = static_cast<std::uint64_t>(about.st_size) == segment.bytes;
    if (damaged or (not whole and not last)) {
        damage_ = "a record of its spool is damaged (" + path.filename().string() + " at byte " +
                  std::to_string(segment.bytes) + ")";
        return false;
    }
    return true;
}

}  // namespace groma
