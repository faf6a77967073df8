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
 * @brief Drops packets at a receiving device, with separate parameters for each sender: all packets
 *        while the link is down, else independent or bursty random losses.
 *
 * On a shared medium the model identifies the sender by the source address of Ethernet, WiFi or
 * IEEE 802.15.4. Behind routers it uses the IP source address. Packets of senders that were not
 * added pass. The fate of a packet is a function of the seed, the link, and the packet's number on
 * that link.
 */
class DpdlLinkErrorModel : public ErrorModel
{
  public:
    /// Format of received frames, which determines where the sender's address is.
    enum class Frame
    {
        POINT_TO_POINT, ///< no address in the frame; the device has only one sender
        ETHERNET,       ///< source address of an Ethernet header (CSMA)
        WIFI,           ///< second address of an IEEE 802.11 header
        LR_WPAN,        ///< source address of an IEEE 802.15.4 header, 16 or 64 bits
        IP,             ///< no link header: the packet begins with the IP header
    };

    /// Receives every packet that this model drops, with the reason and the receiver's number.
    using DropCallback = std::function<void(Ptr<const Packet>, const ::dpdl::MessageLoss&)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Sets the frame format. @param frame frame format of the device that uses this model
    void SetFrame(Frame frame)
    {
        m_frame = frame;
    }

    /// Chains another error model. @param next error model for the packets that this model passes;
    /// may be empty
    void SetNext(Ptr<ErrorModel> next)
    {
        m_next = next;
    }

    /// Sets a callback for dropped packets. @param callback is called for every packet that this
    /// model drops; empty: none
    void SetDropCallback(DropCallback callback)
    {
        m_dropCallback = std::move(callback);
    }

    /**
     * @brief Adds a sender.
     * @param addresses all IP addresses of the sender's node, if HasNetworkHeader(); unless
     *        @p isRouted, also the address of its device
     * @param isRouted true: the sender's packets pass through routers; requires HasNetworkHeader()
     * @param source number of the sender in the run
     * @param target number of the node that receives
     * @param seed seed from which the losses of the link are drawn
     */
    void AddSender(const std::vector<Address>& addresses,
                   bool isRouted,
                   uint32_t source,
                   uint32_t target,
                   ::dpdl::RandomSeed seed);

    /// True if frames contain the sending device's address, or there is only one sender.
    bool HasLinkHeader() const
    {
        return m_frame != Frame::IP;
    }

    /// True if frames contain the uncompressed IP header; 6LoWPAN compresses it.
    bool HasNetworkHeader() const
    {
        return m_frame != Frame::LR_WPAN;
    }

    /**
     * @brief Sets the loss probability of a link apart from failures.
     * @param source number of an added sender; aborts the program if there is none
     * @param probability probability of a packet's loss, [0, 1]
     */
    void SetDropProbability(uint32_t source, double probability);

    /**
     * @brief Sets the effect of failures on a link; the delay and rate in @p condition are ignored.
     * @param source number of an added sender; aborts the program if there is none
     * @param condition condition of the sender's link
     */
    void SetCondition(uint32_t source, const ::dpdl::LinkCondition& condition);

  private:
    /// A sender and the state of its link.
    struct Sender
    {
        /// @param losses random stream that decides which packets of the link are lost
        explicit Sender(const ::dpdl::RandomStream& losses)
            : stream(losses)
        {
        }

        /// Addresses that identify the sender, with their bytes as in the frame; one of them must
        /// match.
        std::vector<std::vector<uint8_t>> addresses;
        bool isRouted{false};            //!< true: the addresses are IP addresses
        uint32_t source{0};              //!< number of the sender in the run
        uint32_t target{0};              //!< number of the receiver in the run
        ::dpdl::RandomStream stream;     //!< random numbers of the link's losses
        uint64_t draws{0};               //!< number of draws from the stream so far
        double drop{0.0};                //!< probability of a packet's loss apart from failures
        ::dpdl::LinkCondition condition; //!< effect of failures on the link
        bool isBad{false};               //!< true: the Gilbert-Elliott chain is in the bad state
    };

    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;
    Sender& Find(uint32_t source);
    std::optional<::dpdl::DropReason> LossOf(Sender& sender) const;

    Frame m_frame{Frame::POINT_TO_POINT}; //!< frame format of the device that holds this model
    Ptr<ErrorModel> m_next; //!< error model for the packets that this model passes; empty: none
    DropCallback m_dropCallback;   //!< receives dropped packets; empty: not reported
    std::vector<Sender> m_senders; //!< senders, in the order of AddSender()
};

} // namespace ns3

#endif // DPDL_LINK_ERROR_MODEL_H
