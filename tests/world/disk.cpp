#include "tests/world/disk.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/world/real_calls.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

namespace fs = std::filesystem;

namespace {

void apply(std::string& bytes, std::uint64_t at, const std::string& written, bool is_cut) {
    bytes.resize(is_cut ? at : std::max<std::uint64_t>(bytes.size(), at + written.size()));
    if (not is_cut) {
        bytes.replace(at, written.size(), written);
    }
}

}  // namespace

bool Disk::holds(const fs::path& path) const {
    return std::ranges::mismatch(root_, path).in1 == root_.end();
}

std::string Disk::below_root(const fs::path& path) const {
    return path.lexically_normal().lexically_relative(root_).string();
}

void Disk::apply(Names& names, const NameChange& change) {
    if (not change.taken.empty()) {
        const std::string below = change.taken + '/';
        Names moved;
        for (auto at = names.begin(); at != names.end();) {
            const bool is_below = at->first.starts_with(below);
            if (is_below and not change.set.empty()) {
                moved[change.set + '/' + at->first.substr(below.size())] = at->second;
            }
            at = is_below or at->first == change.taken ? names.erase(at) : std::next(at);
        }
        names.merge(moved);
    }
    if (not change.set.empty()) {
        names[change.set] = change.file;
    }
}

void Disk::changed(NameChange change) {
    journal_.push_back(std::move(change));
}

Disk::FileId Disk::id_at(const fs::path& path) const {
    struct stat about {};
    real::call<int (*)(const char*, struct stat*)>("stat")(path.c_str(), &about);
    return S_ISDIR(about.st_mode) ? 0 : ids_.at(about.st_ino);
}

void Disk::made(const fs::path& path) {
    struct stat about {};
    real::call<int (*)(const char*, struct stat*)>("stat")(path.c_str(), &about);
    if (not S_ISDIR(about.st_mode)) {
        ids_[about.st_ino] = next_;
        contents_[next_++] = Content{.safe = {}, .unsafe = {}, .mode = about.st_mode & 0777U};
    }
    changed({.taken = {}, .set = below_root(path), .file = id_at(path)});
}

void Disk::took_away(const fs::path& path) {
    changed({.taken = below_root(path), .set = {}, .file = 0});
}

void Disk::renamed(const fs::path& from, const fs::path& to) {
    changed({.taken = below_root(from), .set = below_root(to), .file = id_at(to)});
}

void Disk::wrote(ino_t file, std::uint64_t at, std::span<const std::byte> bytes) {
    contents_[ids_.at(file)].unsafe.push_back(
        {.at = at, .bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, .is_cut = false});
}

void Disk::cut(ino_t file, std::uint64_t size) {
    contents_[ids_.at(file)].unsafe.push_back({.at = size, .bytes = {}, .is_cut = true});
}

void Disk::synced_file(ino_t file) {
    Content& content = contents_[ids_.at(file)];
    for (const Change& change : content.unsafe) {
        world::apply(content.safe, change.at, change.bytes, change.is_cut);
    }
    content.unsafe.clear();
}

void Disk::synced_folder(const fs::path& folder) {
    const std::string below = below_root(folder);
    const auto is_in = [&](const std::string& name) {
        return not name.empty() and fs::path(name).parent_path() == (below == "." ? "" : below);
    };
    const auto last = std::find_if(journal_.rbegin(), journal_.rend(),
                                   [&](const NameChange& one) { return is_in(one.taken) or is_in(one.set); });
    for (auto at = journal_.begin(); at != last.base(); ++at) {
        apply(safe_names_, *at);
    }
    journal_.erase(journal_.begin(), last.base());
}

/// Each change since the last fsync() is complete, lost, or cut at a sector's end.
std::string Disk::after(const Content& content, std::mt19937_64& random) {
    constexpr std::uint64_t kSector = 512;
    std::string bytes = content.safe;
    const std::uint64_t mood = random() % 3;  // all gone, in order up to one, any of them
    const std::size_t kept = content.unsafe.empty() ? 0 : random() % (content.unsafe.size() + 1);
    for (std::size_t i = 0; i < content.unsafe.size(); ++i) {
        const Change& change = content.unsafe[i];
        if (mood == 0 or (mood == 1 and i > kept) or (mood == 2 and random() % 2 == 0)) {
            continue;
        }
        const bool is_torn = i == kept and not change.is_cut;
        const std::uint64_t size =
            is_torn
                ? std::min<std::uint64_t>(change.bytes.size(), random() % (change.bytes.size() / kSector + 1) * kSector)
                : change.bytes.size();
        if (size > 0 or change.is_cut) {
            world::apply(bytes, change.at, change.bytes.substr(0, size), change.is_cut);
        }
    }
    return bytes;
}

