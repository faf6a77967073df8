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

/// What training makes small, for one example.
enum class Loss
{
    CROSS_ENTROPY, ///< -log of the label's share in the softmax of the logits
    SQUARED_ERROR, ///< (score - target)^2 / 2, with the label as target
};

/// What the values of a parameter tensor are before the first round.
enum class Initialisation
{
    FAN_IN_UNIFORM, ///< uniform in +-1/sqrt(fan-in), as PyTorch's layers draw them
    ZERO,           ///< 0, for the shift of a normalisation
    ONE,            ///< 1, for the scale of a normalisation
    SMALL_NORMAL,   ///< normal with deviation 0.02, for positions and tokens
};

/// One parameter tensor and its place in the flat parameter vector.
struct ParameterTensor
{
    std::string name;                 ///< for example conv1.weight
    std::vector<std::uint32_t> shape; ///< row-major
    std::size_t offset{0};            ///< index of its first element in the flat vector
    std::size_t size{0};              ///< number of elements
    std::size_t fanIn{0};             ///< inputs that one output of its layer depends on
    Initialisation start{Initialisation::FAN_IN_UNIFORM}; ///< its first values
};

class ForwardFunction;

/**
 * @brief A feed-forward network: from an image to one score a class, or to the one score of a
 * regression.
 *
 * It is a chain of layers, which the project's own engine computes, or any function of LibTorch.
 * All parameters are in one flat float32 vector, tensor after tensor in the order of Parameters(),
 * each row-major, weights before biases: the order of PyTorch's Sequential.
 */
class ModelSpec
{
  public:
    /**
     * @param name name of the model
     * @param input size of one image
     * @param layers from the image to the logits
     * @throws UsageError if a layer does not fit to what the layer before it gives, or a residual
     *         block does not begin with the shape that it ends with
     */
    ModelSpec(std::string name, ImageShape input, std::vector<Layer> layers);

    /**
     * @brief A model that is not a chain of layers. All of it is one part, until DeclareParts().
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
    const std::string& Name() const;

    /// Layers, from the image to the logits; empty if the model is not a chain of layers.
    const std::vector<Layer>& Layers() const;

    /// Computes the logits of a model that is not a chain of layers; null if it is one.
    const ForwardFunction* Function() const;

    /// Shapes between the layers: [0] the image, [i] what layer i-1 gives; a vector has height 1
    /// and width 1. Image and logits alone if the model is not a chain of layers.
    const std::vector<ImageShape>& Shapes() const;

    /// Parameter tensors in the order of the flat vector.
    const std::vector<ParameterTensor>& Parameters() const;

    /// d, the length of the flat vector.
    std::size_t ParameterCount() const;

    /// Number of logits.
    std::size_t Classes() const;

    /// The squared error for one score, whose softmax would be constant; the cross-entropy
    /// for more.
    Loss TrainingLoss() const;

    /**
     * @brief Number of parts: runs of whole tensors, one behind the other, that cover the flat
     *        vector. Algorithms that share only the first parts of a model name how many.
     *
     * Each layer with parameters is a part, unless DeclareParts() said otherwise.
     */
    std::size_t Parts() const;

    /**
     * @brief Index behind the last parameter of a part.
     * @param part 1 to Parts()
     * @throws UsageError if there is no such part
     */
    std::size_t PartEnd(std::size_t part) const;

    /// The part of a parameter, 1 to Parts(). @param index below ParameterCount()
    std::size_t PartOf(std::size_t index) const;

    /**
     * @brief Says which tensors make up the parts, in place of one part a layer.
     * @param tensors how many tensors each part has, each above 0, together all of Parameters()
     * @return the model itself
     * @throws UsageError if they are not
     */
    ModelSpec& DeclareParts(const std::vector<std::size_t>& tensors);

    /**
     * @brief Declares that the logits of one image depend on the others in its batch, as batch
     *        normalisation makes them; the builder of such a model has to say so.
     * @return the model itself
     */
    ModelSpec& DeclareBatchStatistics();

