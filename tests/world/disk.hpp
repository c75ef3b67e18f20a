// A host's disk: a real folder, and what a loss of power leaves of it. Bytes are safe after fsync() of their file,
// names after fsync() of their folder. A seed decides whether unsafe data stays, is lost, or stays in part. Names keep
// the order of their changes, as on journalling file systems: a folder's fsync() also makes every earlier change safe.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/world/kernel.hpp"

namespace groma::world {

class Disk {
public:
    explicit Disk(std::filesystem::path root) : root_(std::move(root)) {}

    [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }
    [[nodiscard]] bool holds(const std::filesystem::path& path) const;

    bool is_full = false;               ///< ENOSPC
    bool has_no_inodes = false;         ///< ENOSPC for new files
    bool is_broken = false;             ///< EIO at fsync()
    std::size_t most_taken = SIZE_MAX;  ///< by one call: the rest is a short write
    std::uint64_t room = std::uint64_t{1} << 32U;

    // Called after each change by a program. Inode numbers identify files.
    void made(const std::filesystem::path& path);
    void took_away(const std::filesystem::path& path);
    void renamed(const std::filesystem::path& from, const std::filesystem::path& to);
    void wrote(ino_t file, std::uint64_t at, std::span<const std::byte> bytes);
    void cut(ino_t file, std::uint64_t size);
    void synced_file(ino_t file);
    void synced_folder(const std::filesystem::path& folder);

    [[nodiscard]] std::size_t taken(std::size_t bytes) const noexcept {
        return bytes < most_taken ? bytes : most_taken;
    }

    /// Puts the remaining data into the folder. Requires: the host's programs have ended.
    void lose_power(std::mt19937_64& random);

private:
    struct Change {
        std::uint64_t at = 0;
        std::string bytes;
        bool is_cut = false;  ///< the file ends at `at`
    };
    struct Content {
        std::string safe;
        std::vector<Change> unsafe;
        mode_t mode = 0600;
    };
    /// Unlike inode numbers, these are never reused.
    using FileId = std::uint64_t;
    /// Names by their paths below the root; 0 for a folder.
    using Names = std::map<std::string, FileId>;
    struct NameChange {
        std::string taken;  ///< empty: none
        std::string set;    ///< empty: none
        FileId file = 0;
    };

    [[nodiscard]] std::string below_root(const std::filesystem::path& path) const;
    static void apply(Names& names, const NameChange& change);
    void changed(NameChange change);
    [[nodiscard]] FileId id_at(const std::filesystem::path& path) const;
    [[nodiscard]] static std::string after(const Content& content, std::mt19937_64& random);

    std::filesystem::path root_;
    Names safe_names_;
    std::vector<NameChange> journal_;  ///< unsafe changes, in order
    std::map<ino_t, FileId> ids_;
    std::map<FileId, Content> contents_;
    FileId next_ = 1;
};

/// An open file or folder of a host's disk.
class OpenFile final : public Description {
public:
    /// Takes `fd`, a descriptor of this program, and closes it at the end.
    OpenFile(Host& host, std::filesystem::path path, int fd, bool appends);
    ~OpenFile() override;
    [[nodiscard]] short events() const override { return POLLIN | POLLOUT; }
    ssize_t read(std::span<const iovec> pieces) override;
    ssize_t write(std::span<const iovec> pieces) override;
    void closed() override;

    ssize_t read_at(std::span<const iovec> pieces, off_t at);
    ssize_t write_at(std::span<const iovec> pieces, off_t at);
    int cut(off_t size);
    /// Allocates room for this number of bytes.
    int grow(off_t size);
    int sync();
    /// As flock(2), without waiting.
    int lock(int operation);
    [[nodiscard]] int fd() const noexcept { return fd_; }

private:
    Host& host_;
    std::filesystem::path path_;
    int fd_;
    bool appends_;
    bool is_folder_;
    ino_t inode_;
};

}  // namespace groma::world
