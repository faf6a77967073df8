// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/make-run-origin.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/simd.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"

#include <cstdlib>
#include <ctime>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gnu/libc-version.h>
#include <link.h>

// Records the program, command line and input files of a run as digests, and restores the command
// line when the run is resumed.

namespace dpdl
{

namespace
{

/// Appends to @p ids the build identifiers (NT_GNU_BUILD_ID, raw bytes) in an ELF note segment of
/// @p size bytes.
void
AppendBuildIds(const char* notes, std::size_t size, std::string& ids)
{
    const auto padded = [](std::size_t count) { return (count + 3) / 4 * 4; };
    std::size_t at = 0;
    while (at + sizeof(ElfW(Nhdr)) <= size)
    {
        const auto* const note = reinterpret_cast<const ElfW(Nhdr)*>(notes + at);
        const std::size_t content = at + sizeof(*note) + padded(note->n_namesz);
        if (note->n_type == NT_GNU_BUILD_ID && content + note->n_descsz <= size)
        {
            ids.append(notes + content, note->n_descsz);
        }
        at = content + padded(note->n_descsz);
    }
}

/// Callback of dl_iterate_phdr(). Collects the build identifiers of the program and of dpdl's
/// libraries. dl_iterate_phdr() gives the program an empty name.
int
NoteObject(dl_phdr_info* object, std::size_t /* size */, void* ids)
{
    const std::string name = std::filesystem::path(object->dlpi_name).filename();
    if (!name.empty() && name.find("dpdl") == std::string::npos)
    {
        return 0;
    }
    for (int i = 0; i < object->dlpi_phnum; ++i)
    {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_NOTE)
        {
            AppendBuildIds(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr),
                           segment.p_memsz,
                           *static_cast<std::string*>(ids));
        }
    }
    return 0;
}

/// Digest of the build identifiers of the program and of dpdl's libraries.
std::string
BuildDigest()
{
    std::string ids;
    dl_iterate_phdr(NoteObject, &ids);
    return DigestOf(ids.data(), ids.size());
}

/// Adds the digest of the file that a word of the command line names, as in `--OPTION=FILE` or
/// `--OPTION=NAME:FILE`.
void
AddFiles(const std::string& word, RunOrigin& origin)
{
    std::size_t at = word.find('=');
    while (at != std::string::npos)
    {
        const std::string path = word.substr(at + 1);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored))
        {
            origin.emplace_back("file " + path, DigestOfFile(path));
            return;
        }
        at = word.find(':', at + 1);
    }
}

template <class Value>
std::string
DigestOfAll(const std::vector<Value>& values)
{
    return DigestOf(values.data(), values.size() * sizeof(Value));
}

/// Name of the processor as reported in /proc/cpuinfo.
std::string
ProcessorName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
    {
        if (line.rfind("model name", 0) == 0)
        {
            const std::size_t colon = line.find(": ");
            return colon == std::string::npos ? line : line.substr(colon + 2);
        }
    }
    return "unknown";
}

} // namespace

RunOrigin
OriginOf(const std::string& program,
         const std::string& trace,
         const std::vector<std::string>& words)
{
    RunOrigin origin{{"program", program},
                     {"trace", trace},
                     {"folder", std::filesystem::current_path().string()}};
    for (const std::string& word : words)
    {
        origin.emplace_back("word", word);
    }
    for (const char* name : {"ATEN_CPU_CAPABILITY",
                             "DPDL_SIMD",
                             "OMP_NUM_THREADS",
                             "ONEDNN_MAX_CPU_ISA",
                             "OPENBLAS_CORETYPE",
                             "OPENBLAS_NUM_THREADS"})
    {
        origin.emplace_back(std::string("environment ") + name, EnvironmentValue(name));
    }
    origin.emplace_back("build", BuildDigest());
    for (const std::string& word : words)
    {
        // The trace gets no digest, because it does not exist yet when a new run begins.
        if (word.rfind("--trace=", 0) != 0)
        {
            AddFiles(word, origin);
        }
    }
    return origin;
}

BegunRun
ReturnTo(const std::string& trace, const std::string& program)
{
    const RunOrigin origin = ReadOrigin(trace);
    DPDL_REFUSE_IF(ValueOf(origin, "program") != program,
                   "trace",
                   trace,
                   "a run that " + program + " has begun");
    BegunRun run{std::filesystem::absolute(trace).string(), ValueOf(origin, "trace"), {}};
    for (const auto& [name, value] : origin)
    {
        if (name == "word")
        {
            run.words.push_back(value);
        }
    }
    std::error_code error;
    std::filesystem::current_path(ValueOf(origin, "folder"), error);
    DPDL_REFUSE_IF(error,
                   "folder of trace '" + trace + "'",
                   ValueOf(origin, "folder"),
                   "the folder in which the run began");
    return run;
}

std::string
DigestOf(const Dataset& data)
{
    std::string digests;
    for (const Split* split : {&data.train, &data.test})
    {
        digests += DigestOfAll(split->pixels) + DigestOfAll(split->values) +
                   DigestOfAll(split->labels) + DigestOfAll(split->owners);
    }
    return DigestOf(digests.data(), digests.size());
}

std::string
DigestOfModel(const std::string& model)
{
    std::string files;
    for (const std::string& path : ModelFiles(model))
    {
        files += (files.empty() ? "" : ", ") + path + " " + DigestOfFile(path);
    }
    return files;
}

RunOrigin
WithInputs(RunOrigin origin, const std::string& dataset, const std::string& model)
{
    if (!origin.empty())
    {
        origin.emplace_back("dataset", dataset);
        origin.emplace_back("model", DigestOfModel(model));
    }
    return origin;
}

std::string
EnvironmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "not set" : value;
}

std::string
TimeNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::string
BuildVersion()
{
    return DPDL_VERSION;
}

Experiment::Metadata
BuildFacts()
{
    std::string commit;
    std::ifstream(DPDL_COMMIT_FILE) >> commit;
    return {{"dpdl", BuildVersion()},
            {"commit", commit},
            {"LibTorch", DPDL_TORCH_VERSION},
            {"Boost", DPDL_BOOST_VERSION},
            {"SQLite", DPDL_SQLITE_VERSION},
            {"compiler", __VERSION__},
            {"glibc", gnu_get_libc_version()},
            {"cpu", ProcessorName()},
            {"simd", NameOf(ResolveSimdLevel())},
            {"gpu", "none used"},
            {"OPENBLAS_CORETYPE", EnvironmentValue("OPENBLAS_CORETYPE")},
            {"OMP_NUM_THREADS", EnvironmentValue("OMP_NUM_THREADS")}};
}

} // namespace dpdl
