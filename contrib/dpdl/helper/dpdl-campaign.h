// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CAMPAIGN_H
#define DPDL_CAMPAIGN_H

#include "dpdl-campaign-runner.h"
#include "dpdl-scenario.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief A scenario that answers its question by many runs: variants of the same settings, each
 *        repeated with several seeds.
 *
 * All variants of a repetition have the same seed and run number, and random numbers are a function
 * of these and of what they are for. So the variants share initial model, partition, batches, noise
 * and, where the cause of a loss is the same, the lost messages: what differs between them is what
 * the variant changes (common random numbers).
 *
 * Every run has a trace of its own in the folder of option `outputDir`, and `campaign.json` there
 * lists them with what distinguishes them; doc/formats/campaign.md describes it.
 *
 * @code
 * DpdlCampaign campaign("drops", "what lost messages cost", {{"rounds", "100"}});
 * DpdlCampaign::Items drops;
 * campaign.AddList({"drops", "drop", "loss rates", {"0", "0.1"}, {}}, drops);
 * return campaign.Main(argc, argv, [&] {
 *     for (const std::string& drop : drops)
 *     {
 *         campaign.Add({{"drop", drop}});
 *     }
 * });
 * @endcode
 */
class DpdlCampaign
{
  public:
    /// Names with their values, in an order of their own.
    using Words = std::vector<std::pair<std::string, std::string>>;
    /// What a list of the command line holds.
    using Items = std::vector<std::string>;

    /// An option that takes a list, with commas between its items.
    struct List
    {
        std::string name;    ///< of the option
        std::string of;      ///< option of `learn` that takes such items; empty: those below only
        std::string meaning; ///< one line for `--help`
        Items usual;         ///< the default
        Items full;          ///< the default with option `full`; empty: as usual
    };

    /**
     * @param name the scenario's name
     * @param summary one line for `--help`
     * @param defaults options whose default differs from that of `learn`
     */
    DpdlCampaign(const std::string& name, const std::string& summary, const Words& defaults);

    /// The options that all runs share, after the command line has been read.
    const ::dpdl::RunSettings& Settings()
    {
        return m_scenario.Settings();
    }

    /// Adds an option of the scenario's own; see DpdlScenario::AddOption().
    void AddOption(const ::dpdl::Option& option)
    {
        m_scenario.AddOption(option);
    }

    /// Lets the scenario build the network of every run; see DpdlScenario::SetNetwork().
    void SetNetwork(DpdlScenario::NetworkMaker maker)
    {
        m_scenario.SetNetwork(std::move(maker));
    }

    /**
     * @brief Adds an option that takes no value.
     * @param name of the option
     * @param meaning one line for `--help`
     * @param[out] flag becomes true where it is given; must outlive Main()
     */
    void AddFlag(const std::string& name, const std::string& meaning, bool& flag);

    /**
     * @brief Adds an option that takes a text.
     * @param name of the option
     * @param meaning one line for `--help`
     * @param accepted what it takes, for `--help`
     * @param[in,out] value the default, until the command line is read; must outlive Main()
     */
    void AddText(const std::string& name,
                 const std::string& meaning,
                 const std::string& accepted,
                 std::string& value);

    /**
     * @brief Adds an option that takes a whole number from 1.
     * @param name of the option
     * @param value the default, as a text
     * @param meaning one line for `--help`
     * @param set is given the number
     */
    void AddNumber(const std::string& name,
                   const std::string& value,
                   const std::string& meaning,
                   const std::function<void(std::uint64_t)>& set);

    /**
     * @brief Adds an option that takes a list.
     * @param list the option
     * @param[out] items what is in force once the command line is read; must outlive Main()
     */
    void AddList(const List& list, Items& items);

    /**
     * @brief All combinations of one item of each list.
     * @param lists by the name that an item gets, the last one changes fastest
     */
    static std::vector<Words> Crossed(const std::vector<std::pair<std::string, Items>>& lists);

    /**
     * @brief Adds a variant, which will run once a repetition.
     * @param factors what the variant is, in words that the analysis groups by. A factor that has
     *        the name of an option sets it. The values name the traces, and no two variants may
     *        have the same
     * @param changes further options in which it differs from the shared settings
     * @throws dpdl::UsageError if an option is not accepted, a named part of it does not exist, or
     *         the user gave an option that the variants differ in
     */
    void Add(const Words& factors, const Words& changes = {});

    /**
     * @brief Lets variants change options that the user gave for all: these are their base.
     *
     * Without it Add() refuses such an option, since what the user gave would not be in force.
     */
    void VaryGiven()
    {
        m_variesGiven = true;
    }

    /**
     * @brief Gives a shared option another default, in the plan: without effect if the user gave
     * it.
     * @param option of `learn`, or `repetitions` or `outputDir`
     * @param value as on the command line
     * @throws dpdl::UsageError if the option is not accepted
     */
    void SetDefault(const std::string& option, const std::string& value);

    /// Writes @p content as a file of the study's own, @p name, beside campaign.json.
    void AddFile(const std::string& name, const std::string& content);

    /**
     * @brief Reads the command line, lets @p plan add the variants, and runs them all.
     * @param argc as given to main
     * @param argv as given to main
     * @param plan calls Add()
     * @return the exit status
     */
    int Main(int argc, char* argv[], const std::function<void()>& plan);

  private:
    void AddOwnOptions();
    void Change(DpdlVariant& variant, const std::string& option, const std::string& value) const;
    void CheckNames(const ::dpdl::RunSettings& settings);

    DpdlScenario m_scenario;                    //!< options, runs, exit status
    std::string m_name;                         //!< the scenario's name
    DpdlCampaignRunner::Options m_options;      //!< options outputDir, repetitions, jobs
    bool m_onlyShow{false};                     //!< option plan
    bool m_hasFull{false};                      //!< there is an option full
    bool m_full{false};                         //!< option full
    bool m_variesGiven{false};                  //!< see VaryGiven()
    std::vector<std::function<void()>> m_lists; //!< fill the lists that were not given
    std::set<std::string> m_given;              //!< options that the user gave
    std::set<std::string> m_givenOwn;           //!< of repetitions and outputDir, those given
    std::vector<DpdlVariant> m_variants;        //!< in the order of Add()
    std::set<std::string> m_topologies;         //!< that were built without complaint
};

} // namespace ns3

#endif // DPDL_CAMPAIGN_H
