// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/network/movement-file.h"

#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <expat.h>
#include <istream>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

// The C library Expat calls a function for each XML element. No exception may pass through Expat,
// so TakeElement() stores exceptions and FcdCommands() rethrows them. The newest version of Expat
// deprecates XML_GetCurrentLineNumber(), but older versions do not have the replacement.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace dpdl
{

namespace
{

/// State of reading an FCD file (floating car data of SUMO), element by element.
struct FcdReader
{
    using Limits = MovementLimits;

    /// Begins a timestep. Vehicles of the previous timestep leave at @p now, unless the new
    /// timestep has them.
    void TakeTime(double now)
    {
        DPDL_REFUSE_IF(now <= time, Place(), ShowNumber(now), "a time above " + ShowNumber(time));
        before = std::exchange(time, now);
        ++step;
        for (const std::size_t number : present)
        {
            presence[number].stop = now;
        }
        present.clear();
    }

    void TakeVehicle()
    {
        id = Text("id");
        DPDL_REFUSE_IF(id.empty() || time < 0.0, Place(), "vehicle", "id=, in a <timestep time= >");
        auto& [number, seen, place, last] =
            vehicles.try_emplace(id, vehicles.size(), -1.0, Position(), step).first->second;
        DPDL_REFUSE_IF(number > Limits::HIGHEST_NODE,
                       Place(),
                       "the " + std::to_string(number + 1) + "st",
                       "at most " + std::to_string(number) + " vehicles");
        presence.resize(vehicles.size(), Presence{time});
        const bool isNew = seen < 0.0;
        DPDL_REFUSE_IF(seen == time, Place(), "twice", "a vehicle once in a timestep");
        const Position now{Number("x", -FARTHEST_PLACE, FARTHEST_PLACE),
                           Number("y", -FARTHEST_PLACE, FARTHEST_PLACE)};
        const double metres = isNew ? 0.0 : std::sqrt(SquaredDistance(now, place));
        const bool follows = isNew || seen == before;
        const bool hasSpeed = follows && !Text("speed").empty();
        const double speed =
            hasSpeed ? Number("speed", 0.0, Limits::FASTEST) : metres / (time - seen);
        DPDL_REFUSE_IF(speed > Limits::FASTEST,
                       Place(),
                       ShowNumber(speed) + " m/s by x and y",
                       "at most " + ShowNumber(Limits::FASTEST));
        byPlaces += metres;
        bySpeeds += isNew ? 0.0 : speed * (time - seen);
        const std::string set = "$node_(" + std::to_string(number) + ") set";
        const std::string goal = Text("x") + ' ' + Text("y") + ' ' + ShowNumber(speed);
        commands += isNew ? set + " X_ " + Text("x") + '\n' + set + " Y_ " + Text("y") + '\n' : "";
        commands += "$ns_ at " + ShowNumber(follows ? time : seen + (time - before)) + " \"" + set +
                    "dest " + goal + "\"\n";
        seen = time;
        place = now;
        presence[number].missed += follows ? 0 : step - last - 1;
        last = step;
        id.clear();
        present.push_back(number);
    }

    /// Value of an attribute of the current element; "" if the element does not have it.
    std::string Text(const char* name) const
    {
        const char** found = attributes;
        while (*found != nullptr && std::strcmp(*found, name) != 0)
        {
            found += 2;
        }
        return *found == nullptr ? "" : found[1];
    }

    double Number(const char* name, double least, double most) const
    {
        const std::string text = Text(name);
        const double value = FindNumber<double>(text).value_or(NAN);
        DPDL_REFUSE_IF(!(value >= least && value <= most),
                       Place() + ", attribute " + name,
                       Excerpt(text),
                       "a number from " + ShowNumber(least) + " to " + ShowNumber(most));
        return value;
    }

    std::string Place() const
    {
        return file + ", line " + std::to_string(XML_GetCurrentLineNumber(parser)) +
               (id.empty() ? "" : ", vehicle '" + Excerpt(id) + "'");
    }

    std::string file;                 ///< kind and name of the file
    XML_Parser parser;                ///< Expat's parser, which knows the line number
    std::exception_ptr error{};       ///< exception of an element, to rethrow after Expat returns
    const char** attributes{nullptr}; ///< attributes of the current element: name, value, ..., null
    std::string id{};                 ///< id of the current vehicle; "" outside a vehicle
    double time{-std::numeric_limits<double>::infinity()}; ///< time of the current timestep, s
    double before{time};                                   ///< time of the previous timestep, s
    double byPlaces{0.0}; ///< distance driven by all vehicles according to x and y, m
    double bySpeeds{0.0}; ///< distance driven by all vehicles according to speed, m
    std::size_t step{0};  ///< number of the current timestep, from 1
    /// Vehicles; key: id. Value: node number; of the last timestep with the vehicle its time in s,
    /// the vehicle's position, and the timestep's number.
    std::unordered_map<std::string, std::tuple<std::size_t, double, Position, std::size_t>>
        vehicles{};
    std::vector<Presence> presence{};   ///< presence of each vehicle; index: node number
    std::vector<std::size_t> present{}; ///< node numbers of the vehicles in the current timestep
    std::string commands{};             ///< commands of an equivalent ns-2 movement file
};

void
TakeElement(void* data, const char* name, const char** attributes)
{
    auto& fcd = *static_cast<FcdReader*>(data);
    const std::string element = Excerpt(name);
    try
    {
        const bool isRoot = std::exchange(fcd.attributes, attributes) == nullptr;
        DPDL_REFUSE_IF(isRoot && element != "fcd-export", fcd.Place(), element, "fcd-export");
        if (element == "timestep")
        {
            fcd.TakeTime(fcd.Number("time", 0.0, MovementLimits::LATEST));
        }
        else if (element == "vehicle")
        {
            fcd.TakeVehicle();
        }
    }
    catch (...)
    {
        fcd.error = std::current_exception();
        XML_StopParser(fcd.parser, XML_FALSE);
    }
}

} // namespace

std::pair<std::string, std::vector<Presence>>
FcdCommands(std::istream& xml, const std::string& file)
{
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
        XML_ParserCreate(nullptr),
        XML_ParserFree);
    FcdReader fcd{file, parser.get()};
    XML_SetUserData(fcd.parser, &fcd);
    XML_SetStartElementHandler(fcd.parser, TakeElement);
    for (std::array<char, 1 << 16> part{}; xml;)
    {
        xml.read(part.data(), part.size());
        const auto bytes = static_cast<int>(xml.gcount());
        const bool isRead = XML_Parse(fcd.parser, part.data(), bytes, xml ? 0 : 1) != 0;
        if (fcd.error)
        {
            std::rethrow_exception(fcd.error);
        }
        const char* const error = XML_ErrorString(XML_GetErrorCode(fcd.parser));
        DPDL_REFUSE_IF(!isRead, fcd.Place(), error, "XML, as sumo --fcd-output writes it");
    }
    fcd.TakeTime(fcd.time - fcd.before + fcd.time);
    DPDL_REFUSE_IF(fcd.presence.empty(), file + " has no vehicle; expected <vehicle id= x= y= >");
    DPDL_REFUSE_IF(fcd.bySpeeds > 1.0 && fcd.byPlaces < 0.01 * fcd.bySpeeds,
                   file + ", metres driven by x and y",
                   ShowRounded(fcd.byPlaces, 3),
                   ShowRounded(fcd.bySpeeds, 3) + " as by speed, without --fcd-output.geo");
    return {std::move(fcd.commands), std::move(fcd.presence)};
}

} // namespace dpdl
