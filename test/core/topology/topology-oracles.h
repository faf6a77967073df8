// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_TOPOLOGY_ORACLES_H
#define DPDL_TEST_TOPOLOGY_ORACLES_H

#include <array>
#include <boost/property_tree/json_parser.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace dpdl
{

/// What an independent implementation (numpy, with an SVD of the dense matrix) found for a
/// topology.
struct TopologyOracle
{
    std::string topology;            ///< as users write it
    std::size_t nodes;               ///< n
    unsigned windowB;                ///< B, which is also the length of the windows below
    unsigned diameter;               ///< Delta
    double minimumWeight;            ///< e
    double oneMinusQ;                ///< of the bound, 12 digits
    std::array<double, 4> dobrushin; ///< tau of windows 1 to 4, from w = 1 at round 0
    std::array<double, 4> sigma;     ///< largest singular value of the same windows
    double smallestMass;             ///< the smallest w after window 4
    double largestMass;              ///< the largest w after window 4
};

/// The rows of oracles.json.
inline std::vector<TopologyOracle>
TopologyOracles()
{
    boost::property_tree::ptree rows;
    boost::property_tree::read_json(DPDL_SOURCE_DIR "/test/core/topology/oracles.json", rows);
    std::vector<TopologyOracle> oracles;
    for (const auto& entry : rows)
    {
        const auto& row = entry.second;
        TopologyOracle oracle{row.get<std::string>("topology"),
                              row.get<std::size_t>("nodes"),
                              row.get<unsigned>("windowB"),
                              row.get<unsigned>("diameter"),
                              row.get<double>("minimumWeight"),
                              row.get<double>("oneMinusQ"),
                              {},
                              {},
                              row.get<double>("smallestMass"),
                              row.get<double>("largestMass")};
        for (const auto& [name, values] :
             {std::pair{"dobrushin", &oracle.dobrushin}, std::pair{"sigma", &oracle.sigma}})
        {
            std::size_t window = 0;
            for (const auto& value : row.get_child(name))
            {
                values->at(window++) = value.second.get_value<double>();
            }
        }
        oracles.push_back(std::move(oracle));
    }
    return oracles;
}

} // namespace dpdl

#endif // DPDL_TEST_TOPOLOGY_ORACLES_H
