#include "mpi/job/log_fetcher.hpp"

#include <cstdint>
#include <vector>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "mpi/world/lent_files.hpp"

namespace groma {

void LogFetcher::fetch(int rank) {
    const nlohmann::json listed = ask(rank, {"list_files"}, "files");
    std::vector<LentFile> files;
    JsonReader(listed, JsonForm::object).rows("files", files, kMostLentFiles);
    for (const auto& [name, size] : files) {
        std::uint64_t offset = 0;
        for (bool more = true; more;) {
            const nlohmann::json piece = ask(rank, {"read_file", {{"name", name}, {"offset", offset}}}, "piece");
            const std::vector<std::uint8_t>& bytes = piece.at("bytes").get_binary();
            write_fetched(folder_, name, offset, bytes);
            offset += bytes.size();
            more = bytes.size() == kMaxLentPiece;
        }
    }
}

nlohmann::json LogFetcher::ask(int rank, const RankMessage& question, const std::string& kind) {
    ranks_.say(rank, question);
    ranks_.await([&] { return ranks_.has(rank, kind) or ranks_.has(rank, "failed"); }, limit_);
    if (auto answer = ranks_.take(rank, kind)) {
        return std::move(*answer);
    }
    const auto failed = ranks_.take(rank, "failed");
    throw RunError(failed ? failed->value("what", "failed") : "it does not answer");
}

}  // namespace groma
