// Keys for all pages, and search as you type: each page works without them.
"use strict";

const rows = () => [...document.querySelectorAll("[data-row]")];
const pages = { h: "/", s: "/sessions", m: "/memories", w: "/why" };
let isAfterG = false;

function step(by) {
  const all = rows();
  if (!all.length) return;
  const present = all.findIndex((row) => row.classList.contains("at"));
  const next = present < 0 && by < 0 ? all.length - 1 : present + by;
  const row = all[Math.min(Math.max(next, 0), all.length - 1)];
  all[present]?.classList.remove("at");
  row.classList.add("at");
  row.querySelector("a[href]")?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog[open]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const page = isAfterG && pages[event.key];
  isAfterG = event.key === "g";
  if (page) location.href = page;
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "/") document.querySelector("main input[type=search], .top input[type=search]")?.focus();
  else return;
  event.preventDefault();
});

const results = document.getElementById("results");
const field = document.querySelector("main input[type=search]");
let running;

async function search() {
  running?.abort();
  const own = (running = new AbortController());
  const url = new URL(location.href);
  url.searchParams.set("q", field.value);
  try {
    const response = await fetch(url, { signal: own.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const found = page.getElementById("results");
    if (found && !own.signal.aborted) results.replaceChildren(...found.childNodes);
    history.replaceState(null, "", url);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

if (results && field) {
  let timer;
  field.setSelectionRange(field.value.length, field.value.length);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 80);
  });
}
