// Opened from disk a browser reads no other file, so search finds nothing: say what to do instead.
document.addEventListener("DOMContentLoaded", () => {
  if (location.protocol !== "file:") return;
  const hint = document.createElement("p");
  hint.className = "from-disk";
  hint.textContent = "Search needs a server: python -m http.server -d site, then http://localhost:8000";
  document.querySelector(".wy-side-nav-search")?.append(hint);
});
