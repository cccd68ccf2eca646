// Steps through every page of a folder as a reader does, and compares what can be seen after each step
// with the same run in JSON.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { watched, withBrowser } from "./browser.mjs";

const folder = process.argv[2];
const url = (file) => pathToFileURL(resolve(folder, file)).href;

/** What a reader sees on the page. Runs there. */
function seen() {
  const visible = (element) => getComputedStyle(element).display !== "none";
  const sections = Array.from(document.querySelectorAll(".step")).filter(visible);
  const section = sections[0];
  const cells = (row) => Array.from(row.children).map((cell) => cell.textContent);
  const rows = Array.from(section.querySelectorAll("tbody tr")).map(cells);
  const drawn = Array.from(document.querySelectorAll("#picture [data-from]"));
  const shown = (part) => getComputedStyle(part).visibility === "visible";
  return {
    sections: sections.length,
    n: Number(section.dataset.n),
    title: section.querySelector("h2").textContent,
    heads: cells(section.querySelector("thead tr")),
    rows,
    flights: Array.from(section.querySelectorAll("h3"))
      .filter((h3) => h3.textContent.startsWith("In flight"))
      .flatMap((h3) => Array.from(h3.nextElementSibling.children).map((li) => li.textContent)),
    said: document.getElementById("said").textContent,
    where: document.getElementById("where").textContent,
    early: drawn.filter((part) => shown(part) && Number(part.dataset.from) > Number(section.dataset.n)).length,
    late: drawn.filter((part) => !shown(part) && Number(part.dataset.from) <= Number(section.dataset.n)).length,
  };
}

/** A value of the JSON as the page writes it. */
function shown(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    const [clock, node] = value;
    if (value.length === 2 && typeof clock === "number" && typeof node === "string") return `(${clock},${node})`;
    return value.length === 0 ? "–" : value.map(shown).join(" ");
  }
  if (typeof value === "object") {
    const pairs = Object.entries(value).map(([name, inner]) => `${name}:${shown(inner)}`);
    return pairs.length === 0 ? "–" : pairs.sort().join(" ");
  }
  return String(value);
}

/** A cell without the marks of conditions; of values for each node the order is not compared. */
function unmarked(cell, value) {
  const text = cell.replaceAll("+", "");
  const perNode = value !== null && typeof value === "object" && !Array.isArray(value);
  return perNode ? text.split(" ").sort().join(" ") : text;
}

/** Compares what is seen with step `n` of the run; 0: its beginning. */
function compare(view, n, run, file) {
  const at = `${file}, step ${n}`;
  const last = run.steps.length;
  assert.equal(view.sections, 1, `${at}: one step is shown`);
  assert.equal(view.n, n, at);
  assert.equal(view.where, `step ${n} of ${last}`, at);
  assert.deepEqual([view.early, view.late], [0, 0], `${at}: the picture shows what has happened`);
  if (n === 0) return;
  const step = run.steps[n - 1];
  assert.equal(view.title, `${n}. ${step.event}`, at);
  assert.equal(view.said, `Step ${n}. ${step.text}`, at);
  assert.deepEqual(view.rows.map((row) => row[0]), Object.keys(step.nodes), `${at}: every node has a row`);
  for (const [node, ...cells] of view.rows) {
    const { phase, clock, fields } = step.nodes[node];
    const cell = Object.fromEntries(view.heads.slice(1).map((head, i) => [head, cells[i]]));
    if (cell.state !== "–") assert.equal(cell.state, phase, `${at}: the state of ${node}`);
    else assert.ok(!run.nodes.includes(node), `${at}: ${node} has a state`);
    if ("clock" in cell) assert.equal(cell.clock, shown(clock), `${at}: the clock of ${node}`);
    for (const [field, value] of Object.entries(fields)) {
      assert.equal(unmarked(cell[field], value), shown(value), `${at}: ${field} of ${node}`);
    }
  }
  if (n === last) {
    const flights = run.in_flight.map((message) => message.id);
    assert.deepEqual(view.flights.map((text) => text.split(" ")[0]).sort(), flights.sort(), at);
  }
}

