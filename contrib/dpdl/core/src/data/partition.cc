// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/partition.h"

#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

// Partitions of the training examples over the nodes. The random numbers depend on the seed alone.

namespace dpdl
{

namespace
{

/// Iterates over the uniform random numbers of a random stream.
class Uniforms
{
  public:
    explicit Uniforms(const RandomStream& stream)
        : m_stream(stream)
    {
    }

    /// Next uniform random number, in (0, 1].
    double Next()
    {
        return 1.0 - m_stream.Uniform(m_element++);
    }

    double NextNormal()
    {
        const double radius = std::sqrt(-2.0 * std::log(Next()));
        constexpr double TWO_PI = 6.283185307179586;
        return radius * std::cos(TWO_PI * Next());
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_element{0};
};

/// Draws a gamma variate and returns its logarithm.
/// @param shape shape of the distribution, at least 1; its scale is 1
double
LogGammaVariate(Uniforms& uniforms, double shape)
{
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    while (true)
    {
        const double x = uniforms.NextNormal();
        const double root = 1.0 + c * x;
        if (root > 0.0)
        {
            const double v = root * root * root;
            if (std::log(uniforms.Next()) < x * x / 2.0 + d * (1.0 - v + std::log(v)))
            {
                return std::log(d * v);
            }
        }
    }
}

/**
 * @brief Draws proportions that add up to 1 from the symmetric Dirichlet distribution.
 *
 * Divides gamma variates by their sum (Marsaglia and Tsang, ACM TOMS 2000), in logarithms, so any
 * small concentration works.
 * @param stream source of the random numbers
 * @param concentration concentration, above 0; large values give nearly equal proportions
 * @param count number of proportions, at least 1
 */
std::vector<double>
DrawDirichlet(const RandomStream& stream, double concentration, std::size_t count)
{
    Uniforms uniforms(stream);
    std::vector<double> shares(count);
    for (double& share : shares)
    {
        // A gamma variate of shape a has the distribution of U^(1/a) times a variate of shape a +
        // 1.
        share = LogGammaVariate(uniforms, concentration + 1.0);
        share += std::log(uniforms.Next()) / concentration;
    }
    const double largest = *std::max_element(shares.begin(), shares.end());
    double sum = 0.0;
    for (double& share : shares)
    {
        share = std::exp(share - largest);
        sum += share;
    }
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

/// Cuts a list into consecutive parts of equal length, one per node; the remainder is left out.
Partition
Cut(const std::vector<std::uint32_t>& order, std::size_t nodes)
{
    const std::size_t share = order.size() / nodes;
    Partition partition(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(node * share);
        partition[node].assign(begin, begin + static_cast<std::ptrdiff_t>(share));
    }
    return partition;
}

std::vector<std::uint32_t>
FileOrder(std::size_t examples)
{
    std::vector<std::uint32_t> order(examples);
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

/// Purposes of the random streams of a partition. The value is in the stream's field for the round.
enum class Draw : Round
{
    EXAMPLES = 0,
    SHARDS = 1,
    PROPORTIONS = 2,
};

/// Permutes a list randomly. The permutation depends only on seed, @p draw and the list's length.
void
Shuffle(std::vector<std::uint32_t>& order, RandomSeed seed, Draw draw)
{
    const RandomStream stream(seed, RandomPurpose::PARTITION, 0, static_cast<Round>(draw));
    for (std::size_t left = order.size(); left > 1; --left)
    {
        const std::uint32_t chosen = stream.Integer(left, static_cast<std::uint32_t>(left));
        std::swap(order[left - 1], order[chosen]);
    }
}

Partition
Even(const PartitionRequest& request)
{
    std::vector<std::uint32_t> order = FileOrder(request.labels.size());
    Shuffle(order, request.seed, Draw::EXAMPLES);
    return Cut(order, request.nodes);
}

/// All examples sorted by label, and shuffled within a label.
std::vector<std::uint32_t>
ShuffledByLabel(const std::vector<double>& labels, RandomSeed seed)
{
    std::vector<std::uint32_t> order = FileOrder(labels.size());
    Shuffle(order, seed, Draw::EXAMPLES);
    std::stable_sort(order.begin(), order.end(), [&labels](std::uint32_t a, std::uint32_t b) {
        return labels[a] < labels[b];
    });
    return order;
}

Partition
Dirichlet(const PartitionRequest& request)
{
    const double concentration = ParseNumber("partition 'dirichlet': concentration",
                                             request.parameter,
                                             "a number in [0.001, 1e6]",
                                             [](double a) { return a >= 0.001 && a <= 1e6; });
    const std::vector<double>& labels = request.labels;
    const auto isClass = [](double label) { return label >= 0.0 && label == std::floor(label); };
    DPDL_REFUSE_IF(!std::all_of(labels.begin(), labels.end(), isClass),
                   "partition",
                   "dirichlet",
                   "another partition for a regression, whose labels are no classes");
    const std::vector<std::uint32_t> order = ShuffledByLabel(labels, request.seed);
    Partition partition(request.nodes);
    for (std::size_t begin = 0; begin < order.size();)
    {
        const double label = labels[order[begin]];
        std::size_t end = begin;
        while (end < order.size() && labels[order[end]] == label)
        {
            ++end;
        }
        const RandomStream stream(request.seed,
                                  RandomPurpose::PARTITION,
                                  static_cast<std::uint32_t>(label),
                                  static_cast<Round>(Draw::PROPORTIONS));
        const std::vector<double> shares = DrawDirichlet(stream, concentration, request.nodes);
        double upTo = 0.0;
        std::size_t next = begin;
        for (std::size_t node = 0; node < request.nodes; ++node)
        {
            upTo += shares[node];
            const double exact = upTo * static_cast<double>(end - begin);
            const std::size_t stop =
                node + 1 == request.nodes
                    ? end
                    : std::min(end, begin + static_cast<std::size_t>(std::lround(exact)));
            while (next < stop)
            {
                partition[node].push_back(order[next++]);
            }
        }
        begin = end;
    }
    return partition;
}

Partition
ByClass(const PartitionRequest& request)
{
    const std::vector<double>& labels = request.labels;
    const std::size_t most = labels.size() / request.nodes;
    const std::size_t perNode =
        ParseInteger("partition 'by-class': number of shards a node", request.parameter, 1, most);
    const std::vector<std::uint32_t> order = ShuffledByLabel(labels, request.seed);
    const std::size_t shards = request.nodes * perNode;
    const std::size_t size = order.size() / shards;
    std::vector<std::uint32_t> dealt = FileOrder(shards);
    Shuffle(dealt, request.seed, Draw::SHARDS);
    Partition partition(request.nodes);
    for (std::size_t place = 0; place < shards; ++place)
    {
        const auto begin =
            order.begin() + static_cast<std::ptrdiff_t>(dealt[place] * order.size() / shards);
        std::vector<std::uint32_t>& local = partition[place / perNode];
        local.insert(local.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    return partition;
}

Partition
Given(const PartitionRequest& request)
{
    DPDL_REFUSE_IF(request.owners.empty(),
                   "partition",
                   "given",
                   "a dataset that names the node of each example, as array node_train of an "
                   "npz file does");
    Partition partition(request.nodes);
    for (std::size_t example = 0; example < request.owners.size(); ++example)
    {
        const std::uint32_t owner = request.owners[example];
        DPDL_REFUSE_IF(owner >= request.nodes,
                       "number of nodes",
                       std::to_string(request.nodes),
                       "more than " + std::to_string(owner) + ", the node of example " +
                           std::to_string(example));
        partition[owner].push_back(static_cast<std::uint32_t>(example));
    }
    return partition;
}

} // namespace

const Registry<Partitioner>&
Partitions()
{
    static const auto registry =
        Registry<Partitioner>("partition")
            .Add({"even", "random permutation of all examples, cut into equal shares"}, Even)
            .Add({"contiguous", "equal shares in file order"},
                 [](const PartitionRequest& request) {
                     return Cut(FileOrder(request.labels.size()), request.nodes);
                 })
            .Add({"dirichlet",
                  "each class divided in proportions from a Dirichlet distribution; unequal shares",
                  "Yurochkin et al., ICML 2019, section 4; cf. Hsu, Qi, Brown, arXiv:1909.06335",
                  {{"A", "", "concentration, 0.001 to 1e6; small: few classes a node"}}},
                 Dirichlet)
            .Add({"by-class",
                  "equal shards of the examples sorted by label, S dealt to each node",
                  "McMahan et al., AISTATS 2017, section 3",
                  {{"S", "", "shards a node, from 1; small: few classes a node"}}},
                 ByClass)
            .Add({"given", "each example at the node that the data name for it"}, Given);
    return registry;
}

Partition
MakePartition(const std::string& spec,
              const std::vector<double>& labels,
              std::size_t nodes,
              RandomSeed seed,
              const std::vector<std::uint32_t>& owners)
{
    const std::size_t colon = spec.find(':');
    const std::string name = spec.substr(0, colon);
    const Partitioner& partitioner = Partitions().Get(name);
    const bool hasParameter = colon != std::string::npos;
    const std::vector<ParameterInfo>& parameters = Partitions().Info(name).parameters;
    DPDL_REFUSE_IF(hasParameter == parameters.empty(),
                   "partition",
                   spec,
                   "'" + name +
                       (hasParameter ? "' without a parameter"
                                     : ":" + parameters[0].name + "' with " + parameters[0].name +
                                           ": " + parameters[0].meaning));
    DPDL_REFUSE_IF(nodes == 0 || nodes > labels.size(),
                   "number of nodes",
                   std::to_string(nodes),
                   "1 to " + std::to_string(labels.size()) + ", the number of training examples");
    return partitioner({labels, nodes, seed, hasParameter ? spec.substr(colon + 1) : "", owners});
}

} // namespace dpdl
