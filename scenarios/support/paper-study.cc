// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "paper-study.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/registry.h"
#include "study-file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace
{

/// The studies of a paper, by the names of their files.
std::vector<std::string>
StudiesOf(const std::string& paper)
{
    std::vector<std::string> names;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(PAPERS_FOLDER) / paper;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        names.push_back(entry.path().stem());
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

PaperStudy::PaperStudy(const std::string& name, const std::string& summary)
    : m_name(name),
      m_campaign(name, summary, {})
{
    m_campaign.AddText("study",
                       "which table or figure of the paper; required",
                       dpdl::JoinNames(StudiesOf(name)) + ", or a file of that form",
                       m_study);
    m_campaign.AddFlag("full", "the paper's own size, and not a reduced one", m_full);
}

int
PaperStudy::Main(int argc, char* argv[])
{
    return m_campaign.Main(argc, argv, [this] { Plan(); });
}

std::string
PaperStudy::PathOfStudy() const
{
    const std::vector<std::string> known = StudiesOf(m_name);
    if (std::find(known.begin(), known.end(), m_study) != known.end())
    {
        return std::string(PAPERS_FOLDER) + "/" + m_name + "/" + m_study + ".toml";
    }
    if (m_study.empty())
    {
        throw dpdl::UsageError("option 'study' is required: " + dpdl::JoinNames(known) +
                               ", or a file of that form");
    }
    if (std::filesystem::path(m_study).extension() != ".toml")
    {
        dpdl::ThrowUnknownName("study", m_study, known);
    }
    return m_study;
}

void
PaperStudy::Plan()
{
    const StudyFile file(PathOfStudy());
    const std::string study = std::filesystem::path(m_study).stem();
    m_campaign.SetDefault("outputDir", m_name + "-" + study + "-results");
    for (const auto& [option, value] : file.Settings(m_full))
    {
        m_campaign.SetDefault(option, value);
    }
    m_campaign.AddFile("study.toml", file.Text());
    for (const StudyFile::Words& factors : file.Variants())
    {
        m_campaign.Add(factors, file.ChangesOf(factors));
    }
}