/** Who entered in a step, by the page: is inside and neither was nor had crashed there. */
function entered(view, before) {
  const states = (view) => Object.fromEntries(view.rows.map((row) => [row[0], row[1]]));
  const [now, then] = [states(view), states(before)];
  return Object.keys(now).filter((node) => now[node] === "in-cs" && !["in-cs", "crashed"].includes(then[node]));
}

/** Compares the views of a whole run. Who entered, by the page, must be who entered in the JSON. */
function compareAll(views, run, file) {
  assert.equal(views.length, run.steps.length + 1, file);
  views.forEach((view, n) => compare(view, n, run, file));
  const entries = views.slice(1).flatMap((view, i) => entered(view, views[i]));
  assert.deepEqual(entries, run.entries, `${file}: the entries`);
}

/** What is seen at the beginning and after each key to the right. */
async function forward(page, steps) {
  const views = [await page.evaluate(seen)];
  while (views.length <= steps) {
    await page.keyboard.press("ArrowRight");
    views.push(await page.evaluate(seen));
  }
  return views;
}

/** The same with keys that the page sends itself: for many pages in little time. */
function forwardInside(page, steps) {
  return page.evaluate(`(() => {
    ${seen}
    const views = [seen()];
    while (views.length <= ${steps}) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
      views.push(seen());
    }
    return views;
  })()`);
}

async function keys(page, run, file) {
  const at = async (key, n) => {
    await page.keyboard.press(key);
    compare(await page.evaluate(seen), n, run, file);
  };
  const last = run.steps.length;
  compareAll(await forward(page, last), run, file);
  await at("ArrowRight", last);
  for (let n = last - 1; n >= 0; n--) await at("ArrowLeft", n);
  await at("ArrowLeft", 0);
  await at("End", last);
  await at("PageUp", last - 1);
  await at("PageDown", last);
  await at("Home", 0);
}

/** With Tab and Enter alone; the focus stays where it is. */
async function tabs(page, run, file) {
  const focus = () => page.evaluate(() => document.activeElement.id);
  const order = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("Tab");
    order.push(await focus());
  }
  assert.deepEqual(order, ["first", "back", "next", "last", "picture"], `${file}: the order of Tab`);
  await page.focus("#next");
  for (let n = 1; n <= run.steps.length; n++) {
    await page.keyboard.press(n % 2 === 0 ? "Enter" : "Space");
    compare(await page.evaluate(seen), n, run, file);
  }
  await page.keyboard.press("Enter");
  assert.equal(await focus(), "next", `${file}: the focus stays`);
  await page.keyboard.press("Home");
}

/** What a screen reader gets. */
async function heard(context, page, run, file) {
  const session = await context.newCDPSession(page);
  await page.keyboard.press("End");
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const named = (role) => nodes.filter((n) => !n.ignored && n.role?.value === role).map((n) => n.name?.value);
  assert.deepEqual(named("button"), ["First", "← Back", "Next →", "Last"], file);
  assert.ok(named("region").includes("space-time diagram"), file);
  const picture = nodes.find((n) => ["image", "img", "graphics-document"].includes(n.role?.value) && n.name?.value);
  assert.ok(picture, `${file}: the picture has a name`);
  const status = nodes.find((n) => n.role?.value === "status");
  const live = status.properties.find((p) => p.name === "live");
  assert.equal(live?.value.value, "polite", file);
  assert.equal(await page.textContent("[role=status]"), `Step ${run.steps.length}. ${run.steps.at(-1).text}`, file);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en", file);
  await page.keyboard.press("Home");
}

/** The colours of everything in a picture. Runs on the page. */
function colours() {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)).join(",");
  };
  const used = new Set();
  for (const part of document.querySelectorAll("svg path, svg text, svg rect")) {
    if (part.closest("clipPath")) continue;
    const style = getComputedStyle(part);
    for (const colour of [style.fill, style.stroke]) if (colour !== "none") used.add(colour);
  }
  return Array.from(new Set(Array.from(used, rgb)));
}

