// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIO_H
#define DPDL_SCENARIO_H

#include "dpdl-ranks.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-options.h"

#include "ns3/node-container.h"

#include <functional>
#include <memory>
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
 * Understands the options that all learning scenarios share, options of the scenario's own,
 * `--help`, ns-3's `--PrintAttributes=TYPE` and the like, and any attribute in the form
 * `--ns3::TYPE::NAME=VALUE`. A user's mistake becomes one line on standard error and status 2, an
 * interrupt (SIGINT, SIGTERM) saves the trace, marked incomplete, and gives status 130.
 *
 * `--resume=FILE.db`, alone, resumes an incomplete run of the program: the trace has the rest
 * of the command line.
 *
 * Before its runs a campaign calls such a program with `--options=json`, which lists all options
 * (name, kind, accepted, default, meaning), `--CheckRuns` (CheckRuns()), and `--PrintLinks=N` or
 * `--PrintNodes=N` (PrintFailing()). `--CheckRanks=N` beside the options of a
 * run makes no run: it says whether the run would be refused on N ranks.
 *
 * Several processes started by mpirun do one run together (DpdlRanks), and the first of
 * them prints for all.
 */
class DpdlScenario
{
  public:
    /// Options with their values.
    using Words = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param name the scenario's name; traces are called NAME-SEED-RUN.db by default
     * @param summary one line for `--help`
     * @param defaults options whose default differs from that of `learn`
     */
    DpdlScenario(const std::string& name, const std::string& summary, const Words& defaults = {});

    /// The options as they are: change them before Main() to give a scenario other defaults.
    ::dpdl::RunOptions& Settings()
    {
        return m_settings;
    }

    /// True if the command line has that option. @param name without dashes
    bool IsGiven(const std::string& name) const
    {
        return m_given.count("--" + name) > 0;
    }

    /**
     * @brief Adds an option of the scenario's own.
     * @param name of the option
     * @param codec reads and shows its value
     * @param[in,out] value the default, until the command line is read; must outlive Main()
     * @param meaning one line for `--help`
     * @return the row, which can be completed until the next one is added
     */
    template <typename V, typename Member>
    ::dpdl::OptionRow<::dpdl::RunOptions>& AddOption(const std::string& name,
                                                     const ::dpdl::Codec<V>& codec,
                                                     Member& value,
                                                     const std::string& meaning)
    {
        return m_own.Add(name, codec, ::dpdl::Outside(value), meaning);
    }

    /// Gives a run's nodes their own mobility, devices and stacks, before anything else is
    /// installed on them.
    using NetworkMaker = std::function<void(const NodeContainer&, const ::dpdl::RunOptions&)>;

    /**
     * @brief Lets the scenario build the network of every run. Such a run ends with its last round.
     * @param maker is called when ns-3 has the run's seed; throws UsageError if it cannot
     */
    void SetNetwork(NetworkMaker maker)
    {
        m_network = std::move(maker);
    }

    /// Records a fact in the trace of every run, next to the options. @param name what
    /// @param value its value
    void SetMetadata(const std::string& name, const std::string& value)
    {
        m_metadata.emplace_back(name, value);
    }

    /**
     * @brief Reads the command line, runs, and turns errors into an exit status.
     * @param argc as given to main
     * @param argv as given to main
     * @param body what to run; by default one run with the options
     * @return the exit status
     */
    int Main(int argc, char* argv[], const std::function<void(DpdlScenario&)>& body = RunOnce);

    /**
     * @brief Simulates one run and prints its result; throws on interrupt, and if it cannot go on.
     * @param settings of the run
     * @param title what the progress bar calls it
     * @param watch is given the run before it starts, to attach callbacks; such a run is one of
     *        many, and prints neither its warnings nor its trace
     */
    void Run(const ::dpdl::RunOptions& settings,
             const std::string& title,
             const std::function<void(::dpdl::Experiment&)>& watch = {});

    /// One run with the options as they are, into the trace that they name.
    static void RunOnce(DpdlScenario& scenario);

  private:
    int StatusOf(const std::function<void()>& body) const;

    /// Takes seed and run of NS_GLOBAL_VALUE, which options of the command line replace.
    void TakeGlobalSeed();

    bool ReadCommandLine(int argc, char* argv[]);
    bool ReadOrigin(const std::string& trace);
    void ReadArgument(const std::string& argument);
    void PrintHelp() const;
    void CheckRanks(const ::dpdl::RunOptions& settings) const;
    void Install(DpdlHelper& helper, const ::dpdl::RunOptions& settings);
    void Agree(bool failed);
    bool HasOtherRanks() const;
    void Tell(const std::string& line) const;

    std::string m_name;                            //!< the scenario's name
    std::string m_summary;                         //!< one line
    std::vector<std::string> m_words;              //!< the command line
    std::vector<std::string> m_globalSeed;         //!< options for what TakeGlobalSeed() took
    std::string m_commandLine;                     //!< the same in one line
    ::dpdl::RunOptions m_settings;                 //!< shared options
    ::dpdl::OptionTable<::dpdl::RunOptions> m_own; //!< the scenario's own options
    std::set<std::string> m_given;                 //!< options of the command line, with dashes
    NetworkMaker m_network;                        //!< see SetNetwork(); may be empty
    Words m_metadata;                              //!< see SetMetadata()
    std::unique_ptr<DpdlRanks> m_ranks;            //!< processes of this run; empty before Main()
    uint32_t m_checkedRanks{0}; //!< only check a run on so many ranks; 0: make runs
    bool m_speaks{true};        //!< reports errors; if ranks agree on one, one of them does
    std::string m_orphan;       //!< trace of a run that other ranks could not begin
    bool m_isAhead{false};      //!< the other ranks do not know how this one fares
};

} // namespace ns3

#endif // DPDL_SCENARIO_H
