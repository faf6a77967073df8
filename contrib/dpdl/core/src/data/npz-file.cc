// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/npz-file.h"

#include "dpdl/base/errors.h"

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <zip.h>

// Reads zip archives by libzip and parses the header of each NumPy array, a Python dictionary in
// text form.

namespace dpdl
{

namespace
{

constexpr std::uint64_t BLOCK_ELEMENTS = 1U << 16;
/// Largest accepted header of a NumPy array, in bytes.
constexpr std::size_t LARGEST_NPY_HEADER = 1U << 16;
constexpr std::size_t MOST_DIMENSIONS = 32; // largest number of dimensions in NumPy 1

/// Text after `'KEY':` in the Python dictionary of a header; "" if the key is missing.
std::string
BehindKey(const std::string& header, const std::string& key)
{
    const std::string quoted = "'" + key + "':";
    const std::size_t begin = header.find(quoted);
    return begin == std::string::npos ? "" : Strip(header.substr(begin + quoted.size()));
}

template <class Stored>
double
As(const std::uint8_t* bytes)
{
    Stored value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

/// Converts one array element in native byte order to a number.
double
ToNumber(const NpyType& type, const std::uint8_t* bytes)
{
    switch (type.kind)
    {
    case 'f':
        if (type.bytes == 2)
        {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes, sizeof half);
            return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(half));
        }
        return type.bytes == 4 ? As<float>(bytes) : As<double>(bytes);
    case 'i':
        switch (type.bytes)
        {
        case 1:
            return As<std::int8_t>(bytes);
        case 2:
            return As<std::int16_t>(bytes);
        case 4:
            return As<std::int32_t>(bytes);
        default:
            return As<std::int64_t>(bytes);
        }
    default:
        switch (type.bytes)
        {
        case 1:
            return As<std::uint8_t>(bytes);
        case 2:
            return As<std::uint16_t>(bytes);
        case 4:
            return As<std::uint32_t>(bytes);
        default:
            return As<std::uint64_t>(bytes);
        }
    }
}

} // namespace

NpyArray::NpyArray(zip* archive, std::uint64_t entry, const std::string& place)
    : m_place(place)
{
    zip_stat_t facts;
    zip_stat_init(&facts);
    const bool isKnown =
        zip_stat_index(archive, entry, 0, &facts) == 0 && (facts.valid & ZIP_STAT_SIZE) != 0;
    m_file = isKnown ? zip_fopen_index(archive, entry, 0) : nullptr;
    DPDL_REFUSE_IF(m_file == nullptr,
                   m_place,
                   std::string("unreadable data, ") + zip_strerror(archive),
                   "an array of numpy.savez");
    try
    {
        ReadHeader(facts.size);
    }
    catch (...)
    {
        zip_fclose(m_file);
        throw;
    }
}

NpyArray::~NpyArray()
{
    zip_fclose(m_file);
}

std::uint64_t
NpyArray::Read(std::uint8_t* bytes, std::uint64_t count)
{
    std::uint64_t done = 0;
    while (done < count)
    {
        const zip_int64_t got = zip_fread(m_file, bytes + done, count - done);
        DPDL_REFUSE_IF(got < 0,
                       m_place,
                       std::string("damaged data, ") + zip_file_strerror(m_file),
                       "a complete archive");
        if (got == 0)
        {
            break;
        }
        done += static_cast<std::uint64_t>(got);
    }
    return done;
}

void
NpyArray::ReadHeader(std::uint64_t size)
{
    std::uint8_t start[12] = {};
    DPDL_REFUSE_IF(Read(start, 8) != 8 || std::memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 ||
                       start[6] > 3,
                   m_place,
                   "no header of NumPy",
                   "an array of numpy.savez, format 1 to 3");
    const std::size_t lengthBytes = start[6] == 1 ? 2 : 4;
    std::uint64_t length = 0;
    const bool hasLength = Read(start + 8, lengthBytes) == lengthBytes;
    for (std::size_t i = lengthBytes; i-- > 0;)
    {
        length = length << 8 | start[8 + i];
    }
    std::string header(std::min<std::uint64_t>(length, LARGEST_NPY_HEADER), ' ');
    DPDL_REFUSE_IF(!hasLength || length > LARGEST_NPY_HEADER ||
                       Read(reinterpret_cast<std::uint8_t*>(header.data()), length) != length,
                   m_place,
                   "a header that is cut or too long",
                   "an array of numpy.savez");
    ReadType(header);
    ReadShape(header);
    std::uint64_t left = size - std::min(size, 8 + lengthBytes + length);
    left /= m_type.bytes;
    std::uint64_t elements = 1;
    for (const std::uint64_t side : m_shape)
    {
        // Multiplication stops once the product exceeds the number of elements in the file, so the
        // product cannot overflow. The size check after this loop then rejects the file.
        elements = side != 0 && elements > left / side ? left + 1 : elements * side;
    }
    DPDL_REFUSE_IF(elements != left,
                   m_place,
                   std::to_string(left) + " elements",
                   "as many as shape " + Excerpt(BehindKey(header, "shape")));
}

