// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lr-wpan-meter.h"

#include "ns3/lr-wpan-mac.h"
#include "ns3/lr-wpan-phy.h"
#include "ns3/simulator.h"

#include <map>

namespace ns3
{

namespace
{

/// Converts ns-3's number of a transceiver state (IEEE 802.15.4-2006, table 16) to a state of
/// DpdlRadio.
DpdlRadio::State
StateOf(int number)
{
    static const std::map<int, DpdlRadio::State> states{{1, DpdlRadio::State::RECEIVING}, // BUSY_RX
                                                        {2, DpdlRadio::State::SENDING},   // BUSY_TX
                                                        {6, DpdlRadio::State::LISTENING}, // RX_ON
                                                        {9, DpdlRadio::State::SENDING}};  // TX_ON
    const auto found = states.find(number);
    return found == states.end() ? DpdlRadio::State::OFF : found->second;
}

template <typename STATE>
void
OnState(Ptr<DpdlRadio> radio, Time, STATE, STATE state)
{
    radio->Switch(StateOf(static_cast<int>(state)));
}

/// Callback for trace source TrxState. The function is a template because the name of the state
/// type depends on ns-3's version.
template <typename STATE>
CallbackBase
StateCallback(Ptr<DpdlRadio> radio, void (*)(Time, STATE, STATE))
{
    return MakeBoundCallback(&OnState<STATE>, radio);
}

} // namespace

void
ConnectDpdlRadio(Ptr<DpdlRadio> meter, Ptr<lrwpan::LrWpanNetDevice> device, Time awake, Time period)
{
    const Ptr<lrwpan::LrWpanPhy> phy = device->GetPhy();
    const lrwpan::LrWpanPhy::StateTracedCallback signature = nullptr;
    phy->TraceConnectWithoutContext("TrxState", StateCallback(meter, signature));
    const Ptr<lrwpan::LrWpanMac> mac = device->GetMac();
    using OfFrame = Callback<void, Ptr<const Packet>>;
    phy->TraceConnectWithoutContext("PhyTxBegin",
                                    OfFrame([meter](Ptr<const Packet>) { ++meter->Count().sent; }));
    mac->TraceConnectWithoutContext("MacTxDrop", OfFrame([meter](Ptr<const Packet>) {
                                        ++meter->Count().givenUp;
                                    }));
    // Switch the radio off when its node loses power. When power returns during the awake time,
    // switch it on.
    meter->TraceConnectWithoutContext("Powered",
                                      Callback<void, bool>([mac, awake, period](bool isPowered) {
                                          mac->SetRxOnWhenIdle(isPowered &&
                                                               Simulator::Now() % period < awake);
                                      }));
}

} // namespace ns3
