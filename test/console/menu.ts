// From page to page by the menu.
import { expect } from 'vitest';
import type { Page, Route } from 'playwright-core';

export const to = async (page: Page, name: string) => {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** A page whose code comes late does not take the place of the one that somebody has gone on to; and none loads the console anew. */
export async function goesFromPageToPage(page: Page): Promise<void> {
  let held: Route | undefined;
  await page.route('**/console/assets/*.js', (route) => void (held = route), { times: 1 });
  await page.getByRole('link', { name: 'Quality' }).click();
  await expect.poll(() => held).toBeDefined();
  await to(page, 'Check');
  await held?.continue();
  await page.evaluate(`import(${JSON.stringify(held?.request().url())})`);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Check']);
  await page.evaluate('globalThis.same = true');
  for (const name of ['Requests', 'Audit log', 'Accounts & keys', 'Audit log', 'Check']) await to(page, name);
  expect(await page.evaluate('globalThis.same')).toBe(true);
}
