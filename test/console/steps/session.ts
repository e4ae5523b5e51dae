import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createConsoleSignInLink } from '../../../src/commands/serve/console.ts';
import { createKey } from '../../../src/store/keys.ts';
import { axeViolations, type Site, XSS } from '../browser.ts';

export async function signOutAndIn(page: Page, site: Site): Promise<void> {
  const { app } = site;
  const stored = await page.evaluate(
    'JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage), document.cookie])',
  );
  expect(stored).toBe('[["bonafide-theme"],[],""]');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are still signed in. The server does not answer.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await pasteLink(page, site);
  await page.getByLabel('Admin API key').fill('bf_live_x');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The key is mistyped, unknown, revoked or expired.').waitFor();
  const { key } = createKey(app.app.store, { name: XSS, scopes: ['admin'] }, Date.now());
  await page.getByLabel('Admin API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Check' }).waitFor();
  await page.getByText('so it cannot check people').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Check' }).waitFor();
  const signedIn = page.waitForResponse('**/console/session');
  await page.evaluate(
    `location.href = ${JSON.stringify(createConsoleSignInLink({ dataDir: site.folder }, site.url))}`,
  );
  await signedIn;
}

/** A link that is pasted into the address bar of an open page loads nothing, signs in, and leaves the address bar. */
async function pasteLink(page: Page, { folder, url }: Site): Promise<void> {
  const link = createConsoleSignInLink({ dataDir: folder }, url);
  const paste = () => page.evaluate(`location.href = ${JSON.stringify(link)}`);
  await paste();
  await page.getByRole('heading', { level: 1, name: 'Check' }).waitFor();
  expect(page.url()).toBe(`${url}/console`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await paste();
  await page.getByRole('alert').getByText('The link was used before').waitFor();
  expect(page.url()).toBe(`${url}/console`);
}
