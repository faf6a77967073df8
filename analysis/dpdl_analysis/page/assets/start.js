// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

addThemeButton();
unfoldOnPaper();
promoteTitles();
const figureData = JSON.parse(document.getElementById("figure-data").textContent);
for (const [slug, { plots, player }] of Object.entries(figureData)) {
  const figure = document.getElementById(slug);
  if (player) {
    new Player(figure, player);
    figure.classList.add("playing");
  }
  if (plots.length) {
    new PlotFigure(figure, slug, plots);
  }
}
stackPanels();
// For tests: all figures are alive.
document.documentElement.classList.add("ready");
