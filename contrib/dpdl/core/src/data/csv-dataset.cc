// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "csv-dataset.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// A column's name without the quotation marks that some programs write.
std::string
Unquoted(const std::string& name)
{
    const bool isQuoted = name.size() >= 2 && name.front() == '"' && name.back() == '"';
    return isQuoted ? name.substr(1, name.size() - 2) : name;
}

/// The rows of a table, in file order.
struct Table
{
    std::size_t width{0};       ///< features of a row
    std::vector<float> values;  ///< [rows, width]
    std::vector<double> labels; ///< [rows]
    bool hasClasses{true};      ///< whether all labels are written as whole numbers
};

class TableReader
{
  public:
    TableReader(std::istream& text, const DatasetRequest& request)
        : m_reader(text, "csv file '" + request.parameter + "'")
    {
        if (!m_reader.Next())
        {
            throw UsageError("csv file", request.parameter, "a header and rows of numbers");
        }
        for (const std::string& field : m_reader.Fields())
        {
            m_columns.push_back(Unquoted(field));
        }
        const auto label = std::find(m_columns.begin(), m_columns.end(), request.csv.label);
        if (label == m_columns.end() || m_columns.size() < 2)
        {
            throw UsageError(m_reader.Place() + ", column of the labels",
                             request.csv.label,
                             "option 'label' with one of the columns " +
                                 Excerpt(JoinNames(m_columns)));
        }
        m_label = static_cast<std::size_t>(label - m_columns.begin());
    }

    Table Read()
    {
        Table table;
        table.width = m_columns.size() - 1;
        while (m_reader.Next())
        {
            const std::vector<std::string> fields = m_reader.Fields();
            if (fields.size() != m_columns.size())
            {
                throw UsageError(m_reader.Place(),
                                 std::to_string(fields.size()) + " fields",
                                 std::to_string(m_columns.size()) + ", as in the header");
            }
            for (std::size_t column = 0; column < fields.size(); ++column)
            {
                if (column == m_label)
                {
                    AddLabel(fields[column], table);
                    continue;
                }
                table.values.push_back(static_cast<float>(Number(fields[column], column)));
            }
        }
        return table;
    }

  private:
    double Number(const std::string& field, std::size_t column) const
    {
        double value = 0.0;
        const char* const end = field.data() + field.size();
        const auto read = std::from_chars(field.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(static_cast<float>(value)))
        {
            throw UsageError(m_reader.Place() + ", column '" + Excerpt(m_columns[column]) + "'",
                             field,
                             "a number within float32");
        }
        return value;
    }

    void AddLabel(const std::string& field, Table& table) const
    {
        const double label = Number(field, m_label);
        const bool isWhole = field.find_first_not_of("0123456789") == std::string::npos;
        table.hasClasses = table.hasClasses && isWhole && label < MOST_CLASSES;
        table.labels.push_back(label);
    }

    CsvReader m_reader;                 ///< of the file
    std::vector<std::string> m_columns; ///< names
    std::size_t m_label{0};             ///< which column is the label
};

/// Whether each row tests: exactly round(rows * fraction) of them, drawn by the seed.
std::vector<bool>
DrawTestRows(std::size_t rows, const CsvChoices& choices)
{
    const RandomStream stream(choices.seed, RandomPurpose::DATASET, 0, 0);
    std::vector<std::pair<double, std::size_t>> keys(rows);
    for (std::size_t row = 0; row < rows; ++row)
    {
        keys[row] = {stream.Uniform(row), row};
    }
    std::sort(keys.begin(), keys.end());
    const auto tests =
        static_cast<std::size_t>(std::lround(static_cast<double>(rows) * choices.testFraction));
    std::vector<bool> isTest(rows, false);
    for (std::size_t i = 0; i < tests; ++i)
    {
        isTest[keys[i].second] = true;
    }
    return isTest;
}

void
CheckSize(const std::string& path, const std::string& option, std::size_t wanted, std::size_t has)
{
    if (has == 0 || wanted > has)
    {
        throw UsageError("csv file '" + path + "', option '" + option + "'",
                         std::to_string(wanted),
                         "at most " + std::to_string(has) +
                             ", and at least one row each to train "
                             "and to test");
    }
}

} // namespace

std::uint32_t
CountClasses(const std::vector<double>& labels)
{
    const double largest = *std::max_element(labels.begin(), labels.end());
    return std::max(2U, static_cast<std::uint32_t>(largest) + 1);
}

void
ReadCsvDataset(const DatasetRequest& request, Dataset& dataset)
{
    std::ifstream file = OpenInputFile("dataset file", request.parameter);
    const Table table = TableReader(file, request).Read();
    dataset.shape = {1, 1, static_cast<std::uint32_t>(table.width)};
    const std::vector<bool> isTest = DrawTestRows(table.labels.size(), request.csv);
    const auto tests = static_cast<std::size_t>(std::count(isTest.begin(), isTest.end(), true));
    CheckSize(request.parameter, "testSamples", request.testSamples, tests);
    CheckSize(request.parameter, "samples", request.samples, isTest.size() - tests);
    for (std::size_t row = 0; row < isTest.size(); ++row)
    {
        Split& split = isTest[row] ? dataset.test : dataset.train;
        const std::size_t limit = isTest[row] ? request.testSamples : request.samples;
        if (limit == 0 || split.Size() < limit)
        {
            const float* values = table.values.data() + row * table.width;
            split.values.insert(split.values.end(), values, values + table.width);
            split.labels.push_back(table.labels[row]);
        }
    }
    dataset.classes = table.hasClasses ? CountClasses(table.labels) : 1;
}

} // namespace dpdl
