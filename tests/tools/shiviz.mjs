// Reads every log of a folder as the viewer does: with the expression that help tells to paste, by the
// viewer's own engine of expressions, flags gm. Prints what it read, for comparison.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const pattern = readFileSync(join(folder, "pattern.txt"), "utf8");
const all = {};
for (const file of readdirSync(folder).filter((name) => name.endsWith(".log"))) {
  const text = readFileSync(join(folder, file), "utf8");
  let end = 0;
  all[file.slice(0, -4)] = Array.from(text.matchAll(new RegExp(pattern, "gm")), (match) => {
    assert.equal(text.slice(end, match.index).trim(), "", `${file}: nothing is passed over`);
    end = match.index + match[0].length;
    const { host, clock, event } = match.groups;
    assert.ok(Object.hasOwn(JSON.parse(clock), host), `${file}: ${host} counts its own events`);
    return [host, event];
  });
  assert.equal(text.slice(end).trim(), "", `${file}: nothing is left over`);
}
console.log(JSON.stringify(all));
