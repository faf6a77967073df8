// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Sums of outer products in double precision; native-kernels-body.h includes this file. Sums with
// at most FEW_ROWS rows are computed in register tiles. In larger sums, each row is computed from a
// list of its nonzero terms.

/// Position in the sum of outer products to which a tile of values is added.
struct ProductPlace
{
    const ProductShape& shape; ///< sizes of the whole sum of outer products
    std::size_t row;           ///< row index of the tile's first value
    std::size_t column;        ///< column index of the tile's first value
    double* sum;               ///< [rows, columns] the whole sum
};

/// Adds values to consecutive columns of one row.
/// @param place position of the first value
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

/// Adds a tile of ROWS rows to a sum that is stored as [columns, rows].
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

/// Computes a tile of ROWS rows in a sum with at most FEW_ROWS rows.
/// @param place position of the tile's first value
/// @param lefts [count, ROWS] left values times factors
/// @param right [count, columns]
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
                tile[row][v] = Fused(l, r[v], tile[row][v]);
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

/// Number of SIMD registers for the columns of a tile, in each row of the tile.
constexpr int TILE_VECTORS = SUMS < 24 ? 2 : 4;

/// Multiplies the left vectors by the factors, and stores the products in the order in which tiles
/// read them.
/// @param part number of rows of a tile
/// @param[out] packed [rows / part, count, part]
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

/// Computes a sum with at most FEW_ROWS rows, in tiles whose sums stay in registers.
/// @param packed scratch memory, [count * rows]
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

/// Number of doubles (32 KiB) in a panel. A panel holds a range of columns of all right vectors in
/// the L1 cache.
constexpr std::size_t PANEL = 4096;
/// Largest number of SIMD registers for the columns of a panel.
constexpr int PANEL_VECTORS = 8;

/// Terms of one row of the sum: its nonzero left values, and the right vectors by which they are
/// multiplied.
struct RowTerms
{
    std::size_t count;           ///< number of terms of the row
    const double* lefts;         ///< [count] left values times factors
    const std::uint32_t* places; ///< [count] index in the panel of the right vector of each term
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
            row[v] = Fused(l, r, row[v]);
        }
    }
    AddRow<VECTORS>(place, row);
}

/// Computes VECTORS registers of columns in all rows.
/// @param place position whose column is the first of the computed columns
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

/// Lists the nonzero products of left values and factors of each row in @p memory.
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

/// Computes a sum with more than FEW_ROWS rows, row by row. Skips left values that are zero, which
/// are frequent after ReLU.
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
