// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The products of linear layers: a part of native-kernels-body.h.

DPDL_INLINE void
LoadDoubles(const float* from, Doubles& to)
{
    Half half;
    __builtin_memcpy(&half, from, sizeof(half));
    to = Widened(half);
}

/// Values that are added up at once.
constexpr int QUAD = 4;
typedef float Quad __attribute__((vector_size(4 * QUAD)));
typedef std::int32_t QuadPlaces __attribute__((vector_size(4 * QUAD)));

/// Four of eight values. @param places 0 to 3: of the first ones, 4 to 7: of the second ones
DPDL_INLINE Quad
Pick(const Quad& first, const Quad& second, const QuadPlaces& places)
{
#ifdef __clang__
    Quad picked;
    for (int i = 0; i < QUAD; ++i)
    {
        picked[i] = places[i] < QUAD ? first[places[i]] : second[places[i] - QUAD];
    }
    return picked;
#else
    return __builtin_shuffle(first, second, places);
#endif
}

/// The sums of the lanes of four registers: quarter by quarter, then ((0 + 2) + (1 + 3)).
DPDL_INLINE Quad
LaneSums(const Vector& a, const Vector& b, const Vector& c, const Vector& d)
{
    const Vector* const values[QUAD] = {&a, &b, &c, &d};
    Quad sums[QUAD];
#pragma GCC unroll 4
    for (int i = 0; i < QUAD; ++i)
    {
        Quad quads[LANES / QUAD];
        __builtin_memcpy(quads, values[i], sizeof(quads));
#pragma GCC unroll 2
        for (std::size_t width = LANES / QUAD / 2; width > 0; width /= 2)
        {
#pragma GCC unroll 2
            for (std::size_t q = 0; q < width; ++q)
            {
                quads[q] += quads[q + width];
            }
        }
        sums[i] = quads[0];
    }
    const QuadPlaces low{0, 4, 1, 5};
    const QuadPlaces high{2, 6, 3, 7};
    const Quad ab = Pick(sums[0], sums[1], low) + Pick(sums[0], sums[1], high);
    const Quad cd = Pick(sums[2], sums[3], low) + Pick(sums[2], sums[3], high);
    return Pick(ab, cd, QuadPlaces{0, 1, 4, 5}) + Pick(ab, cd, QuadPlaces{2, 3, 6, 7});
}

/// Some examples with some outputs. The sum of an output is that of its lanes, whatever the tile.
template <int EXAMPLES, int OUTPUTS>
DPDL_INLINE void
ScoreTile(const ScoreShape& shape,
          const float* in,
          const float* weight,
          const float* bias,
          float* out)
{
    Vector sum[EXAMPLES][OUTPUTS] = {};
    std::size_t i = 0;
    for (; i + LANES <= shape.inputs; i += LANES)
    {
        Vector x[EXAMPLES];
#pragma GCC unroll 8
        for (int n = 0; n < EXAMPLES; ++n)
        {
            LoadVector(in + n * shape.inputs + i, x[n]);
        }
#pragma GCC unroll 8
        for (int o = 0; o < OUTPUTS; ++o)
        {
            Vector w;
            LoadVector(weight + o * shape.weightRow + i, w);
#pragma GCC unroll 8
            for (int n = 0; n < EXAMPLES; ++n)
            {
                sum[n][o] += x[n] * w;
            }
        }
    }
    for (int n = 0; n < EXAMPLES && i < shape.inputs; ++n)
    {
        Vector x;
        LoadVector(in + n * shape.inputs + i, shape.inputs - i, x);
        for (int o = 0; o < OUTPUTS; ++o)
        {
            Vector w;
            LoadVector(weight + o * shape.weightRow + i, shape.inputs - i, w);
            sum[n][o] += x * w;
        }
    }
#pragma GCC unroll 8
    for (int o = 0; o < OUTPUTS; ++o)
    {
        // With fewer examples the first one is added up more than once.
        const Quad sums = LaneSums(sum[0][o],
                                   sum[EXAMPLES > 1 ? 1 : 0][o],
                                   sum[EXAMPLES > 2 ? 2 : 0][o],
                                   sum[EXAMPLES > 3 ? 3 : 0][o]);
#pragma GCC unroll 4
        for (int n = 0; n < EXAMPLES; ++n)
        {
            out[n * shape.outputs + o] = sums[n] + bias[o];
        }
    }
}

