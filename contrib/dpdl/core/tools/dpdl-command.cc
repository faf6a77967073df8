// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/// @file `dpdl-command COMMAND [ARGUMENTS]`: executes the commands of dpdl, in a clone of the
///        repository or an installed wheel. In a clone, the script `./dpdl` executes the commands
///        that must work before anything is built. The script starts this program for all other
///        commands.

#include "call-program.h"
#include "dpdl/base/registry.h"
#include "run-tool.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>

namespace dpdl
{

namespace
{

using std::filesystem::exists;
using std::filesystem::path;

/// Name and arguments with which this program was started.
Words g_call;

/// Folder of this program: `build/default` of a clone, or `bin` of an environment with the wheel.
const path PROGRAMS = std::filesystem::read_symlink("/proc/self/exe").parent_path();
/// Folder of the wheel's data files; in a clone it does not exist.
const path SHARE = PROGRAMS.parent_path() / "share/dpdl";
const bool IS_CLONE = !exists(SHARE);
/// Root folder of the clone, or SHARE of the wheel. Both have the same layout.
const path ROOT = IS_CLONE ? PROGRAMS.parent_path().parent_path() : SHARE;
const path SCENARIOS = ROOT / "scenarios";
const path EXAMPLES = ROOT / "contrib/dpdl/examples";

/// In a clone, builds this program and @p targets if they are missing or older than their sources.
/// If this program changes, it restarts itself. No effect in a wheel.
void
Build(const Words& targets)
{
    if (IS_CLONE)
    {
        const auto before = last_write_time(PROGRAMS / "dpdl-command");
        Ask(Joined({ROOT / "dpdl", "--made", "dpdl-command"}, targets));
        if (last_write_time(PROGRAMS / "dpdl-command") != before)
        {
            Become(g_call);
        }
    }
}

/**
 * @brief Path of the Python interpreter: DPDL_PYTHON if it is set, otherwise /usr/bin/python3 or
 *        the first python3 in PATH.
 * @param needsModules true: skip interpreters that lack jinja2, matplotlib, numpy or pandas; if no
 *        interpreter has all of them, `./dpdl` installs them for /usr/bin/python3
 */
std::string
Interpreter(bool needsModules = true)
{
    static const std::string SYSTEM = "/usr/bin/python3";
    if (const std::string chosen = Environment("DPDL_PYTHON"); !chosen.empty())
    {
        return chosen;
    }
    for (const std::string& candidate : {SYSTEM, std::string("python3")})
    {
        static const std::string SCRIPT =
            "\"$0\" -EPc 'from importlib.util import find_spec as find\n"
            "print(all(map(find, (\"jinja2\", \"matplotlib\", \"numpy\", \"pandas\"))))' 2>&1 || :";
        if ((!needsModules && exists(candidate)) ||
            Ask({"sh", "-c", SCRIPT, candidate}) == "True\n")
        {
            return candidate;
        }
    }
    Ask({ROOT / "dpdl", "--packages", "analysis"});
    return SYSTEM;
}

/**
 * @brief Command line that starts the analysis program, dpdl-analysis.
 * @param arguments arguments of dpdl-analysis
 * @param needsModules true: choose a Python interpreter that has the modules of the analysis
 */
Words
AnalysisWords(const Words& arguments, bool needsModules = true)
{
    // In a clone, Python's compiled files are stored in the build folder. If that is not writable,
    // they are stored in the user's cache folder.
    const path build = ROOT / "build";
    const path cache = Environment("XDG_CACHE_HOME", Environment("HOME") + "/.cache");
    const path folder = access(build.c_str(), W_OK) == 0 ? build : cache / "dpdl";
    return Joined({Interpreter(needsModules),
                   "-E",
                   IS_CLONE ? "-Xpycache_prefix=" + (folder / "pycache").string() : "-B",
                   ROOT / "analysis/dpdl-analysis"},
                  arguments);
}

/// Names that command `run` accepts: scenario programs, studies and papers; in a clone also
/// examples.
Words
RunNames()
{
    std::set<std::string> names;
    for (const auto& [folder, suffix] : {std::pair(SCENARIOS, ".cc"),
                                         std::pair(SCENARIOS / "studies", ".toml"),
                                         std::pair(SCENARIOS / "papers", ""),
                                         std::pair(EXAMPLES, ".cc")})
    {
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        {
            if (entry.path().extension() == suffix)
            {
                names.insert(entry.path().stem());
            }
        }
    }
    return {names.begin(), names.end()};
}

/// Path of the program of a scenario or an example, relative to PROGRAMS. Empty if @p name is only
/// a study or a paper.
path
ProgramOf(const std::string& name)
{
    return exists(SCENARIOS / (name + ".cc"))  ? path("scenarios") / name
           : exists(EXAMPLES / (name + ".cc")) ? path("examples") / name
                                               : path();
}

/// Names of the programs that the runs of study @p name need; `learn` if there is no study with
/// this name, for example for a paper.
Words
ProgramsOfStudy(const std::string& name)
{
    static const std::string PROGRAM = "program = \"";
    Words programs = {"learn"};
    for (const std::string& line :
         PartsOf(std::ifstream(SCENARIOS / "studies" / (name + ".toml")), '\n'))
    {
        if (line.rfind(PROGRAM, 0) == 0)
        {
            programs[0] = line.substr(PROGRAM.size(), line.rfind('"') - PROGRAM.size());
        }
        if (line.rfind("audit = ", 0) == 0)
        {
            programs.emplace_back("dpdl-audit");
        }
    }
    return programs;
}

[[noreturn]] void
ThrowUnknown(const std::string& kind, const std::string& name, const Words& names, std::string near)
{
    const bool isFile = path(name).extension() == ".toml";
    near = isFile ? "sweep " + Excerpt(name) : near.empty() ? NearestName(name, names) : near;
    throw UsageError("unknown " + kind + " '" + Excerpt(name) + "'" +
                     (near.empty() ? "" : ", did you mean '" + near + "'?") +
                     " (accepted: " + JoinNames(names, " ") + ")");
}

/// Executes `run NAME [ARGUMENTS]`. If both a study and a program have the name, the study is run,
/// unless --trace is given. Studies are run by the analysis program dpdl-analysis. With --ranks,
/// `./dpdl` starts the program under MPI.
[[noreturn]] void
Run(const std::string& name, const Words& words)
{
    const Words names = RunNames();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        ThrowUnknown("scenario or example", name, names, "");
    }
    const path program = ProgramOf(name);
    bool isStudy = program.empty() || exists(SCENARIOS / "studies" / (name + ".toml"));
    Words arguments;
    std::string ranks;
    std::string config;
    for (const std::string& word : words)
    {
        // Option --trace selects the program, because a study writes several traces.
        isStudy = isStudy && (program.empty() || word.rfind("--trace=", 0) != 0);
        const bool isConfig = word.rfind("--config=", 0) == 0;
        DPDL_REFUSE_IF(isConfig && !config.empty(),
                       "option '" + Excerpt(word) + "' is given twice");
        if (isConfig || word.rfind("--ranks=", 0) == 0)
        {
            (isConfig ? config : ranks) = word;
        }
        else
        {
            arguments.push_back(word);
        }
    }
    if (!config.empty())
    {
        DPDL_REFUSE_IF(program.empty(),
                       "option 'config': " + name + " is a study; accepted are programs");
        const Words call = Joined({"config", config.substr(config.find('=') + 1)}, arguments);
        arguments = PartsOf(std::istringstream(Ask(AnalysisWords(call, false))), '\0');
    }
    if (!ranks.empty())
    {
        DPDL_REFUSE_IF(name != "learn", "option '--ranks' belongs to the scenario learn");
        DPDL_REFUSE_IF(!IS_CLONE,
                       "option '--ranks' needs MPI, which only a clone of dpdl can have");
        Become(Joined({ROOT / "dpdl", ranks}, arguments));
    }
    Build(isStudy ? ProgramsOfStudy(name) : Words{name});
    SetProgramEnvironment();
    Become(isStudy ? AnalysisWords(Joined({"run", name}, arguments))
                   : Joined({PROGRAMS / program}, arguments));
}

/// Executes `resume` and `sweep`. The analysis program first reads the file and prints the names of
/// the programs that the runs need. This function builds these programs, then starts the analysis
/// program again.
[[noreturn]] void
RunByFile(const std::string& command, const Words& words)
{
    const std::set<std::string> all(words.begin(), words.end());
    if (all.count("--help") + all.count("-h") == 0)
    {
        Build(PartsOf(
            std::istringstream(Ask(AnalysisWords(Joined({command, "--which"}, words), false))),
            '\n'));
        SetProgramEnvironment();
    }
    Become(AnalysisWords(Joined({command}, words)));
}

/// Executes `python`: starts the Python interpreter, with package dpdl in its import path.
[[noreturn]] void
Python(const Words& words)
{
    const std::string interpreter = Interpreter();
    if (IS_CLONE)
    {
        const std::string others = Environment("PYTHONPATH");
        const std::string folder = ROOT / "analysis";
        setenv("DPDL_HOME", ROOT.c_str(), 1);
        setenv("PYTHONPATH", (folder + (others.empty() ? "" : ":") + others).c_str(), 1);
    }
    Become(Joined({interpreter}, words));
}

/// Rejects an unknown command. In a clone, it first updates this program, because a newer build may
/// know the command.
[[noreturn]] void
ThrowUnknownCommand(const std::string& command)
{
    Build({});
    const std::string names = IS_CLONE ? "setup build test bench wheel " : "";
    const Words runs = RunNames();
    const bool isRun = std::find(runs.begin(), runs.end(), command) != runs.end();
    ThrowUnknown(
        "command",
        command,
        PartsOf(std::istringstream(names +
                                   "run list account audit calibrate observe inspect export figure "
                                   "table merge report compare resume sweep python help"),
                ' '),
        isRun ? "run " + command : "");
}

void
Dispatch(const std::string& command, const Words& words)
{
    const auto is = [&command](const std::set<std::string>& names) {
        return names.count(command) > 0;
    };
    const std::string first = words.empty() ? "" : words[0];
    const Words rest(words.begin() + (words.empty() ? 0 : 1), words.end());
    DPDL_REFUSE_IF(words.empty() && is({"inspect", "observe", "resume", "sweep"}),
                   command + " needs a " + (command == "sweep" ? "" : "trace ") + "file");
    DPDL_REFUSE_IF(words.empty() && is({"run"}),
                   "run needs a name (accepted: " + JoinNames(RunNames(), " ") + ")");
    if (is({"help", "--help", "-h"}) || (first == "--help" && is({"run", "list"})))
    {
        // A wheel has a shorter usage text, without the commands that build programs.
        Become(IS_CLONE ? Words{ROOT / "dpdl", "help"}
                        : Words{"cat", ROOT / "tools/front-door/usage.txt"});
    }
    if (is({"--version"}))
    {
        std::cout << "dpdl " DPDL_VERSION "\n";
        return;
    }
    if (is({"run", "calibrate"}))
    {
        Run(is({"run"}) ? first : command, is({"run"}) ? rest : words);
    }
    if (is({"list", "account", "audit", "observe"}))
    {
        Build({"dpdl-" + command});
        SetProgramEnvironment();
        Become(Joined({PROGRAMS / ("dpdl-" + command)}, words));
    }
    if (is({"inspect", "compare", "export", "figure", "table", "merge", "report"}))
    {
        Become(AnalysisWords(Joined({command}, words)));
    }
    if (is({"resume", "sweep"}))
    {
        RunByFile(command, words);
    }
    if (is({"python"}))
    {
        Python(words);
    }
    if (is({"--with-environment"}))
    {
        SetProgramEnvironment();
        Become(words);
    }
    if (is({"--unknown"}))
    {
        ThrowUnknown(first, rest.at(0), {rest.begin() + 1, rest.end()}, "");
    }
    ThrowUnknownCommand(command);
}

} // namespace

} // namespace dpdl

int
main(int argc, char* argv[])
{
    // Opens /dev/null in place of closed standard streams, so no other file gets their descriptors.
    // The flag O_CLOEXEC closes them again when a program is started.
    while (open("/dev/null", O_RDWR | O_CLOEXEC) <= STDERR_FILENO)
    {
    }
    std::signal(SIGINT, [](int) { _exit(130); });
    dpdl::g_call = {argv, argv + argc};
    return dpdl::RunTool("dpdl", [=] {
        dpdl::Dispatch(argc > 1 ? argv[1] : "help", {argv + std::min(argc, 2), argv + argc});
    });
}
