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

/// Objective of one example, which training minimises.
enum class Loss
{
    CROSS_ENTROPY, ///< -log of the label's softmax probability
    SQUARED_ERROR, ///< (output - target)^2 / 2; the target is the label
};

/// Distribution of the initial values of a parameter tensor.
enum class Initialisation
{
    FAN_IN_UNIFORM, ///< uniform in [-b, b] with b = 1/sqrt(fan-in), as in PyTorch's layers
    ZERO,           ///< 0, for the shift of a normalisation
    ONE,            ///< 1, for the scale of a normalisation
    SMALL_NORMAL,   ///< normal with standard deviation 0.02, for position and token embeddings
};

/// One parameter tensor, and its position in the flat parameter vector.
struct ParameterTensor
{
    std::string name;                 ///< name of the tensor, for example conv1.weight
    std::vector<std::uint32_t> shape; ///< sizes of the dimensions, row-major
    std::size_t offset{0};            ///< index of the tensor's first element in the flat vector
    std::size_t size{0};              ///< number of elements
    /// fan-in: number of inputs on which one output of the tensor's layer depends
    std::size_t fanIn{0};
    Initialisation start{Initialisation::FAN_IN_UNIFORM}; ///< distribution of the initial values
};

/// Properties of a model that cannot be derived from its layers or its function. The builder of the
/// model sets them.
struct ModelFacts
{
    /// true: the logits of one image depend on the other images of its batch, as with batch
    /// normalisation
    bool hasBatchStatistics{false};
    /// Initial parameters, [ParameterCount()]; null: InitialParameters() draws them from the seed.
    /// Copies of the model share them.
    std::shared_ptr<const std::vector<float>> start;
    /// vocabulary size: examples are token ids in [0, tokens); 0: examples are values, not token
    /// ids
    std::uint32_t tokens{0};
    /// Reason why the model needs its engine, for messages; empty: no special reason.
    std::string engineReason;
    /// number of activations of one example, as float32 values, for memory estimates
    double values{0.0};
};

class ForwardFunction;

/**
 * @brief A feed-forward network, which maps an image to one logit per class, or to the output of a
 *        regression.
 *
 * The network is either a chain of layers, which the native engine computes, or a LibTorch
 * function. All parameters are in one flat float32 vector. It contains the tensors in the order of
 * Parameters(), each row-major, weights before biases, as in PyTorch's Sequential.
 */
class ModelSpec : public ModelFacts
{
  public:
    /**
     * @param name name of the model
     * @param input size of one image
     * @param layers layers from the image to the logits
     * @throws UsageError if a layer does not fit the output of the layer before it, or the input
     *         and output shapes of a residual block differ
     */
    ModelSpec(std::string name, ImageShape input, std::vector<Layer> layers);

    /**
     * @brief A model that is not a chain of layers. All its tensors form one part until
     *        DeclareParts() is called.
     * @param name name of the model
     * @param input size of one image
     * @param classes number of logits, above 0
     * @param parameters tensors in the order of the flat vector; the constructor sets `offset` and
     *         `size` of each
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

    /// Shapes between the layers: [0] of the image, [i] of the output of layer i-1; a vector has
    /// height 1 and width 1. For a model that is not a chain of layers: [0] of the image, [1] of
    /// the logits.
    const std::vector<ImageShape>& Shapes() const
    {
        return m_shapes;
    }

    /// Parameter tensors in the order of the flat vector.
    const std::vector<ParameterTensor>& Parameters() const
    {
        return m_parameters;
    }

    /// d, the length of the flat parameter vector.
    std::size_t ParameterCount() const;

    /// Number of logits.
    std::size_t Classes() const
    {
        return m_shapes.back().channels;
    }

    /// Objective of training: squared error for a model with one output, since the softmax of one
    /// logit is constant; cross-entropy for more outputs.
    Loss TrainingLoss() const;

    /**
     * @brief Number of parts. A part is a group of consecutive whole tensors; together the parts
     *        cover the flat vector. The option sharedLayers is the number of parts that nodes
     *        share.
     *
     * Each layer that has parameters is one part, unless DeclareParts() was called.
     */
    std::size_t Parts() const
    {
        return m_partEnds.size();
    }

    /**
     * @brief Index one past the last parameter of a part.
     * @param part 1 to Parts()
     * @throws UsageError if @p part is out of range
     */
    std::size_t PartEnd(std::size_t part) const;

    /// Number of the part that contains a parameter, 1 to Parts().
    /// @param index of the parameter in the flat vector, below ParameterCount()
    std::size_t PartOf(std::size_t index) const;

    /**
     * @brief Declares which tensors form each part, in place of one part per layer.
     * @param tensors [parts] number of tensors in each part, above 0; the sum is the size of
     *         Parameters()
     * @return the model itself
     * @throws UsageError if a number is 0 or the sum differs
     */
    ModelSpec& DeclareParts(const std::vector<std::size_t>& tensors);

    /**
     * @brief Declares names of the tensors, in place of the default names, which come from the
     *        layers' kinds.
     * @param names [Parameters().size()] name of each tensor
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
    /// [Parts()] index one past the last parameter of each part
    std::vector<std::size_t> m_partEnds;
    /// Computes the logits; null for a chain of layers.
    std::shared_ptr<const ForwardFunction> m_function;
};

/**
 * @brief Rejects models that have no per-example gradients.
 *
 * Clipping limits the influence of one example only if its gradient depends on nothing but that
 * example and the parameters. With batch statistics, an example also changes the gradients of the
 * other examples in its batch.
 *
 * @throws UsageError if the model has batch statistics
 */
void CheckPerExampleGradients(const ModelSpec& model);

/// Builds a model for an image size and a number of classes; 1 class is a regression.
using ModelFactory = std::function<ModelSpec(ImageShape input, std::uint32_t classes)>;

/// Registry of models by name; it also contains reserved names. The entries list parameter tensors
/// for images of 28 x 28 pixels and ten classes, unless an entry says otherwise.
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
 * @brief Name, description and source of a model, for lists and messages.
 * @param name of Models(), mlp:H1,H2,... or file:NET.json (doc/formats/model.md)
 * @throws UsageError if the name is unknown, or the file cannot be read or is not a model
 */
PartInfo ModelInfo(const std::string& name);

/// Paths of the files from which a model is read; empty for a model of Models().
/// @param name as in ModelInfo()
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
 * @param model model that gets the parameters
 * @param init `default`: ModelFacts::start, or if it is null each tensor by its
 *         ParameterTensor::start; `zero`: all 0
 * @param seed seed of the run; the same for all nodes
 * @return [ParameterCount()]
 * @throws UsageError if @p init has another value
 */
std::vector<float> InitialParameters(const ModelSpec& model,
                                     const std::string& init,
                                     RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_MODEL_H
