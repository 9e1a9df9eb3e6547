// Keys of the inbox (D28): each element says its own key. Off while typing, and with any modifier.
"use strict";

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = [...document.querySelectorAll("[data-key]")].find((found) => found.dataset.key === event.key);
  if (!target) return;
  event.preventDefault();
  target.click();
  if (event.key === "e") document.getElementById("edit-text")?.focus();
});
