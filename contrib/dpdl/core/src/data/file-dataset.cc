// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-datasets.h"
#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>

// Loads a user's dataset from a csv file (one row per example) or an npz archive (arrays of
// features and labels), and checks shapes and labels.

namespace dpdl
{

namespace
{

/// Rows of a csv file, in file order.
struct Table
{
    std::size_t width{0};       ///< number of features per row
    std::vector<float> values;  ///< [rows, width] features
    std::vector<double> labels; ///< [rows] label of each row
    bool hasClasses{true};      ///< true if all labels are written as integers
    /// Place (file, line, column) and text of the first label that is not in [0, MOST_CLASSES); "":
    /// none.
    std::string noClass;
};

class TableReader
{
  public:
    TableReader(std::istream& text, const DatasetRequest& request)
        : m_reader(text, "csv file '" + request.parameter + "'")
    {
        DPDL_REFUSE_IF(!m_reader.Next(),
                       "csv file",
                       request.parameter,
                       "a header and rows of numbers");
        m_columns = m_reader.Fields();
        const auto nameless =
            std::find_if(m_columns.begin(), m_columns.end(), [](const std::string& name) {
                return name.empty() || name.rfind("Unnamed: ", 0) == 0;
            });
        DPDL_REFUSE_IF(nameless != m_columns.end(),
                       m_reader.Place() + ", column " +
                           std::to_string(nameless - m_columns.begin() + 1),
                       *nameless,
                       "a name; DataFrame.to_csv(..., index=False) writes no index");
        DPDL_REFUSE_IF(m_columns.size() < 2,
                       m_reader.Place(),
                       m_columns.front(),
                       "columns of features and one of the labels, separated by commas");
        const auto label = std::find(m_columns.begin(), m_columns.end(), request.file.label);
        DPDL_REFUSE_IF(label == m_columns.end(),
                       m_reader.Place() + ", column of the labels",
                       request.file.label,
                       "option 'label' with one of the columns " + Excerpt(JoinNames(m_columns)));
        DPDL_REFUSE_IF(std::count(label, m_columns.end(), *label) > 1,
                       m_reader.Place() + ", column of the labels",
                       *label + " more than once",
                       "one column of that name: the others would be features");
        m_label = static_cast<std::size_t>(label - m_columns.begin());
    }