void
NpyArray::ReadType(const std::string& header)
{
    const std::string text = BehindKey(header, "descr");
    const std::size_t end = text.find('\'', 1);
    const std::string name =
        text.rfind('\'', 0) == 0 && end != std::string::npos ? text.substr(1, end - 1) : "";
    const auto isOneOf = [&](const std::string& kinds, const std::string& sizes) {
        return kinds.find(name[1]) != std::string::npos && sizes.find(name[2]) != std::string::npos;
    };
    DPDL_REFUSE_IF(name.size() != 3 || std::string("<>|=").find(name[0]) == std::string::npos ||
                       !(isOneOf("ui", "1248") || isOneOf("f", "248") || isOneOf("b", "1")),
                   m_place,
                   "type " + (name.empty() ? text.substr(0, 20) : name),
                   "integers, booleans, float16, float32 or float64");
    m_type = {name[1], static_cast<std::size_t>(name[2] - '0'), name[0] == '>'};
    DPDL_REFUSE_IF(BehindKey(header, "fortran_order").rfind("False", 0) != 0,
                   m_place,
                   "Fortran order",
                   "C order, as numpy.ascontiguousarray makes it");
}

void
NpyArray::ReadShape(const std::string& header)
{
    const std::string text = BehindKey(header, "shape");
    const std::size_t end = text.find(')');
    bool isShape = text.rfind('(', 0) == 0 && end != std::string::npos;
    for (std::size_t begin = 1; isShape && begin < end;)
    {
        const std::size_t comma = std::min(text.find(',', begin), end);
        const std::string number = Strip(text.substr(begin, comma - begin));
        std::uint64_t side = 0;
        const char* const stop = number.data() + number.size();
        const auto read = std::from_chars(number.data(), stop, side);
        const bool isLast = comma == end && number.empty(); // empty text after a trailing comma
        isShape = isLast || (read.ec == std::errc() && read.ptr == stop);
        if (isShape && !isLast)
        {
            m_shape.push_back(side);
        }
        begin = comma + 1;
    }
    DPDL_REFUSE_IF(!isShape || m_shape.size() > MOST_DIMENSIONS,
                   m_place,
                   "shape " + text.substr(0, 40),
                   "a shape such as (60000, 28, 28)");
}

std::vector<std::uint8_t>
NpyArray::ReadBytes(std::uint64_t count)
{
    // Reserving memory for a wrong number of elements in the header is harmless: the operating
    // system provides memory pages only when they are written.
    std::vector<std::uint8_t> values;
    values.reserve(count);
    while (values.size() < count)
    {
        const std::uint64_t now = std::min(BLOCK_ELEMENTS, count - values.size());
        values.resize(values.size() + now);
        DPDL_REFUSE_IF(Read(values.data() + values.size() - now, now) != now,
                       m_place,
                       "the end of the data",
                       std::to_string(count) + " elements");
    }
    return values;
}

template <class Number>
std::vector<Number>
NpyArray::ReadNumbers(std::uint64_t count)
{
    std::vector<Number> values;
    values.reserve(count);
    std::vector<std::uint8_t> block(BLOCK_ELEMENTS * m_type.bytes);
    while (values.size() < count)
    {
        const std::uint64_t now = std::min(BLOCK_ELEMENTS, count - values.size());
        DPDL_REFUSE_IF(Read(block.data(), now * m_type.bytes) != now * m_type.bytes,
                       m_place,
                       "the end of the data",
                       std::to_string(count) + " elements");
        for (std::uint64_t i = 0; i < now; ++i)
        {
            std::uint8_t* element = block.data() + i * m_type.bytes;
            if (m_type.isSwapped)
            {
                std::reverse(element, element + m_type.bytes);
            }
            const auto value = static_cast<Number>(ToNumber(m_type, element));
            DPDL_REFUSE_IF(!std::isfinite(value),
                           m_place,
                           "element " + std::to_string(values.size()) + ", which is not finite",
                           "finite numbers within float32");
            values.push_back(value);
        }
    }
    return values;
}

template std::vector<float> NpyArray::ReadNumbers<float>(std::uint64_t);
template std::vector<double> NpyArray::ReadNumbers<double>(std::uint64_t);

void
NpyArray::ExpectEnd()
{
    std::uint8_t more = 0;
    DPDL_REFUSE_IF(Read(&more, 1) != 0,
                   m_place,
                   "more data than its shape has",
                   "the end of the array");
}

NpzFile::NpzFile(const std::string& path, const std::string& arrays)
    : m_path(path),
      m_arrays(arrays)
{
    int code = 0;
    m_archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
    if (m_archive == nullptr)
    {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        throw UsageError("npz file '" + path + "'", reason, "an archive of numpy.savez");
    }
}

NpzFile::~NpzFile()
{
    zip_discard(m_archive);
}

bool
NpzFile::Has(const std::string& name) const
{
    return zip_name_locate(m_archive, (name + ".npy").c_str(), 0) >= 0;
}

std::vector<std::string>
NpzFile::Names() const
{
    const std::string suffix = ".npy";
    std::vector<std::string> names;
    for (zip_int64_t entry = 0; entry < zip_get_num_entries(m_archive, 0); ++entry)
    {
        const char* const found = zip_get_name(m_archive, static_cast<zip_uint64_t>(entry), 0);
        std::string name = found == nullptr ? "" : found;
        const bool isArray = name.size() > suffix.size() &&
                             name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
        name.resize(name.size() - (isArray ? suffix.size() : 0));
        names.push_back(std::move(name));
    }
    return names;
}

std::unique_ptr<NpyArray>
NpzFile::Open(const std::string& name) const
{
    const std::string place = "npz file '" + m_path + "', array '" + name + "'";
    const zip_int64_t entry = zip_name_locate(m_archive, (name + ".npy").c_str(), 0);
    DPDL_REFUSE_IF(entry < 0, place + " is missing; expected arrays " + m_arrays);
    return std::unique_ptr<NpyArray>(
        new NpyArray(m_archive, static_cast<std::uint64_t>(entry), place));
}

} // namespace dpdl
