// A browser and a real server, for tests that use the console as a person does.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { SAMPLE_GRAPH_FILE } from '../../src/app/sample.ts';
import { createConsoleSignInLink } from '../../src/commands/serve/console.ts';
import type { ConfigSources } from '../../src/config.ts';
import { freshApp } from '../kit/app.ts';
import { ROOT } from '../kit/pages.ts';

const CANDIDATES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of a Chromium, undefined if there is none. */
export const BROWSER = CANDIDATES.find((path) => path !== undefined && existsSync(path));

if (!BROWSER)
  process.stderr.write(
    'Chromium is missing: the browser tests of the console are SKIPPED. Run apt-get install chromium, or set CHROMIUM to its path.\n',
  );

/** Text that runs a script if a page shows it as HTML. */
export const XSS = '<img src=x onerror=alert(1)>';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Site {
  url: string;
  folder: string;
  app: Awaited<ReturnType<typeof freshApp>>;
  /** Opens a page in a new browser context that is signed in with a link. */
  signedIn(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  close(): Promise<void>;
}

const readSample = () =>
  readFileSync(SAMPLE_GRAPH_FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

/** Builds the console and serves it on the demo's graph, with more records. Call it in a test: the server ends with the test. */
export async function openSite(records: object[] = [], settings: ConfigSources['flags'] = {}): Promise<Site> {
  execFileSync(process.execPath, [join(ROOT, '.config/console.mjs'), '--stale']);
  const app = await freshApp({
    people: [...readSample(), ...records],
    settings: { log: 'silent', ...settings },
  });
  const { url } = await app.app.listen();
  const browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  return {
    url,
    folder: app.folder,
    app,
    async signedIn(options) {
      const page = await openPage(await browser.newContext(options));
      await page.goto(createConsoleSignInLink({ dataDir: app.folder }, url));
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    close: () => browser.close(),
  };
}

/** Errors of each page: messages on its console, violations of its policy, exceptions and dialogs. */
const PAGE_ERRORS = new WeakMap<Page, string[]>();

export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const errors: string[] = [];
  PAGE_ERRORS.set(page, errors);
  page.setDefaultTimeout(300_000);
  page.on('console', (message) => {
    // The browser also logs error answers that the page shows in words.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('dialog', (dialog) => (errors.push(`dialog: ${dialog.message()}`), void dialog.dismiss()));
  return page;
}

export const pageErrors = (page: Page): string[] => PAGE_ERRORS.get(page) ?? [];

/** Returns the accessibility violations that axe finds in a page as it is shown, of any impact, by all rules or one of them. */
export async function axeViolations(page: Page, rule?: 'color-contrast'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) };
  return await page.evaluate(`axe.run(${JSON.stringify(options)}).then(${LIST_VIOLATIONS})`);
}

/** Runs in the page, which returns texts only: axe describes every element that it checked, and the description is a megabyte. */
const LIST_VIOLATIONS = `({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => [id, target.join(' '), failureSummary.split('\\n')[1] ?? ''].join(' ')),
  )`;
