// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_CALIBRATION_H
#define DPDL_CALIBRATION_H

#include "dpdl-link-probe.h"
#include "dpdl/experiment/run-options.h"

#include <iosfwd>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Fits the links of message mode (one event per message) to packet mode (ns-3's packets),
 *        and reports the relative errors of message durations.
 *
 * In packet mode, every link of the topology carries messages of three sizes, alone and in bursts.
 * The durations of these messages determine the parameters of each link in message mode. Then the
 * same messages are simulated in message mode. Their durations relative to packet mode give the
 * errors of the fit. A test set of messages, sent over all links at once, is simulated in both
 * modes and not used for the fit.
 */
class DpdlCalibration
{
  public:
    /// First line of every link file that a calibration writes; identifies such files.
    static constexpr const char* FIRST_LINE = "# Links of message mode, fitted to packets.";

    /**
     * @brief Simulates the messages and fits all links.
     * @param settings options of a run; used are topology, nodes, rounds, transport, dataRate,
     *        delay, drop, seed and model. The largest message has the size of the model
     * @param burst number of messages sent at the same time to measure a link's queue, at least 2
     * @throws dpdl::UsageError naming the option that is not accepted, for example if the topology
     *        has no edges
     * @throws dpdl::Error if too few messages arrive to fit a link
     */
    DpdlCalibration(const ::dpdl::RunOptions& settings, uint32_t burst);

    /**
     * @brief Writes the links as a link file for `--dataRate=file:PATH`, with the relative errors
     *        of message durations in comments.
     * @param out receives the file
     */
    void WriteLinkFile(std::ostream& out) const;

    /// Writes the fitted parameters and the relative errors of each link as a table for the
    /// terminal.
    /// @param out receives the table
    void WriteTable(std::ostream& out) const;

    /// Writes the fitted parameters and the relative errors of each link as one JSON object.
    /// @param out receives the object
    void WriteJson(std::ostream& out) const;

  private:
    /// Fitted parameters of a link.
    struct Link
    {
        ::dpdl::Edge ends;          //!< source and target of the link
        ::dpdl::LinkParameters fit; //!< parameters of the link for message mode
        /// Errors of message durations on this link in message mode, relative to packet mode.
        ::dpdl::DurationError error;
    };

    std::vector<::dpdl::Edge> EdgesOf(const ::dpdl::GraphSequence& graph) const;
    std::vector<::dpdl::TimedMessage> TimePackets(
        const std::vector<DpdlLinkProbe::Volley>& volleys) const;
    std::vector<::dpdl::TimedMessage> TimeMessages(
        const std::vector<DpdlLinkProbe::Volley>& volleys) const;
    void WriteLinks(std::ostream& out) const;

    ::dpdl::RunOptions m_settings; //!< options of the run whose links are fitted
    std::vector<uint64_t> m_sizes; //!< sizes of the messages in bytes, in ascending order
    std::vector<Link> m_links; //!< links that the topology uses in the run; in the first 16 rounds
                               //!< if it is aperiodic
    /// Errors of message durations relative to packet mode, if one link at a time is used.
    ::dpdl::DurationError m_fitted;
    /// Errors of message durations relative to packet mode, if all links are used at once.
    ::dpdl::DurationError m_allAtOnce;
};

} // namespace ns3

#endif // DPDL_CALIBRATION_H
