// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MODEL_H
#define DPDL_TRAINING_MODEL_H

#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/layer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Loss of one example, which training minimises.
enum class Loss
{
    CROSS_ENTROPY, ///< -log of the label's softmax probability
    SQUARED_ERROR, ///< (output - target)^2 / 2, with the label as target
};

/// Initial values of a parameter tensor.
enum class Initialisation
{
    FAN_IN_UNIFORM, ///< uniform in +-1/sqrt(fan-in), as in PyTorch's layers
    ZERO,           ///< 0, for the shift of a normalisation
    ONE,            ///< 1, for the scale of a normalisation
    SMALL_NORMAL,   ///< normal with standard deviation 0.02, for position and token embeddings
};

/// One parameter tensor and its place in the flat parameter vector.
struct ParameterTensor
{
    std::string name;                 ///< name of the tensor, for example conv1.weight
    std::vector<std::uint32_t> shape; ///< sizes of the dimensions, row-major
    std::size_t offset{0};            ///< index of the tensor's first element in the flat vector
    std::size_t size{0};              ///< number of elements
    std::size_t fanIn{0};             ///< number of inputs on which one output of the layer depends
    Initialisation start{Initialisation::FAN_IN_UNIFORM}; ///< distribution of the initial values
};

/// Facts about a model that neither its layers nor its function show. Its builder sets them.
struct ModelFacts
{
    /// The logits of one image depend on the others in its batch, as with batch normalisation.
    bool hasBatchStatistics{false};
    /// Initial parameters, [ParameterCount()]; null: drawn from the seed. Copies share them.
    std::shared_ptr<const std::vector<float>> start;
    std::uint32_t tokens{0}; ///< examples are token ids below this count; 0: they are values
    /// Reason for the choice of the engine; "": the engine's name shows it.
    std::string engineReason;
    double values{0.0}; ///< activations of one example, in floats, for memory estimates
};

class ForwardFunction;

/**
 * @brief A feed-forward network: maps an image to one logit per class, or to the output of a
 * regression.
 *
 * It is a chain of layers, which the native engine computes, or any LibTorch function.
 * All parameters are in one flat float32 vector, tensor after tensor in the order of Parameters(),
 * each row-major, weights before biases: the order of PyTorch's Sequential.
 */
class ModelSpec : public ModelFacts
{
  public:
    /**
     * @param name name of the model
     * @param input size of one image
     * @param layers from the image to the logits
     * @throws UsageError if a layer does not fit the output of the layer before it, or the input
     *         and output shapes of a residual block differ
     */
    ModelSpec(std::string name, ImageShape input, std::vector<Layer> layers);

    /**
     * @brief A model that is not a chain of layers. It is one part until DeclareParts().
     * @param name name of the model
     * @param input size of one image
     * @param classes number of logits, above 0
     * @param parameters tensors in the order of the flat vector; offset and size are filled in
     * @param function computes the logits
     */
    ModelSpec(std::string name,
              ImageShape input,
              std::uint32_t classes,
              std::vector<ParameterTensor> parameters,
              std::shared_ptr<const ForwardFunction> function);

    /// Name of the model.
    const std::string& Name() const
    {
        return m_name;
    }

    /// Layers, from the image to the logits; empty if the model is not a chain of layers.
    const std::vector<Layer>& Layers() const
    {
        return m_layers;
    }

    /// Computes the logits of a model that is not a chain of layers; null if it is one.
    const ForwardFunction* Function() const
    {
        return m_function.get();
    }

    /// Shapes between the layers: [0] the image, [i] the output of layer i-1; a vector has height 1
    /// and width 1. Only image and logits if the model is not a chain of layers.
    const std::vector<ImageShape>& Shapes() const
    {
        return m_shapes;
    }

    /// Parameter tensors in the order of the flat vector.
    const std::vector<ParameterTensor>& Parameters() const
    {
        return m_parameters;
    }

    /// d, the length of the flat vector.
    std::size_t ParameterCount() const;

    /// Number of logits.
    std::size_t Classes() const;

