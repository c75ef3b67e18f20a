#include "logserver/store/catalogue_file.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/sqlite/database_kind.hpp"
#include "logserver/store/catalogue_tables.hpp"

namespace groma {

namespace {

// SQLite's companion files.
constexpr std::array<const char*, 3> kCompanions{"-journal", "-wal", "-shm"};

constexpr mode_t kMode = 0600;
constexpr mode_t kOfOthers = 0007;

}  // namespace

bool is_name_of_catalogue(std::string_view name) {
    const auto lower = [](char letter) { return letter >= 'A' and letter <= 'Z' ? letter - 'A' + 'a' : letter; };
    return std::ranges::equal(name.substr(0, kCatalogueFile.size()), kCatalogueFile, {}, lower);
}

void require_room_for_companions(const std::filesystem::path& file) {
    for (const char* companion : kCompanions) {
        const std::filesystem::path path = file.string() + companion;
        std::error_code unknown;
        if (std::filesystem::is_directory(path, unknown)) {
            throw RunError("cannot use the catalogue " + file.string() + ": the folder " + path.string() +
                           " is where SQLite has to put a file; move the folder to another directory");
        }
    }
}

void keep_from_others(const std::filesystem::path& file) {
    // Open only a new file: closing an existing one would release SQLite's locks on it in this process.
    const FileDescriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode));
    for (const char* name : {"", kCompanions[0], kCompanions[1], kCompanions[2]}) {
        const std::string path = file.string() + name;
        struct stat found {};
        if (::stat(path.c_str(), &found) == 0 and (found.st_mode & kOfOthers) != 0) {
            checked("keep other users from reading " + path, ::chmod(path.c_str(), kMode),
                    "it has the tokens with which logs are written; run groma-log as the file's owner, on a file "
                    "system with modes");
        }
    }
}

std::unique_ptr<SQLite::Database> open_catalogue_file(const std::filesystem::path& file, bool writes) {
    const int flags = writes ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY;
    auto database = std::make_unique<SQLite::Database>(file.string(), flags, kSqliteBusyMs);
    distrust(*database);
    const int version = database->execAndGet("PRAGMA user_version").getInt();
    if (version == 0 and writes) {
        database->exec("PRAGMA journal_mode = WAL");
        SQLite::Transaction transaction(*database);
        make_catalogue_tables(*database);
        mark_database(*database, kCatalogueDatabase);
        transaction.commit();
    } else {
        expect_kind(*database, file.string(), kCatalogueDatabase, kOldestCatalogue);
    }
    if (version == kOldestCatalogue and writes) {
        SQLite::Transaction transaction(*database, SQLite::TransactionBehavior::IMMEDIATE);
        if (database->execAndGet("PRAGMA user_version").getInt() == kOldestCatalogue) {  // no other has just done it
            renew_catalogue_tables(*database);
            mark_database(*database, kCatalogueDatabase);
        }
        transaction.commit();
    } else if (version == kOldestCatalogue) {
        show_as_renewed(*database);
    }
    database->exec("PRAGMA synchronous = NORMAL");
    return database;
}

}  // namespace groma