/// Some outputs of all examples.
template <int OUTPUTS>
void
ScoreOutputs(const ScoreShape& shape,
             const float* in,
             const float* weight,
             const float* bias,
             float* out)
{
    constexpr int EXAMPLES = SUMS / 4 < QUAD ? SUMS / 4 : QUAD;
    std::size_t n = 0;
    for (; n + EXAMPLES <= shape.count; n += EXAMPLES)
    {
        ScoreTile<EXAMPLES, OUTPUTS>(shape,
                                     in + n * shape.inputs,
                                     weight,
                                     bias,
                                     out + n * shape.outputs);
    }
    for (; n < shape.count; ++n)
    {
        ScoreTile<1, OUTPUTS>(shape, in + n * shape.inputs, weight, bias, out + n * shape.outputs);
    }
}

/// Calls use.template Do<SIZE>() for @p size of at most SIZE.
template <int SIZE, typename Use>
DPDL_INLINE void
WithSize(std::size_t size, const Use& use)
{
    if constexpr (SIZE > 1)
    {
        if (size < SIZE)
        {
            WithSize<SIZE - 1>(size, use);
            return;
        }
    }
    use(std::integral_constant<int, SIZE>());
}

/// Parts of about the same size, of at most @p most.
DPDL_INLINE std::size_t
PartSize(std::size_t size, std::size_t most)
{
    const std::size_t parts = (size + most - 1) / most;
    return (size + parts - 1) / parts;
}

void
Score(const ScoreShape& shape, const float* in, const float* weight, const float* bias, float* out)
{
    constexpr int MOST = SUMS / 4 < 6 ? 4 : 6;
    const std::size_t part = PartSize(shape.outputs, MOST);
    for (std::size_t o = 0; o < shape.outputs; o += part)
    {
        const std::size_t left = shape.outputs - o;
        WithSize<MOST>(left < part ? left : part, [&](auto size) {
            ScoreOutputs<decltype(size)::value>(shape,
                                                in,
                                                weight + o * shape.weightRow,
                                                bias + o,
                                                out + o);
        });
    }
}

/// Where products are added.
struct ProductPlace
{
    const ProductShape& shape; ///< sizes
    std::size_t row;           ///< the first row
    std::size_t column;        ///< the first column
    double* sum;               ///< of the whole matrix
};

/// Adds what has been computed for a row, from the place's column on.
template <int VECTORS>
DPDL_INLINE void
AddRow(const ProductPlace& place, const Doubles (&values)[VECTORS])
{
    const std::size_t left = place.shape.columns - place.column;
    double* to = place.sum + place.row * place.shape.columns + place.column;
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; ++v)
    {
        const std::size_t at = v * HALF;
        if (at + HALF <= left)
        {
            Doubles sum{};
            if (!place.shape.isFirst)
            {
                __builtin_memcpy(&sum, to + at, sizeof(sum));
            }
            sum += values[v];
            __builtin_memcpy(to + at, &sum, sizeof(sum));
        }
        else
        {
            double lanes[HALF];
            __builtin_memcpy(lanes, &values[v], sizeof(lanes));
            for (std::size_t i = 0; i < HALF; ++i)
            {
                if (at + i < left)
                {
                    to[at + i] = (place.shape.isFirst ? 0.0 : to[at + i]) + lanes[i];
                }
            }
        }
    }
}

/// Adds a tile of some rows to the transposed matrix.
template <int ROWS, int VECTORS>
DPDL_INLINE void
AddTransposed(const ProductPlace& place, const Doubles (&tile)[ROWS][VECTORS])
{
    const std::size_t left = place.shape.columns - place.column;
    double values[ROWS][VECTORS * HALF];
#pragma GCC unroll 16
    for (int r = 0; r < ROWS; ++r)
    {
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; ++v)
        {
            __builtin_memcpy(values[r] + v * HALF, &tile[r][v], sizeof(tile[r][v]));
        }
    }
    for (std::size_t c = 0; c < left && c < VECTORS * HALF; ++c)
    {
        double* to = place.sum + (place.column + c) * place.shape.rows + place.row;
#pragma GCC unroll 16
        for (int r = 0; r < ROWS; ++r)
        {
            to[r] = (place.shape.isFirst ? 0.0 : to[r]) + values[r][c];
        }
    }
}

