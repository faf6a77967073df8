// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIO_H
#define DPDL_SCENARIO_H

#include "dpdl-ranks.h"
#include "dpdl/base/input-file.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-options.h"

#include "ns3/node-container.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DpdlHelper;

/**
 * @ingroup dpdl
 *
 * @brief Main function of every scenario program: options, runs, exit status.
 *
 * A scenario program accepts the common learning options, options of the scenario, `--help`, ns-3's
 * options such as `--PrintAttributes=TYPE`, and any attribute as `--ns3::TYPE::NAME=VALUE`. A usage
 * error prints one line on standard error and gives status 2. An interrupt (SIGINT, SIGTERM) saves
 * the trace, marked incomplete, and gives status 130.
 *
 * `--resume=FILE.db`, without other options, resumes an incomplete run of the program: the trace
 * FILE.db contains the options.
 *
 * A campaign first calls the program with `--options=json`, which lists all options (name, kind,
 * accepted, default, meaning), and then calls it with the queries of Answer() about planned runs.
 * `--CheckRanks=N` with the options of a run checks if the run is accepted on N ranks, without
 * running it.
 *
 * Several processes started by mpirun simulate one run together (DpdlRanks). Rank 0 prints the
 * messages of all ranks.
 */
class DpdlScenario
{
  public:
    /// Names of options or metadata entries, with their values.
    using NamedValues = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param name the scenario's name; the default trace name is NAME-SEED-RUN.db
     * @param summary one line for `--help`
     * @param defaults names and values of options whose defaults differ from those of scenario
     *        `learn`
     */
    DpdlScenario(const std::string& name,
                 const std::string& summary,
                 const NamedValues& defaults = {});

    /// The options of the run. Change them before Main() to change the scenario's defaults.
    ::dpdl::RunOptions& Settings()
    {
        return m_settings;
    }

    /// True if the command line contains an option.
    /// @param name name of the option, without dashes
    bool IsGiven(const std::string& name) const
    {
        return m_given.count("--" + name) > 0;
    }

    /**
     * @brief Adds an option specific to the scenario.
     * @param name name of the option, without dashes
     * @param codec parses and formats the option's value
     * @param[in,out] value initially the default; Main() writes the parsed value to it, so it must
     *        outlive Main()
     * @param meaning one line for `--help`
     * @return the option's row in the table of options; the reference is valid until the next call
     */
    template <typename V, typename Member>
    ::dpdl::OptionRow<::dpdl::RunOptions>& AddOption(const std::string& name,
                                                     const ::dpdl::Codec<V>& codec,
                                                     Member& value,
                                                     const std::string& meaning)
    {
        return m_own.Add(name, codec, ::dpdl::Outside(value), meaning);
    }

    /// Installs mobility, devices and stacks on a run's nodes, before anything else is
    /// installed on them.
    using NetworkMaker = std::function<void(const NodeContainer&, const ::dpdl::RunOptions&)>;

    /**
     * @brief Sets the function that builds the network of every run. Networks may schedule events
     *        indefinitely, so such a run stops the simulator after its last round.
     * @param maker is called after ns-3's seed is set; throws UsageError for invalid options
     */
    void SetNetwork(NetworkMaker maker)
    {
        m_network = std::move(maker);
    }

    /// Records metadata in the trace of every run, next to the options; call this before Run().
    /// @param name name of the entry. Run() throws dpdl::UsageError if an option has this name
    /// @param value value of the entry; a later call with the same name replaces it
    void SetMetadata(const std::string& name, const std::string& value)
    {
        m_metadata.emplace_back(name, value);
    }

    /// Sets the first and last time in an input file of every run. A run that extends beyond these
    /// times prints a warning.
    void SetTimes(::dpdl::InputTimes times)
    {
        m_times = std::move(times);
    }

    /// Adds a warning of one line, which every run prints before it simulates.
    /// @param line the warning; "": none
    void Warn(const std::string& line)
    {
        m_warnings.push_back(line);
    }

    /// Options of the scenario that act only under a condition.
    struct Conditional
    {
        bool acts;                      ///< true: the condition holds
        std::vector<std::string> names; ///< names of the options, without dashes
        std::string needs;              ///< the condition, for messages
    };

    /// Warns of each option on the command line that has no effect.
    /// @param table rows of options
    void WarnOfIdle(const std::vector<Conditional>& table);

    /// Adds option `quiet`, with which a run prints only the path of its trace.
    void AddQuiet();

    /**
     * @brief Parses the command line, runs @p body, and converts errors into an exit status.
     * @param argc as given to main
     * @param argv as given to main
     * @param body simulates the runs; empty: AddQuiet() and RunOnce() are called
     * @return the exit status: 0; 1 after a failure; 2 after a usage error; 130 after an interrupt
     */
    int Main(int argc, char* argv[], const std::function<void(DpdlScenario&)>& body = {});

    /**
     * @brief Simulates one run and prints its result. Call this within Main(), which converts the
     *        exceptions of errors and interrupts into an exit status.
     * @param settings options of the run
     * @param title name in the progress bar
     * @param watch receives the run before it starts, to attach callbacks. If it is given, the run
     *        prints neither its warnings nor the path of its trace
     */
    void Run(const ::dpdl::RunOptions& settings,
             const std::string& title,
             const std::function<void(::dpdl::Experiment&)>& watch = {});

