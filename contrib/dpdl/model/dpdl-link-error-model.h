// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LINK_ERROR_MODEL_H
#define DPDL_LINK_ERROR_MODEL_H

#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/base/random.h"
#include "dpdl/network/network-state.h"

#include "ns3/address.h"
#include "ns3/error-model.h"

#include <functional>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Loss at a receiving device, for each sender on its own: down, independent, in bursts.
 *
 * On a medium with several senders the frame names its sender: by the source address of Ethernet,
 * WiFi or IEEE 802.15.4. The source address of IP names a sender behind routers. Packets of senders
 * that were not added pass. What a packet's fate is depends on the seed, the link, and the number
 * of the packet on it only.
 */
class DpdlLinkErrorModel : public ErrorModel
{
  public:
    /// Place of the sender's address in a frame.
    enum class Frame
    {
        POINT_TO_POINT, ///< nowhere: there is one sender
        ETHERNET,       ///< CSMA
        WIFI,           ///< second address of an IEEE 802.11 header
        LR_WPAN,        ///< IEEE 802.15.4, source address of either length
        IP,             ///< nowhere: the packet begins with the header of IP
    };

    /// Receives every packet that this model drops, why, and the receiver's number in the run.
    using DropCallback = std::function<void(Ptr<const Packet>, const ::dpdl::MessageLoss&)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param frame of the device that this model is given to
    void SetFrame(Frame frame);

    /// @param next also decides about the packets that this model lets pass; may be empty
    void SetNext(Ptr<ErrorModel> next);

    /// @param callback receives dropped packets; may be empty
    void SetDropCallback(DropCallback callback);

    /**
     * @brief Adds a sender.
     * @param address of its device
     * @param source its number in the run
     * @param target number of the node that receives
     * @param seed of the losses
     */
    void AddSender(const Address& address,
                   uint32_t source,
                   uint32_t target,
                   ::dpdl::RandomSeed seed);

    /**
     * @brief Adds a sender whose packets come through routers, if HasNetworkHeader().
     * @param addresses of its node, IPv4 or IPv6
     * @param source its number in the run
     * @param target number of the node that receives
     * @param seed of the losses
     */
    void AddRoutedSender(const std::vector<Address>& addresses,
                         uint32_t source,
                         uint32_t target,
                         ::dpdl::RandomSeed seed);

    /// True if frames name the device that sent them, or there is only one.
    bool HasLinkHeader() const;

    /// True if frames hold the header of IP uncompressed; 6LoWPAN compresses it.
    bool HasNetworkHeader() const;

    /**
     * @brief Sets the link's own loss.
     * @param source an added sender
     * @param probability of a packet's loss, [0, 1]
     */
    void SetDropProbability(uint32_t source, double probability);

    /**
     * @brief Sets what failures do to a link; delay and rate are ignored.
     * @param source an added sender
     * @param condition of its link
     */
    void SetCondition(uint32_t source, const ::dpdl::LinkCondition& condition);

  private:
    /// A sender and the state of its link.
    struct Sender
    {
        /// @param losses what the link's losses are drawn from
        explicit Sender(const ::dpdl::RandomStream& losses)
            : stream(losses)
        {
        }

        std::vector<std::vector<uint8_t>> addresses; //!< bytes as in the frame; any of them
        bool isRouted{false};                        //!< the addresses are those of IP
        uint32_t source{0};                          //!< its number in the run
        uint32_t target{0};                          //!< number of the receiver
        ::dpdl::RandomStream stream;                 //!< of its losses
        uint64_t draws{0};                           //!< taken from the stream
        double drop{0.0};                            //!< see SetDropProbability()
        ::dpdl::LinkCondition condition;             //!< see SetCondition()
        bool isBad{false};                           //!< state of the burst
    };

    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;
    void DoDispose() override;
    Sender& Add(uint32_t source, uint32_t target, ::dpdl::RandomSeed seed);
    Sender& Find(uint32_t source);
    std::optional<::dpdl::DropReason> LossOf(Sender& sender) const;

    Frame m_frame{Frame::POINT_TO_POINT}; //!< see SetFrame()
    Ptr<ErrorModel> m_next;               //!< see SetNext()
    DropCallback m_dropCallback;          //!< see SetDropCallback()
    std::vector<Sender> m_senders;        //!< in order of their addition
};

} // namespace ns3

#endif // DPDL_LINK_ERROR_MODEL_H
