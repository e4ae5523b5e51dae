// Somebody walks through the console in a browser.
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createConsoleLink } from '../../src/commands/serve/console.ts';
import { createKey } from '../../src/store/keys.ts';
import { BROWSER, complaintsOf, faultsOf, openSite, XSS } from './kit.ts';
import { isSmall, looksAtEveryPage } from './look.ts';
import { operates } from './operate.ts';
import { looksAfterPeople } from './people/walk.ts';
import type { Site } from './kit.ts';

describe.skipIf(!BROWSER)('in a browser', () => {
  test('somebody signs in, checks people, and leaves nothing behind', { timeout: 480_000 }, async () => {
    const site = await openSite();
    try {
      expect(await walk(site)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

/** What the page complained of by the way. */
async function walk(site: Site): Promise<string[]> {
  const page = await site.signedIn();
  expect(page.url()).toBe(`${site.url}/console`);
  await checksPeople(page);
  await hostileText(page);
  await operates(page, site);
  await looksAfterPeople(page, site);
  await signsOutAndIn(page, site);
  await looksAtEveryPage(page, site);
  isSmall();
  await losesTheServer(page, site);
  return complaintsOf(page);
}

/** What is old is dimmed, with of when it is. */
async function losesTheServer(page: Page, { app, url }: Site): Promise<void> {
  await page.goto(`${url}/console/overview`);
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /calls in the last day/ }).waitFor();
  await app.app.close();
  await page
    .getByText(/^What is dimmed is of /)
    .nth(1)
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
}

async function checksPeople(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^One foreign phone/ }).click();
  await page.getByLabel('Score 84 of 100').waitFor();
  const values = page.getByRole('region', { name: 'Each value on its own' });
  expect(await values.getByText('No record').count()).toBe(1);
  expect(await values.getByText(/^Different Identity Match \(ID \d+\)$/).count()).toBe(1);
  const why = page.getByRole('region', { name: 'Why this score' });
  await why.getByText('very strongly against').waitFor();
  expect(await why.getByText(/bits$/).count()).toBe(1);
  await why.getByLabel('Show bits').check();
  expect(await why.getByText(/[+−]\d\.\d\d bits/).count()).toBeGreaterThan(6);
  await page.getByText('Read this first.').waitFor();
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByText('urllib.request.urlopen').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show it dark' }).first().click();
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Clear' }).click();
  await page
    .getByLabel('Paste a line')
    .fill('Ellingsworth, Nora; nora.ellingsworth@post.example 218 555 0114');
  await page.getByRole('button', { name: 'Fill in' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nora Ellingsworth');
  await page.getByRole('button', { name: 'Add an e-mail' }).click();
  await page.getByLabel('E-mail 2', { exact: true }).fill('not an address');
  await page.getByLabel('Score only').check();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('E-mail 2', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Remove E-mail 2' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByLabel(/^Score 9\d of 100$/).waitFor();
  expect(await page.getByText('Explained afterwards').count()).toBe(0);
}

/** Whatever is typed is shown as text. */
async function hostileText(page: Page): Promise<void> {
  await page.getByLabel('Everything').check();
  await page.getByLabel('Name', { exact: true }).fill(`${XSS} Ω`);
  await page.getByLabel('Address: street').fill(`12 ${XSS}`);
  await page.getByLabel('Address: City').fill(XSS);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const values = page.getByRole('region', { name: 'Each value on its own' });
  await values.getByText(`${XSS} Ω`).first().waitFor();
  await values.getByText(`12 ${XSS}, ${XSS}`).first().waitFor();
  await page.getByRole('tab', { name: 'The answer as JSON' }).click();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
}

/** A link that is pasted into the address of a page that is open, which loads nothing, signs in and leaves the address. */
async function followsALink(page: Page, { folder, url }: Site): Promise<void> {
  const link = createConsoleLink({ dataDir: folder }, url);
  const paste = () => page.evaluate(`location.href = ${JSON.stringify(link)}`);
  await paste();
  await page.getByRole('heading', { name: 'Check' }).waitFor();
  expect(page.url()).toBe(`${url}/console`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await paste();
  await page.getByRole('alert').getByText('The link was used before').waitFor();
  expect(page.url()).toBe(`${url}/console`);
}

async function signsOutAndIn(page: Page, site: Site): Promise<void> {
  const { app } = site;
  const kept = await page.evaluate(
    'JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage), document.cookie])',
  );
  expect(kept).toBe('[["bonafide-theme"],[],""]');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await followsALink(page, site);
  await page.getByLabel('Admin key').fill('bf_live_x');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The key is mistyped, unknown, revoked or expired.').waitFor();
  const { key } = createKey(app.app.store, { name: XSS, scopes: ['admin'] }, Date.now());
  await page.getByLabel('Admin key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Check' }).waitFor();
  await page.getByText('and not check people').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Check' }).waitFor();
  const signedIn = page.waitForResponse('**/console/session');
  await page.evaluate(
    `location.href = ${JSON.stringify(createConsoleLink({ dataDir: site.folder }, site.url))}`,
  );
  await signedIn;
}