/// Some rows of few. @param lefts [count, ROWS] @param right of the first column
template <int ROWS, int VECTORS>
DPDL_INLINE void
ProductTile(ProductPlace place, const double* lefts, const float* right)
{
    Doubles tile[ROWS][VECTORS] = {};
    const float* values = right + place.column;
    for (std::size_t i = 0; i < place.shape.count; ++i, values += place.shape.columns)
    {
        Doubles r[VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; ++v)
        {
            LoadDoubles(values + v * HALF, r[v]);
        }
#pragma GCC unroll 16
        for (int row = 0; row < ROWS; ++row, ++lefts)
        {
            const Doubles l = *lefts - Doubles{};
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; ++v)
            {
                tile[row][v] += l * r[v];
            }
        }
    }
    if (place.shape.isTransposed)
    {
        AddTransposed<ROWS, VECTORS>(place, tile);
        return;
    }
#pragma GCC unroll 16
    for (int row = 0; row < ROWS; ++row, ++place.row)
    {
        AddRow<VECTORS>(place, tile[row]);
    }
}

/// Vectors of a tile's columns; its rows have the rest of the registers.
constexpr int TILE_VECTORS = SUMS < 24 ? 2 : 4;

/// The left vectors times the factors, as the tiles read them: [part of the rows, count, row].
void
PackLefts(const ProductShape& shape,
          std::size_t part,
          const float* left,
          const double* factors,
          double* packed)
{
    for (std::size_t row = 0; row < shape.rows; row += part)
    {
        const std::size_t size = shape.rows - row < part ? shape.rows - row : part;
        for (std::size_t i = 0; i < shape.count; ++i, packed += size)
        {
            for (std::size_t r = 0; r < size; ++r)
            {
                packed[r] = factors[i] * static_cast<double>(left[i * shape.rows + row + r]);
            }
        }
    }
}

/// All rows of few, in tiles whose sums stay in registers.
void
AddFewRows(const ProductShape& shape,
           const float* left,
           const double* factors,
           const float* right,
           double* packed,
           double* sum)
{
    constexpr int MOST = SUMS / TILE_VECTORS;
    const std::size_t part = PartSize(shape.rows, MOST);
    PackLefts(shape, part, left, factors, packed);
    for (std::size_t column = 0; column < shape.columns; column += TILE_VECTORS * HALF)
    {
        const double* lefts = packed;
        const std::size_t vectors = (shape.columns - column + HALF - 1) / HALF;
        WithSize<TILE_VECTORS>(vectors, [&](auto width) {
            for (std::size_t row = 0; row < shape.rows; row += part)
            {
                const std::size_t rows = shape.rows - row;
                WithSize<MOST>(rows < part ? rows : part, [&](auto height) {
                    ProductTile<decltype(height)::value, decltype(width)::value>(
                        {shape, row, column, sum},
                        lefts,
                        right);
                });
                lefts += shape.count * part;
            }
        });
    }
}

/// Doubles that stay in the first cache: the right vectors' part that rows are computed from.
constexpr std::size_t PANEL = 4096;
/// Vectors of such a part.
constexpr int PANEL_VECTORS = 8;

/// The terms of a row: left values other than zero, and where the right vectors are in the panel.
struct RowTerms
{
    std::size_t count;           ///< how many
    const double* lefts;         ///< values
    const std::uint32_t* places; ///< numbers of right vectors
};

template <int VECTORS>
DPDL_INLINE void
ProductRow(const ProductPlace& place, const RowTerms& terms, const double* panel)
{
    Doubles row[VECTORS] = {};
    for (std::size_t t = 0; t < terms.count; ++t)
    {
        const Doubles l = terms.lefts[t] - Doubles{};
        const double* right = panel + terms.places[t] * (VECTORS * HALF);
#pragma GCC unroll 8
        for (int v = 0; v < VECTORS; ++v)
        {
            Doubles r;
            __builtin_memcpy(&r, right + v * HALF, sizeof(r));
            row[v] += l * r;
        }
    }
    AddRow<VECTORS>(place, row);
}

/// Some columns of all rows.
template <int VECTORS>
void
ProductColumns(ProductPlace place, const ProductMemory& memory, const float* right)
{
    const std::size_t count = place.shape.count;
    alignas(64) double panel[PANEL];
    for (std::size_t i = 0; i < count; ++i)
    {
        for (int v = 0; v < VECTORS; ++v)
        {
            Doubles values;
            LoadDoubles(right + i * place.shape.columns + place.column + v * HALF, values);
            __builtin_memcpy(panel + (i * VECTORS + v) * HALF, &values, sizeof(values));
        }
    }
    for (place.row = 0; place.row < place.shape.rows; ++place.row)
    {
        const std::size_t first = place.row * count;
        ProductRow<VECTORS>(place,
                            {memory.terms[place.row], memory.lefts + first, memory.places + first},
                            panel);
    }
}

