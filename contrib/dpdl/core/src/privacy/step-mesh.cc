// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-mesh.h"

#include <cmath>
#include <map>
#include <tuple>

// Builds a mesh: places lines over sampling rate and mu, and assigns steps to cells. Increases the
// distance of the lines until the number of corners is small enough.

namespace dpdl
{

namespace
{

/// Distance of mesh lines on the scales of MeshLines. It starts at FINEST and is multiplied by
/// COARSER until the number of corners is small enough or the distance exceeds COARSEST.
constexpr double FINEST = 0.03;
constexpr double COARSER = 1.1;
constexpr double COARSEST = 1e4;
/// Largest number of mesh corners: the number of different steps / STEPS_PER_CORNER, but at least
/// FEW_CORNERS and at most MOST_CORNERS.
constexpr std::size_t FEW_CORNERS = 800;
constexpr std::size_t MOST_CORNERS = 1600;
constexpr std::size_t STEPS_PER_CORNER = 3;
/// Amount by which the interpolation weights of the corners with the larger rate or shift are
/// rounded up.
constexpr double WEIGHT_ROUNDING = 1e-12;
/// If more than this number of different mu are within a factor of two, they are interpolated,
/// which takes about this number of dominating pairs.
constexpr std::size_t MOST_IN_PIECE = 30;
/// Largest number of different sampling rates that Sketch() returns for one mu.
constexpr std::size_t RATE_BLOCKS = 3;
/// Approximate largest number of probes: steps at which the effect of mixing corners on epsilon is
/// estimated.
constexpr std::size_t PROBES = 200;

/// Kind of noise, kind of sampling, and muReplace / muAddRemove, common to all steps of a mesh.
using MeshKey = std::tuple<NoiseKind, Amplification, double>;

struct CountedKind
{
    PrivacyStep step;
    double count{0.0};
};

/// Returns s(high) - s(low). s(m) is the total variation distance of two noisy outputs whose sums
/// are m noise scales (for Gaussian noise: standard deviations) apart. For Laplace noise the result
/// is multiplied by exp(low / 2).
double
Variation(NoiseKind noise, double low, double high)
{
    if (noise == NoiseKind::LAPLACE)
    {
        // The factor exp(low / 2) cancels, because callers only divide results with equal @p low.
        return -std::expm1(0.5 * (low - high));
    }
    const double scale = std::sqrt(0.125);
    return low < 1.0 ? std::erf(scale * high) - std::erf(scale * low)
                     : std::erfc(scale * low) - std::erfc(scale * high);
}

/// Distance, in noise scales (Gaussian: standard deviations), of the gradient sums of PairsOf().
double
Distance(const PrivacyStep& step, Adjacency adjacency)
{
    if (step.sampling == Amplification::POISSON && step.noise == NoiseKind::GAUSSIAN &&
        adjacency == Adjacency::REPLACE && step.muReplace > step.muAddRemove)
    {
        return 2.0 * step.muAddRemove;
    }
    return step.Distance(adjacency);
}

/// Interpolation weight in [0, 1] of the upper end of an interval of length @p whole, for a point
/// at distance @p part from the lower end. The weight is rounded up.
double
WeightOf(double part, double whole)
{
    return whole > 0.0 ? std::clamp(part / whole + (part > 0.0 ? WEIGHT_ROUNDING : 0.0), 0.0, 1.0)
                       : 1.0;
}

/// A mesh over sampling rate and mu. Places mesh lines and assigns steps to cells.
class Mesh
{
  public:
    Mesh(MeshKey key, std::vector<CountedKind> steps, Adjacency adjacency)
        : m_key(std::move(key)),
          m_steps(std::move(steps)),
          m_adjacency(adjacency),
          m_lowRate(m_steps.front().step.rate),
          m_highRate(m_lowRate),
          m_lowMu(m_steps.front().step.muAddRemove),
          m_highMu(m_lowMu),
          m_rates(MeshLines::OverRates(m_lowRate, m_lowRate, 1.0)),
          m_mus(MeshLines::OverMus(m_lowMu, m_lowMu, 1.0))
    {
        for (const CountedKind& kind : m_steps)
        {
            m_lowRate = std::min(m_lowRate, kind.step.rate);
            m_highRate = std::max(m_highRate, kind.step.rate);
            m_lowMu = std::min(m_lowMu, kind.step.muAddRemove);
            m_highMu = std::max(m_highMu, kind.step.muAddRemove);
        }
    }

    /// Places mesh lines at @p distance from each other on the scales of MeshLines.
    /// @return number of corners of nonempty cells
    std::size_t Divide(double distance)
    {
        m_rates = MeshLines::OverRates(m_lowRate, m_highRate, distance);
        m_mus = MeshLines::OverMus(m_lowMu, m_highMu, distance);
        std::vector<char> used(m_rates.Size() * m_mus.Size(), 0);
        for (const CountedKind& kind : m_steps)
        {
            for (const std::size_t corner : CornersOf(kind.step))
            {
                used[corner] = 1;
            }
        }
        return static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
    }