    /// Squared error for one output, whose softmax would be constant; cross-entropy for more.
    Loss TrainingLoss() const;

    /**
     * @brief Number of parts: consecutive groups of whole tensors that cover the flat vector. The
     *        option sharedLayers counts the parts that nodes share.
     *
     * Each layer with parameters is a part, unless DeclareParts() was called.
     */
    std::size_t Parts() const;

    /**
     * @brief Index one past the last parameter of a part.
     * @param part 1 to Parts()
     * @throws UsageError if there is no such part
     */
    std::size_t PartEnd(std::size_t part) const;

    /// The part of a parameter, 1 to Parts(). @param index below ParameterCount()
    std::size_t PartOf(std::size_t index) const;

    /**
     * @brief Declares the tensors of each part, in place of one part per layer.
     * @param tensors number of tensors of each part, above 0; they sum to the size of Parameters()
     * @return the model itself
     * @throws UsageError otherwise
     */
    ModelSpec& DeclareParts(const std::vector<std::size_t>& tensors);

    /**
     * @brief Declares names of the tensors, in place of names by kind of layer.
     * @param names one for each of Parameters()
     * @return the model itself
     */
    ModelSpec& DeclareNames(const std::vector<std::string>& names);

  private:
    void CheckResidual(const Residual& residual) const;
    void AddParameters(const std::string& layer,
                       const std::vector<std::uint32_t>& weight,
                       std::size_t fanIn);

    std::string m_name;               ///< name of the model
    std::vector<Layer> m_layers;      ///< layers from the image to the logits
    std::vector<ImageShape> m_shapes; ///< shapes between the layers
    /// Parameter tensors, in the order of the flat vector.
    std::vector<ParameterTensor> m_parameters;
    std::vector<std::size_t> m_partEnds; ///< [k] index one past part k + 1
    /// Computes the logits; null for a chain of layers.
    std::shared_ptr<const ForwardFunction> m_function;
};

/**
 * @brief Rejects models without per-example gradients.
 *
 * Clipping bounds the influence of one example only if its gradient depends on that example and the
 * parameters alone. With batch statistics an example also changes the gradients of all others.
 *
 * @throws UsageError if the model has batch statistics
 */
void CheckPerExampleGradients(const ModelSpec& model);

/// Builds a model for a given image size and number of classes.
using ModelFactory = std::function<ModelSpec(ImageShape input, std::uint32_t classes)>;

/// All models by name, and names that are reserved. The parameters of an entry are its tensors, for
/// 28 x 28 images and ten classes unless stated in the entry.
const Registry<ModelFactory>& Models();

/**
 * @brief Registers a user's model for MakeModel(), `list models` and the option `model`.
 *
 * Call it before the first run, on the thread of that run.
 * @param info name and description
 * @param factory builds the model
 * @throws UsageError if the name is taken
 */
void RegisterModel(PartInfo info, ModelFactory factory);

/**
 * @brief Name, description and source of a model.
 * @param name of Models(), mlp:H1,H2,... or file:NET.json (doc/formats/model.md)
 * @throws UsageError if it is unknown, or the file cannot be read as a model
 */
PartInfo ModelInfo(const std::string& name);

/// Files that a model is read from; empty for a model of Models(). @param name as in ModelInfo()
std::vector<std::string> ModelFiles(const std::string& name);

/**
 * @brief Makes a model.
 * @param name as in ModelInfo()
 * @param input size of one image
 * @param classes number of logits; 1: a regression
 * @throws UsageError if the name is unknown or the model does not fit the images
 */
ModelSpec MakeModel(const std::string& name, ImageShape input, std::uint32_t classes);

/**
 * @brief Initial parameters of all nodes.
 * @param model that they belong to
 * @param init `default`: ModelFacts::start, or each tensor by its ParameterTensor::start; `zero`:
 *        all 0
 * @param seed of the run; the same for all nodes
 * @return [ParameterCount()]
 * @throws UsageError if @p init is neither
 */
std::vector<float> InitialParameters(const ModelSpec& model,
                                     const std::string& init,
                                     RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_MODEL_H
