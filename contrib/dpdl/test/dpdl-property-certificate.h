// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PROPERTY_CERTIFICATE_H
#define DPDL_PROPERTY_CERTIFICATE_H

#include "dpdl-drawn-noise.h"
#include "dpdl-property-draws.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/trace/trace-reader.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdltest
{

/**
 * @brief The certificates of a run with correlated noise in which an example is in every batch that
 *        it may be in, against an adversary who has every release that the run made, and as many
 *        colluders as the certificates allow for; nodes that leak are among them.
 */
class PropertyCertificate
{
  public:
    /// Round and node of what was released.
    using Releases = std::set<std::pair<dpdl::Round, dpdl::NodeId>>;

    /**
     * @param experiment finished
     * @param trace of it
     * @param releases of the run
     * @param number names the random choice of colluders
     */
    PropertyCertificate(dpdl::Experiment& experiment,
                        const dpdl::TraceReader& trace,
                        Releases releases,
                        uint32_t number)
        : m_plan(experiment.Plan()),
          m_trace(trace),
          m_releases(std::move(releases)),
          m_nodes(experiment.Settings().nodes),
          m_isOverRounds(!experiment.Plan().Settings().algorithm.sharesNoise)
    {
        PropertyDraws draws(number + 0x40000000U);
        m_leakers = experiment.Settings().leakers.Members();
        m_colluders = m_leakers;
        while (m_colluders.size() < trace.SummaryNumber("colluders").value_or(0.0))
        {
            m_colluders.push_back(draws.Below(m_nodes));
        }
    }

    /// The first certificate that is too low, one line; "" if none is.
    std::string Fault() const
    {
        const std::vector<double> squares = m_isOverRounds ? OverRounds() : OverNodes();
        std::string fault;
        m_trace.ReadGuarantees(m_nodes, [&](const dpdl::GuaranteeByNode& row) {
            const double clip = m_plan.At(row.node, 0).clip;
            const double mu = clip * std::sqrt(squares[row.node]);
            for (const double epsilon : {row.certified, row.asSent.value_or(row.certified)})
            {
                if (std::isfinite(epsilon) &&
                    !(DeltaOfGaussian(epsilon, mu) <= row.delta * (1.0 + 1e-6)))
                {
                    fault = "node " + std::to_string(row.node) + " is certified " +
                            std::to_string(epsilon) + ", and has released mu " + std::to_string(mu);
                }
            }
        });
        return fault.empty() ? OrderFault() : fault;
    }

  private:
    /// What was sent is certified no more than what the ledger counts, and that no more than the
    /// plan, if no node leaks.
    std::string OrderFault() const
    {
        const double certified = m_trace.SummaryNumber("epsilon_certified").value_or(0.0);
        const double sent = m_trace.SummaryNumber("epsilon_as_sent").value_or(certified);
        const double planned = m_trace.SummaryNumber("epsilon_planned").value_or(certified);
        const bool isOrdered = sent <= certified && (certified <= planned || !m_leakers.empty());
        return isOrdered ? ""
                         : "as sent " + std::to_string(sent) + ", certified " +
                               std::to_string(certified) + ", planned " + std::to_string(planned);
    }

    /// By node, the sum over rounds of 1 / the variance that hides its release.
    std::vector<double> OverNodes() const
    {
        std::vector<double> squares(m_nodes, 0.0);
        for (dpdl::Round round = 0; round < m_plan.Rounds(); ++round)
        {
            std::vector<double> deviations;
            std::vector<bool> made;
            for (dpdl::NodeId node = 0; node < m_nodes; ++node)
            {
                deviations.push_back(m_plan.At(node, round).noise);
                made.push_back(m_releases.count({round, node}) > 0);
            }
            const auto& settings = m_plan.Settings();
            const DrawnRound drawn(*settings.noiseSource, settings.seed, round, deviations);
            const std::vector<double> added = drawn.Squares(made, m_colluders);
            for (dpdl::NodeId node = 0; node < m_nodes; ++node)
            {
                const bool leaks =
                    std::binary_search(m_leakers.begin(), m_leakers.end(), node) && made[node];
                squares[node] += leaks ? drawn.SquareAlone(node) : added[node];
            }
        }
        return squares;
    }

    /// By node, for the example that moves most.
    std::vector<double> OverRounds() const
    {
        std::vector<double> squares(m_nodes, 0.0);
        for (dpdl::NodeId node = 0; node < m_nodes; ++node)
        {
            std::vector<double> deviations;
            std::vector<std::size_t> seen;
            for (dpdl::Round round = 0; round < m_plan.Rounds(); ++round)
            {
                deviations.push_back(m_plan.At(node, round).noise);
                if (m_releases.count({round, node}) > 0)
                {
                    seen.push_back(round);
                }
            }
            const auto& settings = m_plan.Settings();
            const Matrix weights =
                DrawnRounds(*settings.noiseSource, settings.seed, node, deviations);
            squares[node] = WorstSquare(weights, seen, settings.algorithm.sampledParts);
        }
        return squares;
    }

    const dpdl::LearningPlan& m_plan;      ///< of the run
    const dpdl::TraceReader& m_trace;      ///< of the run
    Releases m_releases;                   ///< of the run
    std::size_t m_nodes;                   ///< of the run
    bool m_isOverRounds;                   ///< noise is correlated over rounds, not nodes
    std::vector<dpdl::NodeId> m_leakers;   ///< whose secrets are known
    std::vector<dpdl::NodeId> m_colluders; ///< who give away their noise and secrets, and they
};

} // namespace dpdltest

#endif // DPDL_PROPERTY_CERTIFICATE_H