    /// Simulates one run with the scenario's current options, into the trace that they name.
    static void RunOnce(DpdlScenario& scenario);

  private:
    int StatusOf(const std::function<void()>& body) const;

    /// Takes seed and run from the environment variable NS_GLOBAL_VALUE; options of the command
    /// line override them.
    void TakeGlobalSeed();

    bool ReadCommandLine(int argc, char* argv[]);
    bool ReadOrigin(const std::string& trace);
    void ReadArgument(const std::string& argument);
    void PrintHelp() const;

    /**
     * @brief Answers a query about planned runs on standard output.
     *
     * `--CheckRuns` and `--PrintNeeds` read one run per line from standard input, its options
     * separated by tabs. `--CheckRuns` prints the number of the first invalid line, counted from 1,
     * the name of the invalid option and the reason, separated by tabs, or nothing if all lines are
     * valid. It checks the values of options, and the names of algorithm, model, partition,
     * failures and topology, but reads no data. `--PrintNeeds` prints the available memory of this
     * machine in bytes. Then it prints one line per run: the memory and the disk space that the run
     * needs, in bytes, separated by a tab.
     *
     * The other queries are about one run, which all other options of the command line describe.
     * `--PrintNeed` prints the memory and disk space that the run needs, in bytes. `--PrintLinks=N`
     * prints at most N links of the run's topology, one per line, in the form SOURCE->TARGET of the
     * failure language. `--PrintNodes=N` prints at most N node numbers. If there are more than N, a
     * random choice that depends only on the run's options is printed.
     * @param argument argument of the command line
     * @return true if @p argument was a query
     * @throws dpdl::UsageError if N is not an integer >= 1
     */
    bool Answer(const std::string& argument);

    /// Reads runs from standard input, one per line, up to the first invalid run, for which it
    /// prints the line of `--CheckRuns`.
    /// @param use is called for each run, after the run's options have been parsed into m_settings.
    /// @p use sets its argument to the name of the option that it is checking, for error messages
    void ForEachRun(const std::function<void(std::string&)>& use);

    /**
     * @brief True if an argument makes ns-3 print a list, such as `--PrintGlobals`.
     * @throws dpdl::UsageError if `--PrintAttributes` or `--PrintGroup` names an unknown type or
     *        group
     */
    static bool IsPrintedByNs3(const std::string& argument);

    /**
     * @brief Sets the default of an attribute from text.
     *
     * ns-3 aborts the program at a value that it cannot parse, and its times overflow without
     * error. This function throws in both cases.
     * @param name full name of the attribute, such as `ns3::DpdlApplication::ComputeTime`
     * @param value value as text, with unit where the attribute has one
     * @throws dpdl::UsageError if there is no such attribute, or it does not accept the value
     */
    static void SetAttributeDefault(const std::string& name, const std::string& value);

    void CheckRanks(const ::dpdl::RunOptions& settings) const;
    void Install(DpdlHelper& helper, const ::dpdl::RunOptions& settings);
    void Agree(bool failed);

    bool HasOtherRanks() const
    {
        return m_ranks && !m_ranks->Part().IsWhole();
    }

    void Tell(const std::string& line) const;
    void TellAll(const std::vector<std::string>& lines) const;

    std::string m_name;               //!< the scenario's name
    std::string m_summary;            //!< description of the scenario for `--help`, one line
    std::vector<std::string> m_words; //!< words of the command line, the program's name first
    /// Options `--seed` and `--run` with the values of TakeGlobalSeed().
    std::vector<std::string> m_globalSeed;
    std::string m_commandLine;                     //!< the command line in one string
    ::dpdl::RunOptions m_settings;                 //!< options of the run
    ::dpdl::OptionTable<::dpdl::RunOptions> m_own; //!< options specific to the scenario
    std::set<std::string> m_given; //!< names of the options on the command line, with dashes
    NetworkMaker m_network;        //!< builds the network of every run; empty: DpdlHelper builds it
    NamedValues m_metadata;        //!< metadata for the trace of every run
    std::vector<std::string> m_warnings; //!< warnings of Warn(), for every run
    /// Times in an input file of every run; empty: no such file.
    std::optional<::dpdl::InputTimes> m_times;
    std::unique_ptr<DpdlRanks> m_ranks; //!< processes of this run; empty before Main()
    /// Value of `--CheckRanks`: only check the run on this number of ranks; 0: simulate it.
    uint32_t m_checkedRanks{0};
    /// True: this rank prints warnings and errors. That is rank 0; after a failure, the first rank
    /// that failed.
    bool m_speaks{true};
    /// Path of this rank's trace, to be removed because another rank failed to start the run; "":
    /// none.
    std::string m_orphan;
    bool m_isQuiet{false}; //!< true: print only the name of the trace
    bool m_isAhead{false}; //!< true: this rank simulates, so other ranks may wait for its messages
};

} // namespace ns3

#endif // DPDL_SCENARIO_H
