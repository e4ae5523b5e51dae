// Every page at two widths in both themes: nothing reaches beyond the window, and a picture of each for a person to look at.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { ROOT } from '../kit/pages.ts';
import { faultsOf } from './kit.ts';
import type { Site } from './kit.ts';

export const PAGES = [
  '',
  'overview',
  'requests',
  'keys',
  'keys?tab=accounts',
  'keys?tab=plans',
  'features',
  'audit',
  'graph',
  'graph?tab=people&identity=1',
  'graph?tab=judgements',
  'quality',
];
/** Where pictures go, where somebody asked for them: SHOTS=dist/shots npm run test:run -- test/console */
const SHOTS = process.env.SHOTS;

/** A picture of a page as it stands, where pictures are asked for. */
export async function picture(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

export async function looksAtEveryPage(page: Page, { url }: Site): Promise<void> {
  await page.evaluate('localStorage.clear()');
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  for (const width of [360, 1600])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of PAGES) {
        await page.goto(`${url}/console/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
        expect([path, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
          path,
          width,
          width,
        ]);
        if (width === 360) expect([path, colorScheme, await faultsOf(page)]).toEqual([path, colorScheme, []]);
        const name = `${path.replace(/\W+/g, '-') || 'check'}-${width}-${colorScheme}`;
        await picture(page, name);
      }
    }
}

/** All that there is, compressed: more than any first load, and still less than one may have. */
export function isSmall(): void {
  const folder = join(ROOT, 'dist/console/assets');
  const files = readdirSync(folder).map((file) => join(folder, file));
  expect(files.every((file) => statSync(file).size > 0)).toBe(true);
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  expect(bytes).toBeLessThan(150_000);
}
