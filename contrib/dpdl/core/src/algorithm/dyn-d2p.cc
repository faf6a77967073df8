// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"
#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace dpdl
{

namespace
{

/// Registers an algorithm of the Dyn-D2P paper.
/// @param where algorithm or section of the paper
/// @param clipDecay default of option clipDecay
/// @param muGrowth default of option muGrowth
void
AddVariant(Registry<Algorithm>& registry,
           const std::string& name,
           const std::string& summary,
           const std::string& where,
           double clipDecay,
           double muGrowth)
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  "Zhu et al., IJCAI 2025 (arXiv:2505.06651), " + where,
                  {},
                  "mu_0 from a rigorous accountant at rate B/J",
                  "mu_0 from the GDP limit theorem at p = 1/J, plain step"},
                 {{}, [=](const HyperParameters& /* hyper */) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 1.0;
                      preset.clip = 2.0;
                      preset.clipDecay = clipDecay;
                      preset.muGrowth = muGrowth;
                      return preset;
                  }});
}

/**
 * @brief Schedule of clip norms C_k and relative noise standard deviations that a table lists
 *        (Dyn-D2P, Algorithm 2).
 *
 *     round,clip,noise
 *     0,7,1
 *     500,5,0.6
 *
 * Each row applies from its round until the next row. `noise` is the standard deviation C_k / mu_k
 * of the noise, up to a factor that calibration determines.
 */
class FileSchedule
{
  public:
    /**
     * @param path path of the table's file
     * @throws UsageError naming file, line and value if the file cannot be read or a number is not
     *        positive, or if the rounds do not begin with 0 or are not ascending
     */
    explicit FileSchedule(const std::string& path)
    {
        constexpr const char* KIND = "round schedule";
        constexpr const char* HEADER = "round,clip,noise";
        std::ifstream file = OpenCsv(path, KIND);
        for (const CsvRow& row : ParseCsv(file, KIND, path, HEADER))
        {
            Add(row);
        }
        DPDL_REFUSE_IF(m_parts.empty(),
                       std::string(KIND) + " '" + path +
                           "' has no row; expected one for round "
                           "0 behind the header " +
                           HEADER);
    }

    void operator()(RoundShape& shape, Round round, Round /* rounds */) const
    {
        const auto next =
            std::upper_bound(m_parts.begin(), m_parts.end(), round, [](Round k, const Part& part) {
                return k < part.from;
            });
        const Part& part = *std::prev(next);
        shape.clip = part.clip;
        shape.unit = part.clip;
        shape.strength = part.clip / part.noise;
    }

  private:
    /// A row of the table: clip norm and relative noise standard deviation from a round on.
    struct Part
    {
        Round from{0};    ///< first round in which the row applies
        double clip{0.0}; ///< clip norm C_k in this range of rounds
        /// Standard deviation C_k / mu_k of the noise, up to a factor common to all rows.
        double noise{0.0};
    };

    void Add(const CsvRow& row)
    {
        const auto positive = [&row](std::size_t field, const char* name) {
            return ParseNumber(row.place + ", " + name,
                               Excerpt(row.fields[field]),
                               "a number > 0",
                               [](double value) { return value > 0.0; });
        };
        const std::string text = Excerpt(row.fields[0]);
        const std::string what = row.place + ", round";
        Part part;
        part.from =
            static_cast<Round>(ParseInteger(what, text, 0, std::numeric_limits<Round>::max()));
        DPDL_REFUSE_IF(m_parts.empty() && part.from != 0, what, text, "0 in the first row");
        DPDL_REFUSE_IF(!m_parts.empty() && part.from <= m_parts.back().from,
                       what,
                       text,
                       "a round behind that of the row above");
        part.clip = positive(1, "clip");
        part.noise = positive(2, "noise");
        m_parts.push_back(part);
    }

    std::vector<Part> m_parts; ///< rows of the table, ascending by round
};

} // namespace

void
AddDynD2p(Registry<Algorithm>& registry)
{
    AddVariant(registry,
               "dyn-d2p",
               "gradient push; clip bound falls and noise multiplier falls over the rounds",
               "Algorithm 1",
               3.0,
               2.0);
    AddVariant(registry,
               "const-d2p",
               "gradient push with constant clip bound and noise",
               "Algorithm 5",
               1.0,
               1.0);
    AddVariant(registry,
               "dyn-c-d2p",
               "gradient push; clip bound falls, noise multiplier constant",
               "Algorithm 3",
               3.0,
               1.0);
    AddVariant(registry,
               "dyn-mu-d2p",
               "gradient push; clip bound constant, noise multiplier falls",
               "Algorithm 4",
               1.0,
               2.0);
}

void
AddDynD2pGeneral(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"dyn-d2p-general",
                  "gradient push; clip bound and noise by a table, option scheduleFile",
                  "Zhu et al., IJCAI 2025 (arXiv:2505.06651), Algorithm 2",
                  {{"scheduleFile", "", "round,clip,noise; without it both are constant"},
                   {"equation 10",
                    "",
                    "not used: it needs mu_k <= 1.12, and prescribes too little "
                    "noise by factors beyond"}},
                  "common factor of the noise from a rigorous accountant at rate B/J",
                  "the factor from the GDP limit theorem at p = 1/J, plain step"},
                 {{}, [](const HyperParameters&) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 1.0;
                      preset.clip = 2.0;
                      preset.readSchedule = [](const std::string& path) {
                          return FileSchedule(path);
                      };
                      return preset;
                  }});
}

} // namespace dpdl
