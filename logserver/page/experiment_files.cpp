#include "logserver/page/experiment_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <memory>
#include <optional>

#include "common/base/plain_text.hpp"
#include "logserver/store/log_file.hpp"

namespace groma {

namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

std::string type_of(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".svg"    ? "image/svg+xml"
           : extension == ".png"  ? "image/png"
           : extension == ".json" ? "application/json"
                                  : "application/octet-stream";
}

bool is_picture(const std::filesystem::path& file) {
    return file.extension() == ".svg" or file.extension() == ".png";
}

/// For a field of HTTP: a name of an experiment may have anything in it.
std::string as_file_name(const std::string& name) {
    std::string safe;
    for (const char c : name) {
        const bool kept = (c >= 'a' and c <= 'z') or (c >= 'A' and c <= 'Z') or (c >= '0' and c <= '9') or c == '.' or
                          c == '_' or c == '-';
        safe += kept ? c : '_';
    }
    return safe;
}

}  // namespace

BoardFile ExperimentFiles::add(RunNumber run, const std::filesystem::path& file, const std::string& name) {
    const std::lock_guard lock(mutex_);
    BoardFile made{.name = plain_text(name),
                   .path = std::string(kPath) + std::to_string(run) + '/' + std::to_string(++last_[run]),
                   .picture = is_picture(file)};
    files_[made.path] = {.path = file, .name = name};
    std::error_code unknown;
    if (const auto bytes = std::filesystem::file_size(file, unknown); not unknown) {
        made.bytes = bytes;
    }
    return made;
}

HttpResponse ExperimentFiles::answer(const HttpRequest& request) const {
    File file;
    {
        const std::lock_guard lock(mutex_);
        const auto found = files_.find(request.target.substr(0, request.target.find('?')));
        if (found == files_.end()) {
            return http_refusal(http_status::not_found, "there is no such file here");
        }
        file = found->second;
    }
    auto in = std::make_shared<std::ifstream>(file.path, std::ios::binary);
    if (not *in) {
        *in = std::ifstream(part_of(file.path), std::ios::binary);
    }
    if (not *in) {
        return http_refusal(http_status::not_found, "this file is not there any more: it was pruned");
    }
    HttpResponse response;
    response.content_type = type_of(file.path);
    response.fields.emplace_back("Content-Security-Policy",
                                 "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'");
    response.fields.emplace_back("Content-Disposition", std::string(is_picture(file.path) ? "inline" : "attachment") +
                                                            "; filename=\"" + as_file_name(file.name) + '"');
    response.more = [in]() -> std::optional<std::string> {
        std::string piece(kPiece, '\0');
        in->read(piece.data(), static_cast<std::streamsize>(piece.size()));
        piece.resize(static_cast<std::size_t>(in->gcount()));
        return piece.empty() ? std::nullopt : std::optional(std::move(piece));
    };
    return response;
}

}  // namespace groma
