// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef STUDY_FILE_H
#define STUDY_FILE_H

#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @brief What a study consists of: shared options, what is varied, and options of single variants.
 *
 * A TOML file; doc/formats/study.md describes it.
 */
class StudyFile
{
  public:
    /// Names with their values.
    using Words = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param path of the file
     * @throws dpdl::UsageError naming file and line if it cannot be read or says something else
     */
    explicit StudyFile(const std::string& path);

    /// Whole content of the file.
    const std::string& Text() const
    {
        return m_text;
    }

    /// Shared options. @param full as in the paper, and not at the reduced size
    Words Settings(bool full) const;

    /// The factors of every variant.
    std::vector<Words> Variants() const;

    /// Options of a variant besides its factors.
    Words ChangesOf(const Words& factors) const;

  private:
    /// Options of the variants that have all these factors.
    struct Rule
    {
        Words factors; ///< what a variant has to have
        Words options; ///< what it gets
    };

    bool Applies(const Rule& rule, const Words& factors) const;

    std::string m_path;                                                   ///< of the file
    std::string m_text;                                                   ///< see Text()
    Words m_settings;                                                     ///< at the reduced size
    Words m_full;                                                         ///< what differs in full
    std::vector<std::pair<std::string, std::vector<std::string>>> m_vary; ///< factors, crossed
    std::vector<Words> m_also;                                            ///< further variants
    std::vector<Rule> m_rules; ///< in the order of the file
};

#endif // STUDY_FILE_H
