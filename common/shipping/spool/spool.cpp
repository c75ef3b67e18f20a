#include "common/shipping/spool/spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/log_part.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSegmentBytes = 8U << 20U;
constexpr std::uint64_t kSmallestSegment = 4096;
constexpr std::uint64_t kLastPiece = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kDescriptionFile = "log.json";
constexpr std::string_view kSegmentSuffix = ".pieces";
constexpr std::string_view kDeliveredSuffix = ".delivered";
constexpr std::size_t kLongestDescription = 8192;
constexpr const char* kFolderAdvice = "name another folder for pieces of logs with --spool-dir DIR";

std::string delivered_name(const std::string& token) {
    return '.' + token + std::string(kDeliveredSuffix);
}

void make_folder(const fs::path& folder) {
    if (folder.has_parent_path() and not fs::exists(folder.parent_path())) {
        make_folder(folder.parent_path());
    }
    if (::mkdir(folder.c_str(), 0700) < 0 and errno != EEXIST) {
        throw SystemError("make the spool's folder " + folder.string(), errno, kFolderAdvice);
    }
}

/// Returns: invalid if another process holds it.
FileDescriptor lock_folder(const fs::path& folder) {
    FileDescriptor fd(checked("open the spool " + folder.string(),
                              ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
        return fd;
    }
    if (errno != EWOULDBLOCK) {
        throw SystemError("lock the spool " + folder.string(), errno);
    }
    return {};
}

void write_description(const fs::path& file, const std::string& text) {
    const std::string attempt = "write " + file.string();
    const FileDescriptor fd(checked(attempt, ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)));
    if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw SystemError(attempt, errno == 0 ? ENOSPC : errno, kFolderAdvice);
    }
    checked(attempt, ::fsync(fd.get()));  // after a power failure, whatever was written can still be delivered
}

std::string read_description(const fs::path& file) {
    const FileDescriptor fd(checked("read " + file.string(), ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)));
    std::string text(kLongestDescription, '\0');
    text.resize(static_cast<std::size_t>(checked("read " + file.string(), ::read(fd.get(), text.data(), text.size()))));
    return text;
}

/// Returns: the number of bytes read, at most `bytes.size()`. Throws: SystemError.
std::size_t read_at(const FileDescriptor& file, std::uint64_t offset, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = checked("read a spool", ::pread(file.get(), bytes.data() + done, bytes.size() - done,
                                                            static_cast<off_t>(offset + done)));
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

enum class RecordState : std::uint8_t { whole, torn, damaged };

/// Reads the record at `offset`. Returns: whether it is complete and intact.
RecordState read_record(const FileDescriptor& file, std::uint64_t offset, SpoolRecordHeader& header,
                        std::vector<std::byte>& bytes) {
    std::array<std::byte, kSpoolHeaderBytes> head{};
    if (read_at(file, offset, head) < head.size()) {
        return RecordState::torn;
    }
    const auto parsed = parse_spool_header(head);
    if (not parsed) {
        return RecordState::damaged;
    }
    header = *parsed;
    bytes.resize(header.length);
    if (read_at(file, offset + head.size(), bytes) < bytes.size()) {
        return RecordState::torn;
    }
    return belongs_to(head, bytes) ? RecordState::whole : RecordState::damaged;
}

std::optional<std::uint64_t> segment_number(const fs::path& file) {
    const std::string stem = file.stem().string();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    const bool good = error == std::errc{} and end == stem.data() + stem.size();
    return good and file.extension() == kSegmentSuffix ? std::optional(number) : std::nullopt;
}

}  // namespace

bool SpoolBudget::take(std::uint64_t bytes) noexcept {
    if (used_.fetch_add(bytes) + bytes + left_ <= limit_) {
        return true;
    }
    used_ -= bytes;
    return false;
}

void SpoolBudget::leave(std::uint64_t bytes) noexcept {
    left_ += bytes;
    used_ -= bytes;
}

