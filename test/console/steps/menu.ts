import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';

/** Opens a page through the menu. */
export const openPage = async (page: Page, name: string) => {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** A page whose code arrives late does not replace the page that was opened after it, and no link loads the document again. */
export async function goFromPageToPage(page: Page): Promise<void> {
  let held: Route | undefined;
  await page.route('**/console/assets/*.js', (route) => void (held = route), { times: 1 });
  await page.getByRole('link', { name: 'Evaluation' }).click();
  await expect.poll(() => held).toBeDefined();
  await openPage(page, 'Check');
  await held?.continue();
  await page.evaluate(`import(${JSON.stringify(held?.request().url())})`);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Check']);
  await page.evaluate('globalThis.isSameDocument = true');
  for (const name of ['Requests', 'Audit log', 'Accounts & keys', 'Audit log', 'Check'])
    await openPage(page, name);
  expect(await page.evaluate('globalThis.isSameDocument')).toBe(true);
}
