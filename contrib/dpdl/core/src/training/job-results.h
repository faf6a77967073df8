// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_JOB_RESULTS_H
#define DPDL_TRAINING_JOB_RESULTS_H

#include "dpdl/base/errors.h"
#include "dpdl/training/node-job.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace dpdl
{

/**
 * @file
 * @brief Numeric results of a job, as bytes of a journal.
 */

/// Reads the bytes of a JournalWriter.
class JournalReader
{
  public:
    JournalReader(const std::string& bytes, std::size_t& at)
        : m_bytes(bytes),
          m_at(at)
    {
    }

    template <class Value>
    void operator()(Value& value)
    {
        static_assert(std::is_arithmetic_v<Value>);
        Copy(&value, sizeof(value));
    }

    void operator()(std::string& text)
    {
        std::uint32_t size = 0;
        (*this)(size);
        text.resize(std::min<std::size_t>(size, m_bytes.size()));
        Copy(text.data(), text.size());
    }

    void operator()(std::vector<ReleaseRecord>& records)
    {
        std::uint32_t size = 0;
        (*this)(size);
        records.resize(std::min<std::size_t>(size, m_bytes.size()));
    }

    void Copy(void* to, std::size_t size)
    {
        if (size > m_bytes.size() - m_at)
        {
            throw Error("the journal of the run ends too early");
        }
        std::memcpy(to, m_bytes.data() + m_at, size);
        m_at += size;
    }

  private:
    const std::string& m_bytes;
    std::size_t& m_at;
};

/// Appends values in the memory format of this machine, which also reads the journal.
class JournalWriter
{
  public:
    explicit JournalWriter(std::string& bytes)
        : m_bytes(bytes)
    {
    }

    template <class Value>
    void operator()(const Value& value)
    {
        static_assert(std::is_arithmetic_v<Value>);
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }

    void operator()(const std::string& text)
    {
        (*this)(static_cast<std::uint32_t>(text.size()));
        m_bytes += text;
    }

    void operator()(const std::vector<ReleaseRecord>& records)
    {
        (*this)(static_cast<std::uint32_t>(records.size()));
    }

  private:
    std::string& m_bytes;
};

/// Reads or writes an evaluation.
template <class Visitor, class Result>
void
VisitEvaluation(Visitor& visit, Result& evaluation)
{
    visit(evaluation.correct);
    visit(evaluation.lossSum);
    visit(evaluation.size);
}

/// Reads or writes the numeric results of a job.
template <class Visitor, class Job>
void
VisitResults(Visitor visit, Job& job)
{
    visit(job.mixError);
    VisitEvaluation(visit, job.evaluation);
    visit(job.batch.lossSum);
    visit(job.batch.normSum);
    visit(job.batch.clipped);
    visit(job.batch.size);
    visit(job.sharedNorm);
    visit(job.standardNoiseNorm);
    visit(job.stepSeconds);
    visit(job.releases);
    for (auto& release : job.releases)
    {
        visit(release.mechanism);
        visit(release.deviation);
        visit(release.grid);
        visit(release.sensitivity);
        visit(release.values);
        visit(release.noiseKey);
        visit(release.sampler);
        visit(release.rate);
        visit(release.epoch);
        visit(release.batchClip);
        visit(release.dataDependent);
        visit(release.batchDependent);
        visit(release.inState);
        visit(release.largestState);
    }
}

} // namespace dpdl

#endif // DPDL_TRAINING_JOB_RESULTS_H
