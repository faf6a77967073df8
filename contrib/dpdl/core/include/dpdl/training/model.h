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

/// Training objective of one example.
enum class Loss
{
    CROSS_ENTROPY, ///< -log of the label's softmax probability
    SQUARED_ERROR, ///< (output - target)^2 / 2, for a regression
};

/// Distribution of the initial values of a parameter tensor.
enum class Initialisation
{
    FAN_IN_UNIFORM, ///< uniform in [-b, b] with b = 1/sqrt(fan-in), as in PyTorch's layers
    ZERO,           ///< 0, for the shift of a normalisation layer
    ONE,            ///< 1, for the scale of a normalisation layer
    SMALL_NORMAL,   ///< normal with standard deviation 0.02, for embeddings of positions and tokens
};

/// A parameter tensor, and its position in the flat parameter vector.
struct ParameterTensor
{
    std::string name; ///< name of the tensor, such as conv1.weight
    /// Sizes of the dimensions, outermost first; elements are row-major.
    std::vector<std::uint32_t> shape;
    std::size_t offset{0}; ///< index of the tensor's first element in the flat vector
    std::size_t size{0};   ///< number of elements
    /// Number of inputs on which one output of the tensor's layer depends (fan-in).
    std::size_t fanIn{0};
    Initialisation start{Initialisation::FAN_IN_UNIFORM}; ///< distribution of the initial values
};

/// Properties of a model that do not follow from its layers or its function. The builder of the
/// model sets them.
struct ModelFacts
{
    /// True: the logits of an example depend on the other examples of its batch, as with batch
    /// normalisation.
    bool hasBatchStatistics{false};
    /// Initial parameters, [ParameterCount()]; null: InitialParameters() draws them from the seed.
    /// Copies of the model share this vector.
    std::shared_ptr<const std::vector<float>> start;
    /// Vocabulary size, if examples are token ids in [0, tokens); 0: examples are not token ids.
    std::uint32_t tokens{0};
    /// Reason why the model needs a particular engine, for messages; "": no special reason.
    std::string engineReason;
    /// Number of float32 activations of one example, for memory estimates; 0: not known, and not
    /// part of the estimates.
    double values{0.0};
};

class ForwardFunction;

/**
 * @brief A feed-forward network that maps an image to one logit per class, or to the output of a
 *        regression.
 *
 * The network is either a chain of layers, which the native engine computes, or a LibTorch
 * function. All parameters are in one flat float32 vector. The vector has the tensors in the order
 * of Parameters(), each row-major, weights before biases, as in PyTorch's Sequential.
 */
class ModelSpec : public ModelFacts
{
  public:
    /**
     * @param name name of the model
     * @param input size of one image
     * @param layers layers from the image to the logits
     * @throws UsageError naming the layer, if it does not fit the output of the previous layer, or
     *         if the input and output shapes of a residual block differ
     */
    ModelSpec(std::string name, ImageShape input, std::vector<Layer> layers);

    /**
     * @brief Constructs a model that is not a chain of layers. All its tensors form one part until
     *        DeclareParts() is called.
     * @param name name of the model
     * @param input size of one image
     * @param classes number of logits, above 0
     * @param parameters tensors in the order of the flat vector; the constructor sets `offset` and
     *        `size` of each tensor
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

    /// Layers from the input to the logits; empty if the model is not a chain of layers.
    const std::vector<Layer>& Layers() const
    {
        return m_layers;
    }

    /// Computes the logits of a model that is not a chain of layers; nullptr for a chain of layers.
    const ForwardFunction* Function() const
    {
        return m_function.get();
    }

    /// Shapes between the layers: element 0 is the input, element i the output of layer i - 1. A
    /// vector has height 1 and width 1. If the model is not a chain of layers: element 0 is the
    /// input, element 1 the logits.
    const std::vector<ImageShape>& Shapes() const
    {
        return m_shapes;
    }

    /// Parameter tensors in the order of the flat vector.
    const std::vector<ParameterTensor>& Parameters() const
    {
        return m_parameters;
    }

    /// Length d of the flat parameter vector.
    std::size_t ParameterCount() const;

    /// Number of logits; 1: a regression.
    std::size_t Classes() const
    {
        return m_shapes.back().channels;
    }

    /// Training objective: squared error for a model with one output, and cross-entropy for a model
    /// with several outputs.
    Loss TrainingLoss() const;

    /**
     * @brief Number of parts. A part is a group of consecutive whole tensors; together the parts
     *        cover the flat vector. Option `sharedLayers` is the number of leading parts that nodes
     *        share.
     *
     * Each layer that has parameters is one part, unless DeclareParts() was called.
     */
    std::size_t Parts() const
    {
        return m_partEnds.size();
    }

