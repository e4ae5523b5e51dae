// A browser before a real server, for tests that walk the console's pages as a person would.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createConsoleLink } from '../../src/commands/serve/console.ts';
import type { ConfigSources } from '../../src/config.ts';
import { SAMPLE_GRAPH } from '../../src/app/sample.ts';
import { freshApp } from '../kit/app.ts';
import { ROOT } from '../kit/pages.ts';

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where a browser is; undefined where there is none. */
export const BROWSER = PLACES.find((path) => path !== undefined && existsSync(path));

if (!BROWSER)
  process.stderr.write(
    'No Chromium is here: the tests of the console in a browser are LEFT OUT. apt-get install chromium, or name one in CHROMIUM.\n',
  );

/** A text that must stay one wherever it is shown. */
export const XSS = '<img src=x onerror=alert(1)>';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Site {
  url: string;
  folder: string;
  app: Awaited<ReturnType<typeof freshApp>>;
  /** A page in a browser of its own that is signed in by a link. */
  signedIn(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  close(): Promise<void>;
}

const sample = () =>
  readFileSync(SAMPLE_GRAPH, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

/** Serves the pages as they are now, on the demo's graph. Call it in a test: the server ends with it. */
export async function openSite(more: object[] = [], settings: ConfigSources['flags'] = {}): Promise<Site> {
  execFileSync(process.execPath, [join(ROOT, '.config/console.mjs'), '--stale']);
  const app = await freshApp({ people: [...sample(), ...more], settings: { log: 'silent', ...settings } });
  const { url } = await app.app.listen();
  const browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  return {
    url,
    folder: app.folder,
    app,
    async signedIn(options) {
      const page = await openPage(await browser.newContext(options));
      await page.goto(createConsoleLink({ dataDir: app.folder }, url));
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    close: () => browser.close(),
  };
}

/** What a page must not do: complain, be stopped by the policy, or throw. */
const COMPLAINTS = new WeakMap<Page, string[]>();

export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const complaints: string[] = [];
  COMPLAINTS.set(page, complaints);
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    // A refusal that the page shows in words is logged by the browser, too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => (complaints.push(`dialog: ${dialog.message()}`), void dialog.dismiss()));
  return page;
}

export const complaintsOf = (page: Page): string[] => COMPLAINTS.get(page) ?? [];

/** What axe finds at fault in a page as it is shown, of whatever level. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id} ${target.join(' ')} ${failureSummary.split('\n')[1] ?? ''}`,
    ),
  );
}
