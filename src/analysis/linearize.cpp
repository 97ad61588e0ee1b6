#include "analysis/linearize.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

namespace chicane {
namespace {

constexpr GroupIndex kAll{0};

}  // namespace

State<Dual> lifted(const Model<Dual>& model, const State<double>& at) {
  State<Dual> s = model.initial_state();
  s.clock = at.clock;
  std::transform(at.constants.begin(), at.constants.end(), s.constants.begin(),
                 [](double c) { return Dual(c); });
  for (int i = 0; i < at.memory.size(); ++i)
    s.memory[MemoryIndex{i}].value = Dual(at.memory[MemoryIndex{i}].value);
  return s;
}

std::vector<std::vector<double>> jacobian(const Model<Dual>& model, const State<double>& at) {
  constexpr std::size_t kWidth = std::tuple_size_v<decltype(Dual::b)>;
  State<Dual> state = lifted(model, at);
  const Inputs<Dual> inputs = model.default_inputs();
  const BoundModel<Dual> bound(model, state, inputs);
  Eval<Dual> eval = model.make_eval(kAll);
  const std::vector<double>& x0 = at.groups[kAll].x;
  const std::size_t n = x0.size();
  std::vector<Dual> x(x0.begin(), x0.end()), dx(n);
  std::vector<std::vector<double>> A(n, std::vector<double>(n));
  for (std::size_t first = 0; first < n; first += kWidth) {
    const std::size_t width = std::min(kWidth, n - first);
    for (std::size_t j = 0; j < width; ++j) x[first + j].b[j] = 1.0;
    bound.bind(kAll, eval);
    bound.outputs(kAll, at.clock.time(), x, {}, eval, {});
    bound.derivative(kAll, eval, {}, dx);
    for (std::size_t j = 0; j < width; ++j) {
      x[first + j].b[j] = 0.0;
      for (std::size_t i = 0; i < n; ++i) A[i][first + j] = dx[i].b[j];
    }
  }
  return A;
}

Linearization linearize(const std::shared_ptr<const Structure>& structure,
                        const State<double>& at) {
  Linearization out;
  for (const StateIndex i : structure->groups[kAll].states)
    out.states.push_back(structure->states[i].name);
  out.A = jacobian(Model<Dual>(structure), at);
  const auto n = static_cast<Eigen::Index>(out.A.size());
  Eigen::MatrixXd A(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      A(i, j) = out.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  if (n == 0 || !A.allFinite()) return out;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  // Participation of state i in mode k: |v_ik w_ki|, with w the rows of V^-1; free of units.
  const Eigen::MatrixXcd V = solver.eigenvectors();
  const Eigen::MatrixXcd W = V.fullPivLu().inverse();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(solver.eigenvalues()(a)) > std::abs(solver.eigenvalues()(b));
  });
  for (const Eigen::Index k : order) {
    Eigen::Index most = 0;
    V.col(k).cwiseProduct(W.row(k).transpose()).cwiseAbs().maxCoeff(&most);
    out.eigenvalues.push_back(solver.eigenvalues()(k));
    out.leading.push_back(static_cast<int>(most));
  }
  return out;
}

}  // namespace chicane