void SpoolBudget::measured(std::uint64_t on_disk) noexcept {
    const std::uint64_t used = used_;
    left_ = on_disk > used ? on_disk - used : 0;
}

Spool::Spool(fs::path folder, FileDescriptor lock, SpoolDescription description, SpoolBudget* budget)
    : folder_(std::move(folder)),
      lock_(std::move(lock)),
      description_(std::move(description)),
      budget_(budget),
      segment_bytes_(budget == nullptr ? kSegmentBytes
                                       : std::clamp(budget->limit() / 8, kSmallestSegment, kSegmentBytes)) {}

std::unique_ptr<Spool> Spool::create(const fs::path& parent, const SpoolDescription& description, SpoolBudget& budget) {
    make_folder(parent);
    // Named only once it is locked and described, so that no other program takes it for an abandoned spool.
    const fs::path folder = parent / to_hex(description.token);
    const fs::path unnamed = parent / ('.' + to_hex(description.token));
    make_folder(unnamed);
    FileDescriptor lock = lock_folder(unnamed);
    write_description(unnamed / kDescriptionFile, to_json(description));
    checked("name the spool " + folder.string(), ::rename(unnamed.c_str(), folder.c_str()));
    return std::unique_ptr<Spool>(new Spool(folder, std::move(lock), description, &budget));
}

