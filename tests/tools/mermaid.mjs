// Lets Mermaid itself read and draw every diagram of a folder, and compares what it draws with what the
// rows say: the names of the nodes, and each text in its place.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";

const folder = process.argv[2];
const mermaid = fileURLToPath(new URL("node_modules/mermaid/dist/mermaid.min.js", import.meta.url));
const plain = (text) => text.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
// What is drawn may break lines at spaces.
const joined = (text) => plain(text).replace(/\s+/g, "");

/** What the rows of a diagram say. */
function written(text) {
  const rows = text.trimEnd().split("\n").slice(1).map((row) => row.trim());
  const names = rows.filter((row) => row.startsWith("participant ")).map((row) => row.split(" as ")[1]);
  const others = rows.filter((row) => !row.startsWith("participant "));
  const notes = others.filter((row) => row.startsWith("Note over "));
  const arrows = others.filter((row) => !row.startsWith("Note over "));
  const said = (row) => joined(row.slice(row.indexOf(": ") + 2));
  return { names: names.map(joined), notes: notes.map(said), arrows: arrows.map(said) };
}

/** What stands in the drawn diagram. */
function drawn() {
  const texts = (selector) => Array.from(document.querySelectorAll(selector)).map((e) => e.textContent);
  return {
    names: texts("#drawn text.actor-box"),
    notes: Array.from(document.querySelectorAll("#drawn g:has(> rect.note)")).map((g) => g.textContent),
    arrows: texts("#drawn text.messageText"),
  };
}

await withBrowser({}, async (context) => {
  const page = await context.newPage();
  await page.setContent("<!DOCTYPE html><div id='place'></div>");
  await page.addScriptTag({ path: mermaid });
  const files = readdirSync(folder).filter((name) => name.endsWith(".mmd"));
  assert.ok(files.length > 0, "there are diagrams");
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    const kind = await page.evaluate(async (text) => {
      mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true });
      const { diagramType } = await mermaid.parse(text);
      const { svg } = await mermaid.render("drawn", text);
      document.getElementById("place").innerHTML = svg;
      return diagramType;
    }, text).catch((error) => assert.fail(`${file}: ${error}`));
    assert.equal(kind, "sequence", file);
    const { names, notes, arrows } = await page.evaluate(drawn);
    const wanted = written(text);
    // Each node stands above and below.
    assert.deepEqual(names.map(joined).sort(), [...wanted.names, ...wanted.names].sort(), file);
    assert.deepEqual(notes.map(joined), wanted.notes, file);
    assert.deepEqual(arrows.map(joined), wanted.arrows, file);
  }
  const texts = JSON.parse(readFileSync(join(folder, "texts.json"), "utf8"));
  const said = written(readFileSync(join(folder, "texts.mmd"), "utf8")).notes;
  assert.deepEqual(said, texts.map((text) => text.replace(/\s+/g, "")), "the texts are what they were");
  console.log(`${files.length} diagrams`);
});