/** The ratio of contrast of two colours, as WCAG counts it. */
function contrast(a, b) {
  const light = (colour) => {
    const [r, g, b] = colour.split(",").map((v) => {
      const c = Number(v) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Nothing is told by colour: a picture has two, far apart, in whatever light it is seen. */
async function lights(page, file) {
  const all = [
    { colorScheme: "light" },
    { colorScheme: "dark" },
    { forcedColors: "active", colorScheme: "light" },
    { forcedColors: "active", colorScheme: "dark" },
    { media: "print", colorScheme: "dark" },
  ];
  const plain = { media: "screen", colorScheme: "light", forcedColors: "none" };
  for (const light of all) {
    await page.emulateMedia({ ...plain, ...light });
    const used = await page.evaluate(colours);
    const what = `${file} with ${JSON.stringify(light)}: ${used}`;
    assert.equal(used.length, 2, what);
    assert.ok(contrast(...used) >= 7, what);
  }
  await page.emulateMedia(plain);
}

/** On paper, and where no script runs, every step stands there. */
async function whole(page, run, file) {
  const all = await page.evaluate(() => ({
    steps: Array.from(document.querySelectorAll(".step")).filter((s) => s.checkVisibility()).length,
    sentences: Array.from(document.querySelectorAll(".step .sentence"))
      .filter((s) => s.checkVisibility()).map((s) => s.textContent),
    buttons: Array.from(document.querySelectorAll("button")).filter((b) => b.checkVisibility()).length,
    hidden: Array.from(document.querySelectorAll("#picture [data-from]"))
      .filter((part) => getComputedStyle(part).visibility !== "visible").length,
  }));
  assert.equal(all.steps, run.steps.length + 1, file);
  assert.deepEqual(all.sentences.slice(1), run.steps.map((step) => step.text), file);
  assert.deepEqual([all.buttons, all.hidden], [0, 0], file);
}

/** By touch. */
async function taps(page, run, file) {
  const tap = async (id, n) => {
    await page.tap(`#${id}`);
    compare(await page.evaluate(seen), n, run, file);
  };
  const last = run.steps.length;
  for (let n = 1; n <= last; n++) await tap("next", n);
  await tap("back", last - 1);
  await tap("first", 0);
  await tap("last", last);
  for (const id of ["first", "back", "next", "last"]) {
    const { width, height } = await page.locator(`#${id}`).boundingBox();
    assert.ok(width >= 44 && height >= 44, `${file}: ${id} is large enough for a finger`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${file}: the page fits a telephone`);
  const title = await page.locator(`#picture [data-column="${last}"]`).boundingBox();
  assert.ok(title.x >= 0 && title.x <= 390, `${file}: the step is in sight`);
  const scrolled = await page.evaluate(() => document.getElementById("picture").scrollLeft);
  assert.ok(scrolled > 0, `${file}: the picture is wider than a telephone`);
  for (const lane of await page.locator("#picture .names text").all()) {
    const { x } = await lane.boundingBox();
    assert.ok(x >= 0 && x < 60, `${file}: the lane's name is in sight, at ${x}`);
  }
}

const names = readdirSync(folder).filter((name) => name.endsWith(".html")).map((name) => name.slice(0, -5));
const runOf = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

await withBrowser({}, async (context) => {
  const { page, visit, faults } = await watched(context);
  let steps = 0;
  for (const name of names) {
    const run = runOf(name);
    await visit(url(`${name}.html`));
    compareAll(await forwardInside(page, run.steps.length), run, name);
    await visit(url(`${name}.svg`));
    await lights(page, `${name}.svg`);
    assert.deepEqual(faults, [], name);
    steps += run.steps.length;
  }
  const [name, run] = ["lesson-9", runOf("lesson-9")];
  await visit(url(`${name}.html`));
  await tabs(page, run, name);
  await keys(page, run, name);
  await heard(context, page, run, name);
  await lights(page, name);
  await page.emulateMedia({ media: "print" });
  await whole(page, run, `${name} on paper`);
  assert.deepEqual(faults, [], name);
  console.log(`${names.length} pages, ${steps} steps`);
});

await withBrowser({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }, async (context) => {
  const { page, visit, faults } = await watched(context);
  await visit(url("lesson-9.html"));
  await taps(page, runOf("lesson-9"), "lesson-9 on a telephone");
  assert.deepEqual(faults, []);
});

await withBrowser({ javaScriptEnabled: false }, async (context) => {
  const { page, visit, faults } = await watched(context);
  await visit(url("lesson-9.html"));
  await whole(page, runOf("lesson-9"), "lesson-9 without scripts");
  assert.deepEqual(faults, []);
});