std::unique_ptr<Spool> Spool::open(const fs::path& folder) {
    FileDescriptor lock = lock_folder(folder);
    if (not lock.valid()) {
        return nullptr;
    }
    SpoolDescription description;
    try {
        description = parse_spool_description(read_description(folder / kDescriptionFile));
    } catch (const RunError& error) {
        throw RunError("cannot understand " + (folder / kDescriptionFile).string() + ": " + error.what());
    }
    std::unique_ptr<Spool> spool(new Spool(folder, std::move(lock), std::move(description), nullptr));
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
    const fs::path delivered = folder_.parent_path() / delivered_name(folder_.filename().string());
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
        return refuse(fmt::format("the spool has reached its limit of {} bytes (--spool-limit)", budget_->limit()));
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
    const fs::path file = file_of(first);
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

fs::path Spool::file_of(std::uint64_t segment) const {
    return folder_ / fmt::format("{:020}{}", segment, kSegmentSuffix);
}

void Spool::read(std::uint64_t number, std::vector<std::byte>& piece) {
    const std::string what = "piece " + std::to_string(number) + " of the spool " + folder_.string();
    seek(number);
    SpoolRecordHeader header;
    while (true) {
        const RecordState state =
            place_.file.valid() ? read_record(place_.file, place_.offset, header, piece) : RecordState::torn;
        if (state != RecordState::whole or header.kind != SpoolRecordKind::piece or header.number != place_.next) {
            place_ = {};
            throw RunError(what + (state == RecordState::damaged ? " is damaged" : " is not there"));
        }
        place_.offset += kSpoolHeaderBytes + header.length;
        ++place_.next;
        if (header.number == number) {
            return;
        }
    }
}

void Spool::seek(std::uint64_t number) {
    std::optional<std::uint64_t> segment;
    {
        const std::scoped_lock lock(mutex_);
        const auto behind = std::ranges::upper_bound(segments_, number, {}, &Segment::first);
        if (behind != segments_.begin() and number < std::prev(behind)->end) {
            segment = std::prev(behind)->first;
        }
    }
    if (not segment) {
        place_ = {};
        return;
    }
    if (not place_.file.valid() or place_.segment != *segment or place_.next > number) {
        place_ = {FileDescriptor(::open(file_of(*segment).c_str(), O_RDONLY | O_CLOEXEC)), *segment, *segment, 0};
    }
}

void Spool::forget(std::uint64_t pieces) {
    const std::scoped_lock lock(mutex_);
    // Keeps the last segment, which is still being written.
    while (segments_.size() > 1 and segments_.front().end <= pieces) {
        std::error_code left_until_the_end;
        fs::remove(file_of(segments_.front().first), left_until_the_end);
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
        if (const auto number = segment_number(entry.path())) {
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

std::pair<Spool::Segment, bool> Spool::read_segment(const FileDescriptor& file, std::uint64_t first) {
    Segment segment{first, first, 0};
    SpoolRecordHeader header;
    std::vector<std::byte> bytes;
    RecordState state = RecordState::whole;
    bool sealed = false;  // no record follows the totals
    while ((state = read_record(file, segment.bytes, header, bytes)) == RecordState::whole) {
        const bool piece = header.kind == SpoolRecordKind::piece;
        const auto totals = piece ? std::nullopt : parse_spool_totals(bytes);
        const bool next = piece ? header.number == segment.end and segment.end < kLastPiece : totals.has_value();
        if (sealed or not next) {
            state = RecordState::damaged;
            break;
        }
        segment.end += piece ? 1 : 0;
        totals_ = totals;
        sealed = not piece;
        segment.bytes += kSpoolHeaderBytes + header.length;
    }
    return {segment, state == RecordState::damaged};
}

bool Spool::scan_segment(std::uint64_t first, bool last) {
    const fs::path path = file_of(first);
    const FileDescriptor file(checked("read " + path.string(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
    if (first != end_) {
        first_ = first;  // a gap: the server had the missing pieces, or their segment would be here
        end_ = first;
    }
    const auto [segment, damaged] = read_segment(file, first);
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

std::uint64_t bytes_on_disk(const std::vector<fs::path>& spools) noexcept {
    std::uint64_t bytes = 0;
    for (const fs::path& spool : spools) {
        try {
            for (const fs::directory_entry& entry : fs::directory_iterator(spool)) {
                bytes += segment_number(entry.path()) ? entry.file_size() : 0;
            }
        } catch (const std::exception&) {
            continue;  // delivered meanwhile
        }
    }
    return bytes;
}

bool is_unattended(const fs::path& spool) {
    try {
        return lock_folder(spool).valid();
    } catch (const SystemError&) {
        return false;  // gone, or not one of Groma's
    }
}

bool is_in_the_way_of_spools(const fs::path& log, const fs::path& parent) {
    const auto resolved = [](const fs::path& path) {
        std::error_code cannot;
        fs::path real = fs::weakly_canonical(path, cannot);
        return cannot ? path.lexically_normal() : real;
    };
    if (parent.empty()) {
        return false;
    }
    const fs::path spools = resolved(fs::absolute(parent));
    return std::ranges::any_of(std::array{log.string(), part_of_log(log.string())}, [&](const std::string& name) {
        const fs::path file = resolved(fs::absolute(name));
        return std::ranges::mismatch(file, spools).in1 == file.end();
    });
}

void remove_delivered(const fs::path& parent) noexcept {
    std::error_code error;
    std::vector<fs::path> delivered;
    for (fs::directory_iterator entry(parent, error), end; not error and entry != end; entry.increment(error)) {
        const std::string token = entry->path().stem().string().substr(1);
        if (is_token(token) and entry->path().filename() == delivered_name(token)) {
            delivered.push_back(entry->path());
        }
    }
    for (const fs::path& folder : delivered) {
        fs::remove_all(folder, error);
    }
}

std::vector<fs::path> spools_in(const fs::path& parent) {
    std::vector<fs::path> found;
    std::error_code error;
    if (not fs::exists(parent, error)) {
        return found;
    }
    for (fs::directory_iterator entry(parent, error), end; not error and entry != end; entry.increment(error)) {
        if (is_token(entry->path().filename().string()) and entry->is_directory()) {
            found.push_back(entry->path());
        }
    }
    if (error) {
        throw SystemError("look for spools in " + parent.string(), error.value(), kFolderAdvice);
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace groma
