// npm run bench:console: time until the first page of the console is usable, size of all pages, and the longest task of a page with a
// thousand rows. Needs Chromium. Starts its own server on loopback with the demo's graph.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createConsoleSignInLink } from '../../../src/commands/serve/console.ts';
import { createRequestId } from '../../../src/platform/request-id.ts';
import { createCallRecorder } from '../../../src/store/serving/recorder.ts';
import { createWriterThreadConnectFunction } from '../../../src/store/sqlite/engine.ts';
import { getStoreFile } from '../../../src/store/sqlite/open.ts';
import { sampleCall } from '../../kit/call.ts';
import { spread } from '../speed/report.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ROUNDS = 11;
const ROWS = 1000;

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath))
  throw new Error('Chromium is missing: run apt-get install chromium, or set CHROMIUM to its path.');
execFileSync(process.execPath, [join(ROOT, '.config/console.mjs'), '--stale']);
const folder = mkdtempSync(join(tmpdir(), 'bonafide-console-'));
const data = join(folder, 'demo');
const server = spawn(
  process.execPath,
  [join(ROOT, 'src/bonafide.mjs'), 'serve', '--demo', '--port', '0', '--json', '--log', 'silent'],
  { env: { ...process.env, BONAFIDE_DATA_DIR: data }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const output = await new Promise<string>((resolve) =>
  server.stdout.once('data', (text) => resolve(String(text))),
);
const { url } = JSON.parse(output) as { url: string };
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  measureSize();
  await measureFirstPage(browser);
  await measureManyRows(browser);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

function measureSize(): void {
  const assets = join(ROOT, 'dist/console/assets');
  const sizes = readdirSync(assets).map((file) => gzipSync(readFileSync(join(assets, file))).length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`all pages, compressed: ${(all / 1000).toFixed(0)} kB\n`);
}

/** Measures the time from the navigation until the button of the form accepts a click, after sign-in and with an empty cache. */
async function measureFirstPage(browser: Browser): Promise<void> {
  const times: number[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await signedIn(browser);
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const button = [...document.querySelectorAll('button')].find((element) => element.textContent === 'Check');
      if (!button) return;
      observer.disconnect();
      setTimeout(() => { globalThis.usable = performance.now(); });
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${url}/console`);
    await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
    times.push(await waitForNumber(page, 'globalThis.usable'));
    bytes.push(
      (await page.evaluate(
        'performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)',
      )) as number,
    );
    await page.context().close();
  }
  const { median, min, max } = spread(times);
  process.stdout.write(
    `first page usable after ${median.toFixed()} ms (${min.toFixed()} to ${max.toFixed()}), ${(spread(bytes).median / 1000).toFixed(0)} kB over the wire\n`,
  );
}

async function signedIn(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(createConsoleSignInLink({ dataDir: data }, url));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('about:blank');
  return page;
}

/** Polls an expression until it is a number. The content security policy of the page forbids `waitForFunction`. */
async function waitForNumber(page: Page, expression: string): Promise<number> {
  for (;;) {
    const value = await page.evaluate(expression);
    if (typeof value === 'number') return value;
    await pause(10);
  }
}

/** Loads a thousand calls into one list and measures the longest task, during which the page accepts no input. */
async function measureManyRows(browser: Browser): Promise<void> {
  const recorder = createCallRecorder(
    createWriterThreadConnectFunction({ file: getStoreFile(data), waitMs: 5000, notify: false }),
  );
  const now = Date.now();
  const calls = Array.from({ length: ROWS }, (_, i) =>
    sampleCall({ requestId: createRequestId(now - i), time: now - i, keyId: 'key_000000000000' }),
  );
  await Promise.all(calls.map((call) => recorder.write(call)));
  await recorder.close();
  const page = await signedIn(browser);
  await page.goto(`${url}/console/requests`);
  await page.evaluate(
    "globalThis.longest = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration) }).observe({ type: 'longtask', buffered: false })",
  );
  const rows = () => page.locator('tbody tr').count();
  const more = page.getByRole('button', { name: 'Show more' });
  while ((await rows()) < ROWS) {
    const before = await rows();
    await more.click();
    await page.locator('tbody tr').nth(before).waitFor();
  }
  const longest = (await page.evaluate('globalThis.longest')) as number;
  process.stdout.write(
    `${await rows()} rows in one list: ${longest === 0 ? 'no task of the page took more than 50 ms' : `the longest task of the page took ${longest.toFixed()} ms`}\n`,
  );
}
