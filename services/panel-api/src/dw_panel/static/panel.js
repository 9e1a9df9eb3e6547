// Keys of the inbox (D24): each element says its own key. Off while typing, and with any modifier.
"use strict";

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]');
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = [...document.querySelectorAll("[data-key]")].find((found) => found.dataset.key === event.key);
  if (!target) return;
  event.preventDefault();
  if (event.key === "/") target.focus();
  else target.click();
  if (event.key === "e") document.getElementById("edit-text")?.focus();
  if (event.key === "v") document.getElementById("evidence")?.focus();
});

// A form is sent once: a second press would meet its own first.
document.addEventListener("submit", (event) => {
  if (document.body.getAttribute("aria-busy") === "true") event.preventDefault();
  else document.body.setAttribute("aria-busy", "true");
});
window.addEventListener("pageshow", () => document.body.removeAttribute("aria-busy"));
