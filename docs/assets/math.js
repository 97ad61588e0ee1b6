// Renders the formulas of a page: arithmatex has left them as TeX in \(...\) and \[...\].
document.addEventListener("DOMContentLoaded", () => {
  const delimiters = [
    { left: "\\(", right: "\\)", display: false },
    { left: "\\[", right: "\\]", display: true },
  ];
  for (const formula of document.querySelectorAll(".arithmatex")) {
    renderMathInElement(formula, { delimiters, throwOnError: false });
  }
});
