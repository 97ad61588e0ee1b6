// Renders every formula of the built site as a browser would, and names those that KaTeX refuses.
//
//   node tools/check_formulas.js build/docs
"use strict";
const fs = require("fs");
const path = require("path");

const site = process.argv[2];
const katex = require(path.resolve(site, "katex/katex.min.js"));
const FORMULA = /class="arithmatex">\s*\\([([])([\s\S]*?)\\[)\]]\s*<\/(?:span|div)>/g;
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

function pages(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return pages(name);
    return name.endsWith(".html") ? [name] : [];
  });
}

let formulas = 0;
let faults = 0;
for (const page of pages(site)) {
  const text = fs.readFileSync(page, "utf8");
  for (const [, bracket, html] of text.matchAll(FORMULA)) {
    const tex = html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]);
    formulas += 1;
    try {
      katex.renderToString(tex, { displayMode: bracket === "[", strict: "error" });
    } catch (error) {
      faults += 1;
      console.error(`${path.relative(site, page)}: ${error.message}\n    ${tex.trim()}`);
    }
  }
  const marked = (text.match(/class="arithmatex"/g) || []).length;
  const read = [...text.matchAll(FORMULA)].length;
  if (marked !== read) {
    faults += 1;
    console.error(`${path.relative(site, page)}: ${marked} formulas, ${read} of them understood`);
  }
}
if (formulas === 0) {
  console.error(`${site} has no formulas: nothing was checked`);
  faults += 1;
}
console.log(`${formulas} formulas, ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
