// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The button that turns the page dark or light, whatever the system prefers.
function addThemeButton() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const button = makeButton("", "", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  const name = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = isDark() ? "Show the page in light colours" : "Show the page in dark colours";
  };
  button.classList.add("theme");
  system.addEventListener("change", name);
  name();
  document.querySelector("header").prepend(button);
}

function makeButton(text, title, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "control";
  button.textContent = text;
  button.title = title;
  button.addEventListener("click", action);
  return button;
}

function makeSvg(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  parent?.append(element);
  return element;
}

// Folded parts are open on paper, and as they were behind it.
function unfoldOnPaper() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open], .data)")];
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));
}

// The box that says what the pointer is on. Its parts are texts, never markup.
const tooltip = {
  box: null,
  show(clientX, clientY, head, rows) {
    this.box ??= document.body.appendChild(document.createElement("div"));
    this.box.className = "tooltip";
    this.box.setAttribute("role", "status");
    this.box.replaceChildren();
    if (head) {
      this.box.append(Object.assign(document.createElement("strong"), { textContent: head }));
    }
    for (const { text, colour } of rows) {
      const line = document.createElement("div");
      if (colour) {
        const swatch = line.appendChild(document.createElement("span"));
        swatch.className = "swatch";
        swatch.style.background = `var(${colour})`;
      }
      line.append(text);
      this.box.append(line);
    }
    this.box.hidden = false;
    const { width, height } = this.box.getBoundingClientRect();
    const left = clientX + 16 + width > innerWidth ? clientX - 12 - width : clientX + 16;
    this.box.style.left = `${Math.max(4, left)}px`;
    this.box.style.top = `${Math.max(4, Math.min(clientY + 14, innerHeight - height - 4))}px`;
  },
  hide() {
    if (this.box) {
      this.box.hidden = true;
    }
  },
};

// Titles within drawings become the page's own tooltips, which come at once.
function promoteTitles() {
  for (const title of document.querySelectorAll("svg.figure g > title")) {
    const mark = title.parentElement;
    const text = title.textContent;
    title.remove();
    mark.addEventListener("pointermove", (event) => {
      tooltip.show(event.clientX, event.clientY, "", [{ text }]);
    });
    mark.addEventListener("pointerleave", () => tooltip.hide());
  }
}