/// What is not zero among the left values times the factors, row by row.
void
ListTerms(const ProductShape& shape,
          const float* left,
          const double* factors,
          const ProductMemory& memory)
{
    for (std::size_t row = 0; row < shape.rows; ++row)
    {
        memory.terms[row] = 0;
    }
    for (std::size_t i = 0; i < shape.count; ++i)
    {
        for (std::size_t row = 0; row < shape.rows; ++row)
        {
            const double value = factors[i] * static_cast<double>(left[i * shape.rows + row]);
            const std::size_t at = row * shape.count + memory.terms[row];
            memory.lefts[at] = value;
            memory.places[at] = static_cast<std::uint32_t>(i);
            memory.terms[row] += value != 0.0 ? 1 : 0;
        }
    }
}

/// All rows, one after the other: behind a rectifier many of the left values are zero.
void
AddManyRows(const ProductShape& shape,
            const float* left,
            const double* factors,
            const float* right,
            const ProductMemory& memory,
            double* sum)
{
    ListTerms(shape, left, factors, memory);
    const std::size_t most =
        shape.count * PANEL_VECTORS * HALF <= PANEL ? PANEL_VECTORS : PANEL / (shape.count * HALF);
    for (std::size_t column = 0; column < shape.columns; column += most * HALF)
    {
        const std::size_t vectors = (shape.columns - column + HALF - 1) / HALF;
        WithSize<PANEL_VECTORS>(vectors < most ? vectors : most, [&](auto size) {
            ProductColumns<decltype(size)::value>({shape, 0, column, sum}, memory, right);
        });
    }
}

void
AddProducts(const ProductShape& shape,
            const float* left,
            const double* factors,
            const float* right,
            const ProductMemory& memory,
            double* sum)
{
    if (shape.rows <= FEW_ROWS)
    {
        AddFewRows(shape, left, factors, right, memory.lefts, sum);
        return;
    }
    AddManyRows(shape, left, factors, right, memory, sum);
}

/// Rows that are added in one pass over the sum.
template <int ROWS>
void
AddScaledTogether(const float* const* rows, const double* factors, std::size_t width, double* sum)
{
    Doubles f[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; ++r)
    {
        f[r] = factors[r] - Doubles{};
    }
    std::size_t i = 0;
    for (; i + HALF <= width; i += HALF)
    {
        Doubles total;
        __builtin_memcpy(&total, sum + i, sizeof(total));
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; ++r)
        {
            Doubles x;
            LoadDoubles(rows[r] + i, x);
            total += f[r] * x;
        }
        __builtin_memcpy(sum + i, &total, sizeof(total));
    }
    for (; i < width; ++i)
    {
        for (int r = 0; r < ROWS; ++r)
        {
            sum[i] += factors[r] * static_cast<double>(rows[r][i]);
        }
    }
}

void
AddScaledRows(const float* rows,
              const double* factors,
              std::size_t count,
              std::size_t width,
              double* sum)
{
    constexpr int MOST = 4;
    const float* few[MOST];
    double kept[MOST];
    std::size_t found = 0;
    for (std::size_t r = 0; r < count; ++r)
    {
        if (factors[r] != 0.0)
        {
            few[found] = rows + r * width;
            kept[found++] = factors[r];
        }
        if (found == MOST || (found > 0 && r + 1 == count))
        {
            WithSize<MOST>(found, [&](auto size) {
                AddScaledTogether<decltype(size)::value>(few, kept, width, sum);
            });
            found = 0;
        }
    }
}

/// Sum of squares, in double precision.
double
SquaredNorm(const float* values, std::size_t size)
{
    constexpr std::size_t VECTORS = 4;
    Doubles sums[VECTORS] = {};
    std::size_t i = 0;
    for (; i + VECTORS * HALF <= size; i += VECTORS * HALF)
    {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < VECTORS; ++v)
        {
            Doubles x;
            LoadDoubles(values + i + v * HALF, x);
            sums[v] += x * x;
        }
    }
    double total = 0.0;
    for (; i < size; ++i)
    {
        total += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
    const Doubles sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (std::size_t lane = 0; lane < HALF; ++lane)
    {
        total += sum[lane];
    }
    return total;
}