    /// True if DeclareBatchStatistics() was called.
    bool HasBatchStatistics() const;

    /**
     * @brief Declares names of the tensors, in place of those of their layers' kinds.
     * @param names one for each of Parameters()
     * @return the model itself
     */
    ModelSpec& DeclareNames(const std::vector<std::string>& names);

    /// @brief Declares what parameters begin as, in place of values drawn by the seed.
    /// @param values [ParameterCount()] @return the model itself
    ModelSpec& DeclareStart(std::vector<float> values);

    /// See DeclareStart(); null if it was not called.
    const std::vector<float>* Start() const;

    /// @brief Declares that examples are not numbers but whole numbers below a count, as words of
    /// a vocabulary are. @param count above 0 @return the model itself
    ModelSpec& DeclareTokens(std::uint32_t count);

    /// See DeclareTokens(); 0 if it was not called.
    std::uint32_t Tokens() const;

    /// @brief Declares why its engine computes it, where that is not plain from its name.
    /// @return the model itself
    ModelSpec& DeclareEngineReason(std::string reason);

    /// See DeclareEngineReason(); empty if it was not called.
    const std::string& EngineReason() const;

    /// @brief Declares the memory of one example's values between the layers, for estimates.
    /// @param values floating-point numbers @return the model itself
    ModelSpec& DeclareValues(double values);

    /// See DeclareValues(); 0 if it was not called.
    double Values() const;

  private:
    void CheckResidual(const Residual& residual) const;
    void AddParameters(const std::string& layer,
                       const std::vector<std::uint32_t>& weight,
                       std::size_t fanIn);

    std::string m_name;                                ///< name of the model
    std::vector<Layer> m_layers;                       ///< from the image to the logits
    std::vector<ImageShape> m_shapes;                  ///< between the layers
    std::vector<ParameterTensor> m_parameters;         ///< in the order of the flat vector
    std::vector<std::size_t> m_partEnds;               ///< [k] index behind part k + 1
    bool m_hasBatchStatistics{false};                  ///< see DeclareBatchStatistics()
    std::shared_ptr<const std::vector<float>> m_start; ///< see DeclareStart(); copies share it
    std::uint32_t m_tokens{0};                         ///< see DeclareTokens()
    std::string m_engineReason;                        ///< why another engine than native serves it
    double m_values{0.0};                              ///< values that one example computes
    std::shared_ptr<const ForwardFunction>
        m_function; ///< computes the logits of a model that is no chain
};

/**
 * @brief Refuses models whose examples have no gradients of their own.
 *
 * Clipping bounds what one example can do only if its gradient is a function of that example and
 * the parameters. With batch statistics it also changes the gradients of all others.
 *
 * @throws UsageError if the model has batch statistics
 */
void CheckPerExampleGradients(const ModelSpec& model);

/// Builds a model for images of a size and a number of classes.
using ModelFactory = std::function<ModelSpec(ImageShape input, std::uint32_t classes)>;

/// All models by name, and names that are reserved. The parameters of an entry are its tensors, for
/// 28 x 28 images of ten classes unless the entry says otherwise.
const Registry<ModelFactory>& Models();

/**
 * @brief Enters a model of a user's own, for MakeModel(), `list models` and the option `model`.
 *
 * To be called before the first run, by the thread that makes it.
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

/// The files that a model is read from; none for a model of Models(). @param name as above
std::vector<std::string> ModelFiles(const std::string& name);

/// The model of that name. @param name as above @throws UsageError if it is unknown or does not fit
/// the images
ModelSpec MakeModel(const std::string& name, ImageShape input, std::uint32_t classes);

/**
 * @brief The parameters that every node starts from.
 * @param model what they are for
 * @param init `default`: ModelSpec::Start(), or each tensor as its ParameterTensor::start says;
 *        `zero`
 * @param seed of the run; the same for all nodes
 * @return [ParameterCount()]
 * @throws UsageError if @p init is neither
 */
std::vector<float> InitialParameters(const ModelSpec& model,
                                     const std::string& init,
                                     RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_MODEL_H
