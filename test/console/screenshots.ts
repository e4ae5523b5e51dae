// Every page at two widths in both themes: nothing is wider than the window. With SHOTS, a screenshot of each for a person to look at.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../kit/pages.ts';
import { axeViolations, type Site } from './browser.ts';

export const PAGES = [
  '',
  'overview',
  'requests',
  'keys',
  'keys?tab=accounts',
  'keys?tab=plans',
  'features',
  'watches',
  'webhook',
  'audit',
  'graph',
  'graph?tab=people&identity=1',
  'graph?tab=judgements',
  'quality',
];

/** Folder of the screenshots: SHOTS=dist/shots npm run test:run -- test/console */
const SHOTS = process.env.SHOTS;

/** Takes a screenshot of a page as it is shown, if SHOTS is set. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

/** Each page is loaded once: width and theme change on the page as it is shown, narrow first. */
export async function checkEveryPage(page: Page, { url }: Site): Promise<void> {
  await page.evaluate('localStorage.clear()');
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  for (const path of PAGES) {
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto(`${url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    for (const width of [360, 1600])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(AFTER_TRANSITIONS);
        expect([path, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
          path,
          width,
          width,
        ]);
        // A theme changes colours only, so the dark one is checked by the rule about colours.
        const rule = colorScheme === 'dark' ? 'color-contrast' : undefined;
        if (width === 360)
          expect([path, colorScheme, await axeViolations(page, rule)]).toEqual([path, colorScheme, []]);
        const name = `${path.replace(/\W+/g, '-') || 'check'}-${width}-${colorScheme}`;
        await takeScreenshot(page, name);
      }
  }
}

/** Runs in the page. Resolves when a new width and new colours are drawn; a running indicator of progress never ends. */
const AFTER_TRANSITIONS = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished),
  ),
).then(() => undefined)`;

/** The files of all pages together, compressed, stay below the limit for one first load. */
export function checkBundleSize(): void {
  const folder = join(ROOT, 'dist/console/assets');
  const files = readdirSync(folder).map((file) => join(folder, file));
  expect(files.every((file) => statSync(file).size > 0)).toBe(true);
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  expect(bytes).toBeLessThan(150_000);
}