    /**
     * @brief Index in the flat vector past the last parameter of a part.
     * @param part index of the part, 1 to Parts()
     * @throws UsageError if @p part is out of range
     */
    std::size_t PartEnd(std::size_t part) const;

    /// Index of the part that contains a parameter, 1 to Parts().
    /// @param index index of the parameter in the flat vector, below ParameterCount()
    std::size_t PartOf(std::size_t index) const;

    /**
     * @brief Sets the tensors of each part. By default there is one part per layer with parameters.
     * @param tensors number of tensors in each part, > 0; the sum must be the number of tensors
     * @return the model itself
     * @throws UsageError if a number is 0 or the sum is wrong
     */
    ModelSpec& DeclareParts(const std::vector<std::size_t>& tensors);

    /**
     * @brief Sets the names of the tensors. By default, they are derived from the kinds of the
     *        layers.
     * @param names name of each tensor, [Parameters().size()]
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
    /// Index past the last parameter of each part, [Parts()].
    std::vector<std::size_t> m_partEnds;
    /// Computes the logits; nullptr for a chain of layers.
    std::shared_ptr<const ForwardFunction> m_function;
};

/**
 * @brief Rejects models that have no per-example gradients.
 *
 * Clipping limits the influence of an example only if its gradient depends on this example and the
 * parameters alone. With batch statistics, an example also changes the gradients of other examples
 * in its batch.
 *
 * @throws UsageError naming the model if it has batch statistics
 */
void CheckPerExampleGradients(const ModelSpec& model);

/// Builds a model for an input shape and a number of classes; 1 class: a regression.
using ModelFactory = std::function<ModelSpec(ImageShape input, std::uint32_t classes)>;

/// Registry of all models, including reserved names. The descriptions list parameter tensors for
/// images of 28 x 28 pixels and ten classes, unless they say otherwise.
const Registry<ModelFactory>& Models();

/**
 * @brief Registers a user's model for MakeModel(), `list models` and the option `model`.
 *
 * Must be called before the first run, by the thread that starts the run.
 * @param info name and description of the model
 * @param factory factory of the model
 * @throws UsageError if a model of this name is registered
 */
void RegisterModel(PartInfo info, ModelFactory factory);

/**
 * @brief Name, description and source of a model, for lists and messages.
 * @param name name in Models(), mlp:H1,H2,... or file:NET.json (doc/formats/model.md)
 * @throws UsageError if the name is unknown, or the file cannot be read or is not a model
 */
PartInfo ModelInfo(const std::string& name);

/// Paths of the files from which a model is read; empty for a name in Models().
/// @param name name in Models(), mlp:H1,H2,... or file:NET.json
std::vector<std::string> ModelFiles(const std::string& name);

/**
 * @brief Makes a model.
 * @param name name in Models(), mlp:H1,H2,... or file:NET.json
 * @param input size of one image
 * @param classes number of logits; 1: a regression
 * @throws UsageError if the name is unknown, or the model does not fit the images
 */
ModelSpec MakeModel(const std::string& name, ImageShape input, std::uint32_t classes);

/**
 * @brief Initial parameters of all nodes.
 * @param model model that gets the parameters
 * @param init `default`: ModelFacts::start or, if it is null, each tensor by its
 *        ParameterTensor::start; `zero`: all 0
 * @param seed seed of the run; the same for all nodes
 * @return [ParameterCount()]
 * @throws UsageError for any other @p init
 */
std::vector<float> InitialParameters(const ModelSpec& model,
                                     const std::string& init,
                                     RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_MODEL_H
