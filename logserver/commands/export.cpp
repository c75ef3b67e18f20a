#include "logserver/commands/export.hpp"

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "logserver/commands/hashed_reader.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/commands/tar_writer.hpp"
#include "logserver/log_catalogue.hpp"

namespace groma {

namespace {

/// Where exported files go.
class ExportTarget {
public:
    ExportTarget() = default;
    ExportTarget(const ExportTarget&) = delete;
    ExportTarget& operator=(const ExportTarget&) = delete;
    virtual ~ExportTarget() = default;
    virtual void begin(const std::string& name, std::uint64_t bytes) = 0;
    virtual void append(std::span<const std::byte> bytes) = 0;
    virtual void finish() = 0;
};

class TarTarget final : public ExportTarget {
public:
    TarTarget(const std::filesystem::path& file, std::string folder, WallTime now)
        : tar_(file), folder_(std::move(folder)), seconds_(ns_since_epoch(now) / 1'000'000'000) {}
    void begin(const std::string& name, std::uint64_t bytes) override {
        tar_.begin(folder_ + '/' + name, bytes, seconds_);
    }
    void append(std::span<const std::byte> bytes) override { tar_.append(bytes); }
    void finish() override { tar_.finish(); }

private:
    TarWriter tar_;
    std::string folder_;
    std::int64_t seconds_;
};

class FolderTarget final : public ExportTarget {
public:
    explicit FolderTarget(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::error_code error;
        if (not std::filesystem::create_directories(folder_, error)) {
            throw RunError("cannot make the folder " + folder_.string() + ": " +
                           (error ? error.message() : "it is there already") + "; give another --output");
        }
    }
    void begin(const std::string& name, std::uint64_t /*bytes*/) override {
        require_written();
        file_ = std::ofstream(folder_ / name, std::ios::binary);
    }
    void append(std::span<const std::byte> bytes) override {
        file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    void finish() override { require_written(); }

private:
    void require_written() {
        if (file_.is_open() and not file_.flush()) {
            throw RunError("cannot write to " + folder_.string() + ": is the disk full?");
        }
    }
    std::filesystem::path folder_;
    std::ofstream file_;
};

std::unique_ptr<ExportTarget> open_target(const StoredLogsRequest& request, WallTime now) {
    if (request.output.extension() == ".tar") {
        return std::make_unique<TarTarget>(request.output, request.experiments.front(), now);
    }
    return std::make_unique<FolderTarget>(request.output);
}

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
    manifest["experiment"] = request.experiments.front();
    manifest["logs"] = nlohmann::ordered_json::array();
    for (const CatalogueEntry& entry : logs) {
        const auto file = current_file(request.directory, entry);
        copy_log(file, entry, target);
        manifest["logs"].push_back(manifest_entry(file, entry));
    }
    const std::string text = manifest.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    target.begin("manifest.json", text.size());
    target.append(std::as_bytes(std::span(text)));
    target.finish();
}

}  // namespace

std::size_t export_experiment(const StoredLogsRequest& request, WallTime now) {
    const LogCatalogue catalogue(request.directory, LogCatalogue::Access::read);
    const auto logs = logs_of(catalogue, request.experiments.front());
    const auto target = open_target(request, now);
    try {
        copy_all(request, logs, *target);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove_all(request.output, ignored);
        throw;
    }
    return logs.size();
}

}  // namespace groma
