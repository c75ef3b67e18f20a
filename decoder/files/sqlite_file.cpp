#include "decoder/files/sqlite_file.hpp"

#include <string>

#include "common/base/errors.hpp"
#include "common/os/output.hpp"

namespace groma {

namespace {

void write_database(const std::filesystem::path& file, const DatabaseKind& kind, const std::string& schema,
                    const std::function<void(SQLite::Database&)>& fill) {
    // One thread writes it: SQLite needs no lock for each value of a row.
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX);
    // The file has no name yet, so no reader can see it half written: a journal has no use.
    database.exec("PRAGMA journal_mode = OFF");
    database.exec("PRAGMA synchronous = OFF");
    mark_database(database, kind);
    SQLite::Transaction transaction(database);
    database.exec(schema);
    fill(database);
    transaction.commit();
}

}  // namespace

void write_sqlite_file(const std::filesystem::path& file, const DatabaseKind& kind, const std::string& schema,
                       const std::function<void(SQLite::Database&)>& fill) {
    PendingFile pending(file);
    if (pending.in_place()) {
        throw RunError("cannot write " + file.string() + ": it is not a regular file; give another name");
    }
    try {
        write_database(pending.part(), kind, schema, fill);
    } catch (const SQLite::Exception& error) {
        throw RunError("cannot write " + file.string() + ": " + error.what() +
                       " (is the directory there, writable, and not full?)");
    }
    pending.keep();
}

}  // namespace groma
