// The browser of the system, with nothing of anybody's in it, for checks that fail by throwing.
import { chromium } from "playwright-core";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens a browser with some settings of a context, hands it over, and leaves nothing behind. */
export async function withBrowser(settings, use) {
  const profile = mkdtempSync(join(tmpdir(), "lockstep-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    ...settings,
  });
  try {
    return await use(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** A page on which every complaint is kept, and every request for anything but the file it is at. */
export async function watched(context) {
  const page = await context.newPage();
  let url = "";
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("request", (request) => {
    if (request.url() !== url) faults.push(`request: ${request.url()}`);
  });
  page.on("websocket", (socket) => faults.push(`request: ${socket.url()}`));
  const visit = (to) => page.goto((url = to));
  return { page, visit, faults };
}
