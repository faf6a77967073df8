// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TYPE_H
#define DPDL_TYPE_H

#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 * @brief Registers a class of this module, which any program can create by its name.
 * @tparam Type class with a default constructor
 * @tparam Parent parent class of @p Type
 * @param name name of the class, with its namespace
 * @return the new TypeId, to which the caller may add attributes and trace sources
 */
template <typename Type, typename Parent>
TypeId
MakeDpdlType(const std::string& name)
{
    return TypeId(name).SetParent<Parent>().SetGroupName("Dpdl").template AddConstructor<Type>();
}

} // namespace ns3

#endif // DPDL_TYPE_H
