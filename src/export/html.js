"use strict";
(function () {
  const steps = Array.from(document.querySelectorAll(".step"));
  // The number of the state at which the page begins: 0, unless the steps before are not shown.
  const first = Number(steps[0].dataset.n);
  const drawn = Array.from(document.querySelectorAll("#picture [data-from]"));
  const button = (id) => document.getElementById(id);
  const picture = button("picture");
  const seen = document.querySelector("#picture clipPath rect");
  const whole = seen.getAttribute("width");
  const columns = [0];
  document.querySelectorAll("#picture [data-column]").forEach((title) => {
    columns.push(Number(title.getAttribute("x")));
  });
  columns[0] = (columns[1] || 90) - 50;
  const last = steps.length - 1;
  const fromAddress = /^#(\d+)$/.exec(location.hash);
  let now = fromAddress ? Math.max(0, Math.min(last, Number(fromAddress[1]) - first)) : 0;

  // The lanes' names stay in sight when one scrolls.
  const names = document.querySelector("#picture .names");
  picture.addEventListener("scroll", () => {
    names.setAttribute("transform", "translate(" + picture.scrollLeft + ",0)");
  });

  function show() {
    steps.forEach((step, n) => step.classList.toggle("current", n === now));
    drawn.forEach((part) => {
      const from = Number(part.dataset.from);
      part.classList.toggle("hidden", from > now + first);
      part.classList.toggle("now", from === now + first && part.dataset.column !== undefined);
    });
    // A message that is on its way has not arrived yet: its line ends a little after this step.
    seen.setAttribute("width", now === last ? whole : columns[now] + 40);
    // The step stays in sight where the picture is wider than the page.
    picture.scrollLeft = columns[now] - picture.clientWidth / 2;
    button("where").textContent = "step " + (now + first) + " of " + (last + first);
    button("said").textContent = "Step " + (now + first) + ". " + steps[now].querySelector(".sentence").textContent;
    // Not `disabled`: the button would lose the focus of somebody who uses the keyboard.
    ["first", "back"].forEach((id) => button(id).setAttribute("aria-disabled", now === 0));
    ["next", "last"].forEach((id) => button(id).setAttribute("aria-disabled", now === last));
  }

  function go(to) {
    now = Math.max(0, Math.min(last, to));
    show();
  }

  const keys = {
    ArrowRight: () => go(now + 1),
    PageDown: () => go(now + 1),
    ArrowLeft: () => go(now - 1),
    PageUp: () => go(now - 1),
    Home: () => go(0),
    End: () => go(last),
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  button("first").addEventListener("click", () => go(0));
  button("back").addEventListener("click", () => go(now - 1));
  button("next").addEventListener("click", () => go(now + 1));
  button("last").addEventListener("click", () => go(last));
  // On paper the whole run stands.
  window.addEventListener("beforeprint", () => seen.setAttribute("width", whole));
  window.addEventListener("afterprint", show);
  document.body.classList.add("stepping");
  document.getElementById("controls").hidden = false;
  show();
})();
