#include "logserver/commands/export.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_text.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "logserver/commands/hashed_reader.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma {

namespace {

constexpr mode_t kTarMode = 0644;
constexpr mode_t kFolderMode = 0666;  // minus the umask
constexpr std::string_view kAnotherOutput = "give another --output";

/// The target of an export: a tar file if the name ends in ".tar", else a folder. It must not exist.
class ExportTarget {
public:
    ExportTarget(const std::filesystem::path& output, const std::string& experiment, WallTime now)
        : output_(output),
          is_tar_(output_.extension() == ".tar"),
          folder_(is_tar_ ? std::filesystem::path(experiment) : output_),
          seconds_(ns_since_epoch(now) / 1'000'000'000),
          archive_(is_tar_ ? archive_write_new() : archive_write_disk_new(), &archive_write_free),
          entry_(archive_entry_new(), &archive_entry_free) {
        if (archive_ == nullptr or entry_ == nullptr) {
            throw std::bad_alloc();
        }
        is_tar_ ? make_tar() : make_folder();
    }
    void begin(const std::string& name, std::uint64_t bytes) {
        archive_entry_clear(entry_.get());
        archive_entry_set_pathname(entry_.get(), (folder_ / name).c_str());
        archive_entry_set_size(entry_.get(), static_cast<la_int64_t>(bytes));
        archive_entry_set_filetype(entry_.get(), AE_IFREG);
        archive_entry_set_perm(entry_.get(), is_tar_ ? kTarMode : kFolderMode);
        archive_entry_set_mtime(entry_.get(), seconds_, 0);
        written(archive_write_header(archive_.get(), entry_.get()));
    }
    void append(std::span<const std::byte> bytes) {
        written(archive_write_data(archive_.get(), bytes.data(), bytes.size()));
    }
    void finish() {
        written(archive_write_close(archive_.get()));
        if (is_tar_) {
            checked("sync " + output_.string(), ::fsync(tar_.get()));
        }
    }

private:
    void make_folder() {
        std::error_code error;
        if (not std::filesystem::create_directories(output_, error)) {
            throw RunError("cannot make the folder " + output_.string() + ": " +
                           (error ? error.message() : "it is there already") + "; " + std::string(kAnotherOutput));
        }
    }
    /// The GNU tar format allows names of any bytes and length. (POSIX requires UTF-8, which libarchive converts from
    /// the locale.)
    void make_tar() {
        tar_ = FileDescriptor(checked("make " + output_.string(),
                                      ::open(output_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kTarMode),
                                      "give --output a new file in a folder that is there"));
        written(archive_write_set_format_gnutar(archive_.get()));
        written(archive_write_set_bytes_per_block(archive_.get(), 0));  // unbuffered
        written(archive_write_open_fd(archive_.get(), tar_.get()));
    }
    void written(la_ssize_t result) {
        if (result < ARCHIVE_OK) {
            throw SystemError("write to " + output_.string(), archive_errno(archive_.get()), kAnotherOutput);
        }
    }

    std::filesystem::path output_;
    bool is_tar_;
    std::filesystem::path folder_;  ///< the folder inside the tar file, or the output
    std::int64_t seconds_;
    FileDescriptor tar_;
    std::unique_ptr<archive, decltype(&archive_write_free)> archive_;
    std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry_;
};

void copy_log(const std::filesystem::path& file, const CatalogueEntry& entry, ExportTarget& target) {
    target.begin(file.filename(), entry.bytes);
    const HashedBytes copied = read_hashed(file, entry.bytes, [&](auto bytes) { target.append(bytes); });
    if (copied.bytes != entry.bytes or copied.hash != entry.hash) {
        throw RunError(full_name(entry) +
                       " is not what the catalogue says (see groma-log verify); nothing was exported");
    }
}

nlohmann::ordered_json manifest_entry(const std::filesystem::path& file, const CatalogueEntry& entry) {
    nlohmann::ordered_json log;
    log["name"] = entry.name;
    log["file"] = file.filename().string();
    log["node"] = entry.node;
    log["state"] = entry.state == LogState::complete ? "complete" : "incomplete";
    log["reason"] = nullptr;
    if (entry.state != LogState::complete) {
        log["reason"] = state_text(entry);
    }
    log["pieces"] = entry.pieces;
    log["bytes"] = entry.bytes;
    log["xxh3_64"] = hash_text(entry.hash);
    log["opened_at"] = entry.opened_at;
    log["closed_at"] = entry.closed_at.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(entry.closed_at);
    return log;
}

void copy_all(const StoredLogsRequest& request, const std::vector<CatalogueEntry>& logs, ExportTarget& target) {
    nlohmann::ordered_json manifest;
    manifest["experiment"] = logs.front().experiment;
    manifest["logs"] = nlohmann::ordered_json::array();
    for (const CatalogueEntry& entry : logs) {
        const auto file = current_file(request.directory, entry);
        copy_log(file, entry, target);
        manifest["logs"].push_back(manifest_entry(file, entry));
    }
    const std::string text = json_text(manifest, 2) + '\n';
    target.begin("manifest.json", text.size());
    target.append(std::as_bytes(std::span(text)));
    target.finish();
}

}  // namespace

std::size_t export_experiment(const StoredLogsRequest& request, WallTime now) {
    const LogCatalogue catalogue(request.directory, LogCatalogue::Access::read);
    const auto logs = logs_of(catalogue, request.experiments.front());
    ExportTarget target(request.output, logs.front().experiment, now);
    try {
        copy_all(request, logs, target);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove_all(request.output, ignored);
        throw;
    }
    return logs.size();
}

}  // namespace groma
