// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CAMPAIGN_RUNNER_H
#define DPDL_CAMPAIGN_RUNNER_H

#include "dpdl-scenario.h"

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// One cell of a campaign's design.
struct DpdlVariant
{
    std::string name;                                         ///< its values, fit for a file name
    std::vector<std::pair<std::string, std::string>> factors; ///< what it is
    ::dpdl::RunSettings settings;                             ///< of its first repetition
};

/**
 * @ingroup dpdl
 *
 * @brief Runs every variant of a campaign as often as asked for, some at a time, and lists the
 *        traces in `campaign.json` (doc/formats/campaign.md).
 */
class DpdlCampaignRunner
{
  public:
    /// Where and how to run.
    struct Options
    {
        std::string folder;         ///< of the traces; is made
        std::size_t repetitions{5}; ///< runs of each variant
        unsigned jobs{0};           ///< processes; 0: as many as there are cores
        /// Further files of the folder: names and contents.
        std::vector<std::pair<std::string, std::string>> files;
    };

    /**
     * @param scenario makes the runs
     * @param name of the scenario
     * @param options where and how
     * @param variants at least one
     */
    DpdlCampaignRunner(DpdlScenario& scenario,
                       const std::string& name,
                       const Options& options,
                       const std::vector<DpdlVariant>& variants);

    /// Prints the name of each variant and how many runs there are.
    void ShowPlan() const;

    /**
     * @brief Makes all runs; the first one alone, so that mistakes are reported once.
     *
     * A folder that has the same list goes on: complete traces stay as they are.
     * @throws dpdl::UsageError if a variant is not accepted, or the folder holds another campaign's
     *         list or traces without a list, and option `overwrite` is not given
     */
    void Run();

  private:
    std::size_t Runs() const;
    std::string TraceOf(std::size_t index) const;
    ::dpdl::RunSettings SettingsOf(std::size_t index) const;
    void CheckFolder() const;
    bool IsDone(const std::string& trace) const;
    std::string List() const;
    void RunFirst(bool madeFolder);
    void RunPart(unsigned part, unsigned parts);
    void RunOne(std::size_t index);
    void TellProgress(std::size_t done);
    void WriteList() const;
    void WriteFile(const std::string& name, const std::string& content) const;

    DpdlScenario& m_scenario;                      //!< makes the runs
    std::string m_name;                            //!< of the scenario
    Options m_options;                             //!< where and how
    const std::vector<DpdlVariant>& m_variants;    //!< what is run
    std::set<std::string> m_warned;                //!< warnings that were told already
    std::chrono::steady_clock::time_point m_start; //!< of the first run
    std::chrono::steady_clock::time_point m_told;  //!< last line of progress
};

} // namespace ns3

#endif // DPDL_CAMPAIGN_RUNNER_H