    void AppendTo(DirectedKinds& kinds) const
    {
        PldMesh remove;
        PldMesh add;
        const auto pairsOf = [this, &kinds](const PrivacyStep& step) {
            DirectedPairs pairs = PairsOf(step, m_adjacency);
            kinds.symmetric = kinds.symmetric && pairs.remove == pairs.add;
            return pairs;
        };
        std::vector<MeshCell> cells = Cells();
        for (const CountedKind& kind : Sketch(cells))
        {
            const DirectedPairs pairs = pairsOf(kind.step);
            remove.sketch.push_back({pairs.remove, kind.count});
            add.sketch.push_back({pairs.add, kind.count});
            kinds.remove.steps += kind.count;
        }
        // Corners are numbered in the order of their first use by a cell.
        std::map<std::size_t, std::size_t> numbers;
        const std::size_t probed = cells.size() / PROBES + 1;
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            if (i % probed == probed / 2)
            {
                const PrivacyStep centre = Centre(cells[i].corners);
                const MeshCell::Place place = PlaceOf(centre);
                const DirectedPairs pairs = pairsOf(centre);
                remove.probes.push_back({i, place.rate, place.shift, pairs.remove});
                add.probes.push_back({i, place.rate, place.shift, pairs.add});
            }
            for (std::size_t& corner : cells[i].corners)
            {
                const auto [number, isNew] = numbers.try_emplace(corner, numbers.size());
                if (isNew)
                {
                    const DirectedPairs pairs = pairsOf(StepAt(m_rates.At(corner % m_rates.Size()),
                                                               m_mus.At(corner / m_rates.Size())));
                    remove.corners.push_back(pairs.remove);
                    add.corners.push_back(pairs.add);
                }
                corner = number->second;
            }
        }
        remove.cells = add.cells = std::make_shared<const std::vector<MeshCell>>(std::move(cells));
        kinds.remove.meshes.push_back(std::move(remove));
        kinds.add.meshes.push_back(std::move(add));
    }

  private:
    using Corners = std::array<std::size_t, 4>;

    std::size_t CornerAt(std::size_t rate, std::size_t mu) const
    {
        return std::min(mu, m_mus.Size() - 1) * m_rates.Size() + std::min(rate, m_rates.Size() - 1);
    }

    Corners CornersOf(const PrivacyStep& step) const
    {
        const std::size_t rate = m_rates.Below(step.rate);
        const std::size_t mu = m_mus.Below(step.muAddRemove);
        return {CornerAt(rate, mu),
                CornerAt(rate + 1, mu),
                CornerAt(rate, mu + 1),
                CornerAt(rate + 1, mu + 1)};
    }

    PrivacyStep StepAt(double rate, double mu) const
    {
        PrivacyStep step;
        double muReplace = 0.0;
        std::tie(step.noise, step.sampling, muReplace) = m_key;
        step.rate = rate;
        step.muAddRemove = mu;
        step.muReplace = muReplace * mu;
        return step;
    }

    MeshCell::Place PlaceOf(const PrivacyStep& step) const
    {
        const std::size_t rate = m_rates.Below(step.rate);
        const std::size_t mu = m_mus.Below(step.muAddRemove);
        const double lowRate = m_rates.At(rate);
        const double highRate = m_rates.At(rate + 1);
        const double low = Distance(StepAt(1.0, m_mus.At(mu)), m_adjacency);
        const double high = Distance(StepAt(1.0, m_mus.At(mu + 1)), m_adjacency);
        const double shift = Distance(step, m_adjacency);
        MeshCell::Place place;
        place.rate = WeightOf(step.rate - lowRate, highRate - lowRate);
        place.shift = WeightOf(Variation(step.noise, low, shift), Variation(step.noise, low, high));
        return place;
    }

    /// Returns the cells, largest mu first. A large mu makes most coefficients of the product of
    /// spectra negligible, so fewer remain for the next cells.
    std::vector<MeshCell> Cells() const
    {
        std::map<std::size_t, MeshCell> cells;
        for (const CountedKind& kind : m_steps)
        {
            const Corners corners = CornersOf(kind.step);
            MeshCell& cell = cells[corners[0]];
            MeshCell::Place place = PlaceOf(kind.step);
            place.count = kind.count;
            cell.corners = corners;
            cell.count += kind.count;
            cell.inside += kind.count * std::max(4.0 * place.rate * (1.0 - place.rate),
                                                 4.0 * place.shift * (1.0 - place.shift));
            cell.places.push_back(place);
        }
        std::vector<MeshCell> result;
        for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell)
        {
            cell->second.inside /= cell->second.count;
            result.push_back(std::move(cell->second));
        }
        return result;
    }

