// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef PAPER_STUDY_H
#define PAPER_STUDY_H

#include "ns3/dpdl-campaign.h"

#include <string>

/**
 * @brief A scenario that runs the experiments of a paper again, table by table.
 *
 * Option `study` names a table or figure, papers/NAME/STUDY.toml beside the scenarios, or any file
 * of that form. Without `full` the runs have the reduced size that the file states.
 */
class PaperStudy
{
  public:
    /**
     * @param name of the scenario and of its folder
     * @param summary one line for `--help`
     */
    PaperStudy(const std::string& name, const std::string& summary);

    /// Reads the command line and runs the study. @return the exit status
    int Main(int argc, char* argv[]);

  private:
    std::string PathOfStudy() const;
    void Plan();

    std::string m_name;           ///< of the scenario
    ns3::DpdlCampaign m_campaign; ///< makes the runs
    std::string m_study;          ///< option study
    bool m_full{false};           ///< option full
};

#endif // PAPER_STUDY_H
