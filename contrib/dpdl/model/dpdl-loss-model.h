// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LOSS_MODEL_H
#define DPDL_LOSS_MODEL_H

#include "dpdl/algorithm/share.h"

#include "ns3/error-model.h"
#include "ns3/object-factory.h"

#include <map>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Base class of loss models, which drop messages in message mode in addition to the drop
 *        probability and the failures.
 *
 * Derive a custom loss model from this class, and pass it to DpdlHelper::SetLossModel().
 */
class DpdlLossModel : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Decides if a message is lost; called once for each transmission, when it is sent.
     * @param share share of the message, with its source, target, round and chunk
     * @param packet packet of the message, with its size on the wire
     * @return true if the message is lost
     */
    bool IsLost(const ::dpdl::Share& share, Ptr<const Packet> packet)
    {
        return DoIsLost(share, packet);
    }

    /**
     * @brief Assigns fixed streams to the random variables.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream)
    {
        return DoAssignStreams(stream);
    }

  private:
    /**
     * @brief Implements IsLost().
     * @param share share that the message carries
     * @param packet packet of the message
     * @return true if the message is lost
     */
    virtual bool DoIsLost(const ::dpdl::Share& share, Ptr<const Packet> packet) = 0;

    /**
     * @brief Implements AssignStreams(); by default there is nothing to assign.
     * @param stream first stream index to use
     * @return the number of streams used
     */
    virtual int64_t DoAssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }
};

/**
 * @ingroup dpdl
 *
 * @brief Loss model with a separate ns3::ErrorModel for each directed link.
 *
 * A link's model is created when the link first carries a message. AssignStreams() gives the random
 * variables that are attributes of a link's model streams that depend only on the first stream,
 * source and target.
 */
class DpdlErrorModelLoss : public DpdlLossModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Returns @p type. @throws dpdl::UsageError if it is no subclass of ns3::ErrorModel
    static std::string RequireErrorModel(const std::string& type);

    /**
     * @brief Sets the model of one link.
     * @param source number of the sending node in the run
     * @param target number of the receiving node
     * @param model drops messages of this link; empty: it drops none
     */
    void SetErrorModel(uint32_t source, uint32_t target, Ptr<ErrorModel> model);

  private:
    /// Source and target node of a directed link, by their numbers in the run.
    using Link = std::pair<uint32_t, uint32_t>;

    bool DoIsLost(const ::dpdl::Share& share, Ptr<const Packet> packet) override;
    int64_t DoAssignStreams(int64_t stream) override;
    void AssignStreams(const Link& link, Ptr<ErrorModel> model) const;

    ObjectFactory m_factory; //!< creates the error model of each link
    /// Error models of the links used so far; an empty model drops nothing.
    std::map<Link, Ptr<ErrorModel>> m_links;
    int64_t m_stream{-1}; //!< first random stream of all models; -1: not assigned
};

} // namespace ns3

#endif // DPDL_LOSS_MODEL_H
