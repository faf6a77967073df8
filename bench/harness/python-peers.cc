// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "python-peers.h"

#include "dpdl/base/errors.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace dpdl
{

namespace
{

/// What a command prints; empty if it fails.
std::string
OutputOf(const std::string& command)
{
    std::string text;
    const auto close = [](std::FILE* pipe) { pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    std::array<char, 4096> buffer{};
    while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr)
    {
        text += buffer.data();
    }
    return text;
}

/// For the shell.
std::string
Quoted(const std::string& word)
{
    std::string quoted = "'";
    for (const char letter : word)
    {
        quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return quoted + "'";
}

bool
Runs(const std::string& python)
{
    return OutputOf(Quoted(python) + " -c 'print(1)' 2>/dev/null") == "1\n";
}

/// Reads a line: fields `name=value`, separated by tabs; `seconds` may come more than once.
PeerResult
ReadLine(const std::string& line)
{
    PeerResult result;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');)
    {
        const std::size_t equals = field.find('=');
        const std::string name = field.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : field.substr(equals + 1);
        if (name == "peer")
        {
            result.name = value;
        }
        else if (name == "value")
        {
            result.value = value;
        }
        else if (name == "private")
        {
            result.isPrivate = value == "yes";
        }
        else if (name == "trouble")
        {
            result.trouble = value;
        }
        else if (name == "seconds")
        {
            result.seconds.Add(std::strtod(value.c_str(), nullptr));
        }
    }
    return result;
}

} // namespace

PythonPeers::PythonPeers(const std::string& python)
{
    if (python == "off")
    {
        return;
    }
    if (!python.empty())
    {
        if (!Runs(python))
        {
            throw UsageError("option 'python'", python, "a Python interpreter, or off");
        }
        m_program = python;
        return;
    }
    for (const char* candidate : {"python3", "/usr/bin/python3"})
    {
        if (Runs(candidate))
        {
            m_program = candidate;
            return;
        }
    }
}

std::vector<PeerResult>
PythonPeers::Run(const std::string& script, const std::vector<std::string>& arguments) const
{
    std::vector<PeerResult> results;
    if (m_program.empty())
    {
        return results;
    }
    std::string command =
        Quoted(m_program) + " -B -W ignore " + Quoted(DPDL_PEERS_FOLDER "/" + script);
    for (const std::string& argument : arguments)
    {
        command += " " + Quoted(argument);
    }
    std::istringstream lines(OutputOf(command));
    for (std::string line; std::getline(lines, line);)
    {
        // Libraries print lines of their own.
        if (line.rfind("peer=", 0) == 0)
        {
            results.push_back(ReadLine(line));
        }
    }
    return results;
}

const std::string&
PythonPeers::Program() const
{
    return m_program;
}

} // namespace dpdl