    /// A few steps with counts that approximate all steps, for estimates. Corners with equal mu and
    /// similar rates are merged.
    std::vector<CountedKind> Sketch(const std::vector<MeshCell>& cells) const
    {
        struct Block
        {
            double count{0.0};
            double squares{0.0};
        };

        std::map<std::pair<std::size_t, std::size_t>, Block> blocks;
        const std::size_t size = (m_rates.Size() + RATE_BLOCKS - 1) / RATE_BLOCKS;
        for (const MeshCell& cell : cells)
        {
            for (const MeshCell::Place& place : cell.places)
            {
                const std::array<double, 4> weights = MeshCell::Weights(place.rate, place.shift);
                for (std::size_t i = 0; i < weights.size(); ++i)
                {
                    const std::size_t line = cell.corners[i] % m_rates.Size();
                    const double rate = m_rates.At(line);
                    Block& block = blocks[{cell.corners[i] / m_rates.Size(), line / size}];
                    block.count += place.count * weights[i];
                    block.squares += place.count * weights[i] * rate * rate;
                }
            }
        }
        std::vector<CountedKind> sketch;
        for (const auto& [at, block] : blocks)
        {
            if (block.count > 0.0)
            {
                const double rate = std::min(std::sqrt(block.squares / block.count), m_highRate);
                sketch.push_back({StepAt(rate, m_mus.At(at.first)), block.count});
            }
        }
        return sketch;
    }

    /// Step with the sampling rate and mu in the middle of the cell with these corners.
    PrivacyStep Centre(const Corners& corners) const
    {
        const std::size_t lines = m_rates.Size();
        const auto middle = [](const MeshLines& values, std::size_t low, std::size_t high) {
            return 0.5 * (values.At(low) + values.At(high));
        };
        return StepAt(middle(m_rates, corners[0] % lines, corners[1] % lines),
                      middle(m_mus, corners[0] / lines, corners[2] / lines));
    }

    MeshKey m_key;
    std::vector<CountedKind> m_steps;
    Adjacency m_adjacency;
    double m_lowRate;
    double m_highRate;
    double m_lowMu;
    double m_highMu;
    MeshLines m_rates;
    MeshLines m_mus;
};

/// True if a mesh can represent the step.
bool
IsMeshed(const PrivacyStep& step)
{
    return step.noise == NoiseKind::LAPLACE ||
           (step.sampling != Amplification::NONE && step.rate < 1.0);
}

} // namespace

std::size_t
CountPairs(const StepCounts& steps)
{
    std::size_t pairs = 0;
    std::size_t inPiece = 0;
    PrivacyStep first;
    for (const auto& entry : steps)
    {
        const PrivacyStep& step = entry.first;
        if (step.noise == NoiseKind::GAUSSIAN && step.sampling == Amplification::NONE)
        {
            continue;
        }
        const bool same = step.noise == NoiseKind::GAUSSIAN && step.noise == first.noise &&
                          step.sampling == first.sampling && step.rate == first.rate &&
                          step.muAddRemove <= 2.0 * first.muAddRemove;
        if (!same)
        {
            first = step;
            inPiece = 0;
        }
        // For more than MOST_IN_PIECE values of mu from that of `first` to its double, SortKinds()
        // interpolates about MOST_IN_PIECE dominating pairs, so further steps add no pair.
        ++inPiece;
        pairs += inPiece <= MOST_IN_PIECE ? 1 : 0;
        if (pairs > MANY_PAIRS)
        {
            break;
        }
    }
    return pairs;
}

DirectedKinds
MeshKinds(const StepCounts& steps, Adjacency adjacency, std::size_t mostCorners)
{
    StepCounts others;
    std::map<MeshKey, std::vector<CountedKind>> groups;
    for (const auto& [step, count] : steps)
    {
        if (!IsMeshed(step))
        {
            others[step] += count;
        }
        else if (step.Shift(adjacency) > 0.0 && step.rate > 0.0 && count > 0)
        {
            groups[{step.noise, step.sampling, step.muReplace / step.muAddRemove}].push_back(
                {step, static_cast<double>(count)});
        }
    }
    DirectedKinds kinds = SortKinds(others, adjacency);
    std::vector<Mesh> meshes;
    meshes.reserve(groups.size());
    for (auto& [key, counted] : groups)
    {
        meshes.emplace_back(key, std::move(counted), adjacency);
    }
    std::size_t corners = mostCorners + 1;
    for (double distance = FINEST; corners > mostCorners && distance < COARSEST;
         distance *= COARSER)
    {
        corners = 0;
        for (Mesh& mesh : meshes)
        {
            corners += mesh.Divide(distance);
        }
    }
    for (const Mesh& mesh : meshes)
    {
        mesh.AppendTo(kinds);
    }
    kinds.add.steps = kinds.remove.steps;
    return kinds;
}

DirectedKinds
MeshKinds(const StepCounts& steps, Adjacency adjacency)
{
    return MeshKinds(steps,
                     adjacency,
                     std::clamp(steps.size() / STEPS_PER_CORNER, FEW_CORNERS, MOST_CORNERS));
}

} // namespace dpdl
