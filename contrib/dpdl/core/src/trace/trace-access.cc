// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

// Opens, creates and locks trace files. Refuses to overwrite a file that is not a trace or that
// another program is writing.

namespace dpdl
{

namespace
{

/// Longest time to wait for another program's lock on the file, in milliseconds.
constexpr int BUSY_TIMEOUT = 5000;

/// Number of successive attempts to lock the file. If all succeed, no program is writing.
constexpr int LOCK_PROBES = 5;

namespace fs = std::filesystem;

const char* const OPTION = "option 'trace'";

/// True if the file may be overwritten, because it is empty or has the header of a trace.
bool
MayBeTrace(const std::string& path)
{
    // A SQLite file has the application id at byte 68, big-endian
    // (https://www.sqlite.org/fileformat.html).
    constexpr std::size_t ID = 68;
    static const std::string MAGIC = "SQLite format 3";
    std::ifstream file(path, std::ios::binary);
    std::string start(ID + 4, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    std::uint32_t id = 0;
    for (std::size_t i = ID; i < start.size(); ++i)
    {
        id = id << 8 | static_cast<unsigned char>(start[i]);
    }
    return file.gcount() == 0 ||
           (start.compare(0, MAGIC.size(), MAGIC) == 0 && id == TRACE_APPLICATION_ID);
}

void
CheckFolder(const std::string& path, const fs::path& folder)
{
    std::error_code ignored;
    DPDL_REFUSE_IF(!fs::is_directory(folder, ignored),
                   OPTION,
                   path,
                   "a file in a folder that exists");
    DPDL_REFUSE_IF(access(folder.c_str(), W_OK | X_OK) != 0,
                   OPTION,
                   path,
                   "a file in a folder that can be written");
}

/// True if a run is writing the trace. An incomplete trace without a lock has no writer.
bool
IsBeingWritten(const std::string& path)
{
    try
    {
        SQLite::Database database(path, SQLite::OPEN_READWRITE);
        return !TakeLock(database);
    }
    catch (const SQLite::Exception&)
    {
        return false;
    }
}

} // namespace

std::string
ClaimTraceFile(const std::string& path, bool overwrite)
{
    DPDL_REFUSE_IF(path.empty(), OPTION, path, "the name of a file");
    const std::string absolute = fs::absolute(path).string();
    CheckFolder(path, fs::path(absolute).parent_path());
    std::error_code ignored;
    if (fs::exists(absolute, ignored))
    {
        DPDL_REFUSE_IF(!fs::is_regular_file(absolute, ignored), OPTION, path, "the name of a file");
        DPDL_REFUSE_IF(!overwrite, OPTION, path, "a file that does not exist yet, or --overwrite");
        DPDL_REFUSE_IF(!MayBeTrace(absolute),
                       OPTION,
                       path,
                       "a trace to overwrite, which this file is not");
        // A run keeps the file `-wal` until it ends. After a killed run the file remains, so the
        // file alone does not prove a running writer.
        DPDL_REFUSE_IF(fs::exists(absolute + "-wal", ignored) && IsBeingWritten(absolute),
                       OPTION,
                       path,
                       "a trace to overwrite that no program is writing");
        RemoveTraceFiles(absolute);
    }
    const int descriptor = open(absolute.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0)
    {
        const std::string reason = std::strerror(errno);
        throw UsageError(OPTION, path, "a file that can be created (" + reason + ")");
    }
    close(descriptor);
    return absolute;
}

FileId
IdOf(const std::string& path) noexcept
{
    struct stat status
    {
    };

    return stat(path.c_str(), &status) == 0 ? FileId(status.st_dev, status.st_ino) : FileId();
}

bool
TakeLock(SQLite::Database& database)
{
    database.setBusyTimeout(0);
    try
    {
        // A run that is writing releases the lock for a moment after each commit, so a single
        // attempt may succeed by chance.
        for (int i = 0; i < LOCK_PROBES; ++i)
        {
            database.exec("BEGIN IMMEDIATE");
            database.exec("ROLLBACK");
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        database.exec("BEGIN IMMEDIATE");
    }
    catch (const SQLite::Exception& error)
    {
        if (error.getErrorCode() != SQLITE_BUSY && error.getErrorCode() != SQLITE_LOCKED)
        {
            throw;
        }
        return false;
    }
    return true;
}

void
RemoveTraceFiles(const std::string& path) noexcept
{
    for (const char* suffix : {"-wal", "-shm", "-journal", ""})
    {
        unlink((path + suffix).c_str());
    }
}

SQLite::Database
OpenTrace(const std::string& path, int flags)
{
    std::error_code ignored;
    DPDL_REFUSE_IF(!fs::is_regular_file(path, ignored), "trace", path, "a file that exists");
    return GuardTrace(path, [&] {
        // SQLite reads ":memory:" and "file:..." as other things than names of files.
        SQLite::Database database(fs::absolute(path).string(), flags, BUSY_TIMEOUT);
        database.exec("PRAGMA trusted_schema=OFF");
        DPDL_REFUSE_IF(database.execAndGet("PRAGMA application_id").getInt() !=
                           TRACE_APPLICATION_ID,
                       "trace",
                       path,
                       "a trace of dpdl");
        const int version = database.execAndGet("PRAGMA user_version").getInt();
        DPDL_REFUSE_IF(version < TRACE_OLDEST_VERSION || version > TRACE_SCHEMA_VERSION,
                       "trace",
                       path,
                       "a trace of schema version " + std::to_string(TRACE_OLDEST_VERSION) +
                           " or " + std::to_string(TRACE_SCHEMA_VERSION) + ", and this one has " +
                           std::to_string(version));
        return database;
    });
}

void
LeaveWal(SQLite::Database& database)
{
    database.exec("PRAGMA synchronous=FULL");
    try
    {
        SQLite::Statement(database, "PRAGMA journal_mode=DELETE").executeStep();
    }
    catch (const SQLite::Exception& error)
    {
        // If another program is reading the trace, the data are already complete. Only the files
        // `-wal` and `-shm` remain.
        if (error.getErrorCode() != SQLITE_BUSY && error.getErrorCode() != SQLITE_LOCKED)
        {
            throw;
        }
    }
}

bool
IsComplete(SQLite::Database& database)
{
    SQLite::Statement statement(database, "SELECT value FROM summary WHERE name = 'state'");
    return statement.executeStep() && statement.getColumn(0).getString() == "complete";
}

} // namespace dpdl