    Table Read()
    {
        Table table;
        table.width = m_columns.size() - 1;
        while (m_reader.Next())
        {
            const std::vector<std::string> fields = m_reader.Fields();
            DPDL_REFUSE_IF(fields.size() != m_columns.size(),
                           m_reader.Place(),
                           std::to_string(fields.size()) + " fields",
                           std::to_string(m_columns.size()) + ", as in the header");
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
        DPDL_REFUSE_IF(table.hasClasses && !table.noClass.empty(),
                       table.noClass + " is not accepted; expected classes from 0 to " +
                           std::to_string(static_cast<std::uint32_t>(MOST_CLASSES) - 1) +
                           ", or targets with a decimal point");
        return table;
    }

  private:
    double Number(const std::string& field, std::size_t column) const
    {
        const double value = FindNumber<double>(field).value_or(NAN);
        DPDL_REFUSE_IF(!std::isfinite(static_cast<float>(value)),
                       PlaceOf(column),
                       field,
                       "a number within float32");
        return value;
    }

    std::string PlaceOf(std::size_t column) const
    {
        return m_reader.Place() + ", column '" + Excerpt(m_columns[column]) + "'";
    }

    void AddLabel(const std::string& field, Table& table) const
    {
        const double label = Number(field, m_label);
        const std::size_t sign = field.front() == '-' || field.front() == '+' ? 1 : 0;
        const bool isWhole = field.find_first_not_of("0123456789", sign) == std::string::npos;
        table.hasClasses = table.hasClasses && isWhole;
        if (table.noClass.empty() && !(label >= 0.0 && label < MOST_CLASSES))
        {
            table.noClass = PlaceOf(m_label) + ": '" + field + "'";
        }
        table.labels.push_back(label);
    }

    CsvReader m_reader;                 ///< reader of the file
    std::vector<std::string> m_columns; ///< column names
    std::size_t m_label{0};             ///< index of the label column
};

/// Marks exactly round(rows * testFraction) random rows as test rows, which the seed in the options
/// determines.
/// @return [rows] true: test row
std::vector<bool>
DrawTestRows(std::size_t rows, const FileChoices& choices)
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
    DPDL_REFUSE_IF(wanted > has,
                   "csv file '" + path + "', option '" + option + "'",
                   std::to_string(wanted),
                   "at most " + std::to_string(has));
}

/**
 * @brief Reads a table of numbers: a header, then one example per line.
 *
 * Column `request.file.label` has the labels. If all labels are written as integers and option
 * `classes` is not 1, they are classes. Otherwise they are regression targets. The other columns
 * are the features, used unchanged. The seed in the options selects the test rows at random; the
 * rows of each split are in the order of the file.
 * @param request path of the file, numbers of examples and options
 * @param[out] dataset shape, classes and splits
 * @throws UsageError naming the file and the line
 */
void
ReadCsvDataset(const DatasetRequest& request, Dataset& dataset)
{
    std::ifstream file = OpenInputFile("dataset file", request.parameter);
    const std::string what = "csv file '" + request.parameter + "'";
    const Table table = TableReader(file, request).Read();
    dataset.shape = {1, 1, static_cast<std::uint32_t>(table.width)};
    const std::vector<bool> isTest = DrawTestRows(table.labels.size(), request.file);
    const auto tests = static_cast<std::size_t>(std::count(isTest.begin(), isTest.end(), true));
    DPDL_REFUSE_IF(tests == 0 || tests == isTest.size(),
                   what,
                   std::to_string(isTest.size()) + " rows, " + std::to_string(tests) +
                       " of them to test",
                   "at least one row each to train and to test, by option 'testFraction'");
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
    const std::uint32_t declared = request.file.classes;
    DPDL_REFUSE_IF(!table.hasClasses && declared > 1,
                   what + ", labels",
                   "with a decimal point",
                   "classes 0 to " + std::to_string(declared - 1) + ", by option 'classes'");
    dataset.classes =
        table.hasClasses && declared != 1 ? CountClasses(what, table.labels, declared) : 1;
}

std::shared_ptr<const Dataset>
LoadFile(const DatasetRequest& request)
{
    const std::filesystem::path path(request.parameter);
    std::error_code ignored;
    const bool isNpz = path.extension() == ".npz";
    DPDL_REFUSE_IF(!std::filesystem::is_regular_file(path, ignored) ||
                       !(isNpz || path.extension() == ".csv"),
                   "dataset",
                   "file:" + request.parameter,
                   "an existing file NAME.npz or NAME.csv");
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "file";
    if (isNpz)
    {
        ReadNpz(request, *dataset);
    }
    else
    {
        ReadCsvDataset(request, *dataset);
    }
    return dataset;
}

} // namespace

std::uint32_t
CountClasses(const std::string& what, const std::vector<double>& labels, std::uint32_t declared)
{
    const auto largest = std::max_element(labels.begin(), labels.end());
    DPDL_REFUSE_IF(declared > 0 && *largest >= declared,
                   what + ", label of example " + std::to_string(largest - labels.begin()),
                   ShowNumber(*largest),
                   "0 to " + std::to_string(declared - 1) + ", by option 'classes'");
    return declared > 0 ? declared : std::max(2U, static_cast<std::uint32_t>(*largest) + 1);
}

void
AddFileDataset(Registry<DatasetLoader>& registry)
{
    registry.Add(
        {"file",
         "a user's examples: arrays of NumPy (.npz) or a table (.csv)",
         "numpy.savez, or comma-separated values",
         {{"PATH", "", "NAME.npz with x_train, y_train, x_test, y_test, or NAME.csv with a header"},
          {"label", "label", "csv: column of the labels"},
          {"testFraction", "0.2", "csv: share of the rows that tests, drawn by the seed"},
          {"classes", "counted", "number of classes, 1 for a regression; counted: the file's"}}},
        LoadFile);
}

} // namespace dpdl