void Disk::lose_power(std::mt19937_64& random) {
    const std::size_t kept = journal_.empty() ? 0 : random() % (journal_.size() + 1);
    for (std::size_t i = 0; i < kept; ++i) {
        apply(safe_names_, journal_[i]);
    }
    journal_.clear();
    for (const auto& entry : fs::directory_iterator(root_)) {
        fs::remove_all(entry.path());
    }
    ids_.clear();
    std::map<FileId, Content> after_boot;
    for (auto& [name, file] : safe_names_) {
        const fs::path path = root_ / name;
        if (file == 0) {
            fs::create_directories(path);
            continue;
        }
        fs::create_directories(path.parent_path());
        const Content& content = contents_[file];
        const std::string bytes = after(content, random);
        std::ofstream(path, std::ios::binary) << bytes;
        fs::permissions(path, static_cast<fs::perms>(content.mode));
        struct stat about {};
        real::call<int (*)(const char*, struct stat*)>("stat")(path.c_str(), &about);
        ids_[about.st_ino] = next_;
        file = next_;
        after_boot[next_++] = Content{.safe = bytes, .unsafe = {}, .mode = content.mode};
    }
    contents_ = std::move(after_boot);
}

OpenFile::OpenFile(Host& host, fs::path path, int fd, bool appends)
    : host_(host), path_(std::move(path)), fd_(fd), appends_(appends) {
    struct stat about {};
    real::call<int (*)(int, struct stat*)>("fstat")(fd, &about);
    is_folder_ = S_ISDIR(about.st_mode);
    inode_ = about.st_ino;
}

OpenFile::~OpenFile() {
    real::call<int (*)(int)>("close")(fd_);
}

void OpenFile::closed() {
    lock(LOCK_UN);
}

ssize_t OpenFile::read(std::span<const iovec> pieces) {
    return real::call<ssize_t (*)(int, const iovec*, int)>("readv")(fd_, pieces.data(),
                                                                    static_cast<int>(pieces.size()));
}

ssize_t OpenFile::read_at(std::span<const iovec> pieces, off_t at) {
    return real::call<ssize_t (*)(int, const iovec*, int, off_t)>("preadv")(fd_, pieces.data(),
                                                                            static_cast<int>(pieces.size()), at);
}

ssize_t OpenFile::write(std::span<const iovec> pieces) {
    const auto seek = real::call<off_t (*)(int, off_t, int)>("lseek");
    const off_t at = seek(fd_, 0, appends_ ? SEEK_END : SEEK_CUR);
    const ssize_t done = write_at(pieces, at);
    if (done > 0) {
        seek(fd_, at + done, SEEK_SET);
    }
    return done;
}

ssize_t OpenFile::write_at(std::span<const iovec> pieces, off_t at) {
    if (host_.disk->is_full) {
        living()->faults.met("no room to write on " + host_.name);
        return failed(ENOSPC);
    }
    std::string bytes = gather(pieces);
    bytes.resize(host_.disk->taken(bytes.size()));
    const ssize_t done =
        real::call<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(fd_, bytes.data(), bytes.size(), at);
    if (done > 0) {
        host_.disk->wrote(inode_, static_cast<std::uint64_t>(at),
                          std::as_bytes(std::span(bytes).first(static_cast<std::size_t>(done))));
    }
    return done;
}

int OpenFile::cut(off_t size) {
    const int done = real::call<int (*)(int, off_t)>("ftruncate")(fd_, size);
    if (done == 0) {
        host_.disk->cut(inode_, static_cast<std::uint64_t>(size));
    }
    return done;
}

int OpenFile::grow(off_t size) {
    struct stat about {};
    real::call<int (*)(int, struct stat*)>("fstat")(fd_, &about);
    if (about.st_size >= size) {
        return 0;
    }
    return host_.disk->is_full ? failed(ENOSPC) : cut(size);
}

int OpenFile::sync() {
    if (host_.disk->is_broken) {
        living()->faults.met("nothing made safe on " + host_.name);
        return failed(EIO);
    }
    if (is_folder_) {
        host_.disk->synced_folder(path_);
    } else {
        host_.disk->synced_file(inode_);
    }
    return 0;
}

int OpenFile::lock(int operation) {
    auto& locks = host_.locks[inode_];
    std::erase_if(locks, [this](const auto& holder) { return holder.first == this; });
    const bool alone = (operation & LOCK_EX) != 0;
    if ((operation & LOCK_UN) == 0) {
        if (std::ranges::any_of(locks, [=](const auto& holder) { return alone or holder.second; })) {
            return failed(EWOULDBLOCK);
        }
        locks.emplace_back(this, alone);
    }
    if (locks.empty()) {
        host_.locks.erase(inode_);
    }
    return 0;
}

}  // namespace groma::world
