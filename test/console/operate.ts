// The operator's part of the walk: keys, accounts, plans, requests, features, the audit log.
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { openAccounts } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { json } from '../kit/app.ts';
import { faultsOf, XSS } from './kit.ts';
import type { Site } from './kit.ts';
import { saysWhatColumnsHold, stopsAnImport } from './graph/steps.ts';
import { picture } from './look.ts';
import { goesFromPageToPage, to } from './menu.ts';

const MANY = 120;

export async function operates(page: Page, site: Site): Promise<void> {
  await goesFromPageToPage(page);
  await makesAndRevokesAKey(page, site);
  await givesAnAccountAPlan(page, site);
  await followsTheServer(page, site);
  await looksUpARequest(page);
  await turnsAFeatureOff(page);
  await readsTheAuditLog(page);
  await importsAFile(page, site);
  await judgesTheScores(page, site);
}

async function makesAndRevokesAKey(page: Page, { app, url }: Site): Promise<void> {
  const now = Date.now();
  for (let i = 0; i < MANY; i++)
    createKey(app.app.store, { name: `bulk ${i}`, scopes: ['read'] }, now - MANY + i);
  await to(page, 'Accounts & keys');
  await page.getByText('50 shown').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('100 shown').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('What it is for').fill(XSS);
  await page.getByLabel('See the evidence of a check').check();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.locator('.secret code').innerText();
  expect(key).toMatch(/^bf_live_\w{38}$/);
  const called = () => fetch(`${url}/v1/usage`, { headers: { 'x-api-key': key } });
  expect((await called()).status).toBe(200);
  for (const beside of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(beside);
  await page.mouse.click(2, 2);
  expect(await page.locator('.secret code').innerText()).toBe(key);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.content()).not.toContain(key);
  const revoke = page.getByRole('button', { name: `Revoke ${XSS}` });
  const more = page.getByRole('button', { name: 'Show more' });
  while (!(await revoke.isVisible())) await Promise.race([revoke.waitFor(), more.click()]);
  await revoke.click();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('The key is revoked.').waitFor();
  expect((await called()).status).toBe(401);
  await page.getByLabel('Revoked').check();
  await page.getByText(XSS).first().waitFor();
}

async function givesAnAccountAPlan(page: Page, { app }: Site): Promise<void> {
  await page.getByRole('tab', { name: 'Plans' }).click();
  await page.getByText('No plans yet').waitFor();
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Short name').fill('not a word');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Short name').fill('starter');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('cell', { name: 'starter', exact: true }).waitFor();
  openAccounts(app.app.store).create({ name: 'שמות ארוכים מאוד '.repeat(5).trim(), plan: null }, Date.now());
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('Whose it is').fill(XSS);
  await page.getByLabel('Plan', { exact: true }).selectOption('starter');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('button', { name: `Look at ${XSS}` }).click();
  await page.getByText('To pay').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
}

/** Hundreds of calls at a time are drawn as one event; a stream that breaks is said to have, and taken up again. */
async function followsTheServer(page: Page, { app }: Site): Promise<void> {
  await to(page, 'Overview');
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /calls in the last day/ }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await looksAtTheInstallation(page);
  await page.evaluate(
    'globalThis.drawn = 0; new MutationObserver(() => globalThis.drawn++).observe(document.querySelector("#main"), { childList: true, characterData: true, subtree: true })',
  );
  const before = Date.now();
  // So many of one key are in flight at a time, and no more.
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => app.post('/v1/validate', { name: `Nobody ${i}` })),
    );
  await page
    .getByText(/^6\d\d$/)
    .first()
    .waitFor();
  const seconds = (Date.now() - before) / 1000;
  expect(await page.evaluate('globalThis.drawn')).toBeLessThan(10 + 2 * seconds);
  await to(page, 'Requests');
  await page.route('**/console/live', (route) => route.abort());
  await to(page, 'Overview');
  await page.getByText('not live: the stream broke, trying again').waitFor();
  await page.unroute('**/console/live');
  await page.getByText('live', { exact: true }).waitFor();
  await waitsForAPage(page);
}

/** A page that cannot come says why, and comes when it can. */
async function waitsForAPage(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'AI features' }).click();
  const said = page.getByRole('alert').filter({ hasText: 'The server does not answer. Is it running?' });
  await said.waitFor();
  await page.context().setOffline(false);
  await said.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'AI features' }).waitFor();
}

async function looksAtTheInstallation(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'The installation', exact: true });
  await card.getByRole('button', { name: 'Look now' }).click();
  await card.getByRole('cell', { name: 'store.db', exact: true }).waitFor();
  await card.getByText('None are scheduled.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
}

async function looksUpARequest(page: Page): Promise<void> {
  await to(page, 'Requests');
  await page
    .getByRole('button', { name: /^Look at req_/ })
    .first()
    .click();
  await page.getByText('Scoring model').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Band').selectOption('VERY_LOW');
  await page.getByLabel('Key', { exact: true }).fill('key_000000000000');
  await page.getByText('There is no such key.').waitFor();
  await page.getByLabel('Look one up by its id').fill('req_nothing');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
}

async function turnsAFeatureOff(page: Page): Promise<void> {
  await to(page, 'AI features');
  const fraud = page.getByRole('switch', { name: 'Fraud patterns' });
  await page.getByRole('button', { name: 'Test Fraud patterns' }).click();
  await page
    .getByRole('region', { name: 'Fraud patterns' })
    .getByText(/rules, \d/)
    .waitFor();
  await fraud.click();
  await page.getByText('Fraud patterns is off.').waitFor();
  expect(await fraud.getAttribute('aria-checked')).toBe('false');
  expect(await faultsOf(page)).toEqual([]);
  await to(page, 'Check');
  await page.getByRole('button', { name: /^All fits/ }).click();
  await page.getByText('Turned off by the operator.').waitFor();
  await to(page, 'AI features');
  await fraud.click();
  await page.getByText('Fraud patterns is on.').waitFor();
}

async function readsTheAuditLog(page: Page): Promise<void> {
  await to(page, 'Audit log');
  await page.getByRole('cell', { name: 'features.off' }).waitFor();
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('The log is whole').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await to(page, 'Check');
}

const CSV = `Customer No;Full name;Mail;Mobile;Since
7;${XSS} Quill;ada.quill@example.com;415 555 0188;2020-01-02
8;"Quill; Ada";not an address;;
9;;;;
10;Acme Ltd;info@acme.example;;
`;

/** A file as a spreadsheet saves it: in an encoding of its own, packed, read by the server. */
async function importsAFile(page: Page, { app }: Site): Promise<void> {
  await to(page, 'Graph');
  await page.getByRole('cell', { name: 'city_library', exact: true }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await countsTheGraph(page);
  const buffer = gzipSync(Buffer.from(`\uFEFF${CSV}`, 'utf16le'));
  const file = { name: `our ${XSS} customers.csv.gz`.replaceAll('/', ''), mimeType: 'text/csv', buffer };
  await page.getByLabel('A file of records').setInputFiles(file);
  await page.getByText('2 records can be used, 1 cannot.').waitFor();
  await comesBack(page, '2 records can be used, 1 cannot.');
  await page.getByText('UTF-16LE').waitFor();
  expect(await page.getByLabel('Column Customer No is').inputValue()).toBe('record_id');
  expect(await page.getByLabel('Column Mail is').inputValue()).toBe('email');
  expect(await page.content()).not.toContain('ada.quill');
  await page.getByLabel('Column Since is').selectOption('last_seen');
  await page.getByText('How it is read').click();
  await page.getByLabel('Source', { exact: true }).fill('customers');
  await page.getByLabel('Country', { exact: true }).fill('us');
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Import 2 records' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.getByText('Of the source customers.').waitFor();
  await comesBack(page, 'Of the source customers.');
  expect(await page.getByLabel('Column Since is').inputValue()).toBe('last_seen');
  await page.getByText(/that cannot be used/).click();
  await page.getByText(/^Line 4, record: /).waitFor();
  await picture(page, 'graph-file');
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await page.getByText('2 records are new in the graph. Checks see them.').waitFor();
  await comesBack(page, '2 records are new in the graph. Checks see them.');
  expect(await faultsOf(page)).toEqual([]);
  const scored = async () =>
    (await json(app.post('/v1/validate', { name: 'Ada Quill', emails: ['ada.quill@example.com'] })))
      .dominant_identity;
  expect(await scored()).not.toBeNull();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('2 records go out of the graph.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo it' }).click();
  await page
    .getByText(/^Undone: 2 records are out of the graph\. It holds \d+ records of \d+ identities\.$/)
    .waitFor();
  expect(await page.getByRole('button', { name: 'Undo the import' }).count()).toBe(0);
  expect(await scored()).toBeNull();
  await saysWhatColumnsHold(page);
  await stopsAnImport(page);
  await takesASourceOut(page, file);
  await to(page, 'Check');
}

/** Somebody leaves the page, and comes back: what the server has of the file is there. */
async function comesBack(page: Page, text: string): Promise<void> {
  await to(page, 'Overview');
  await to(page, 'Graph');
  await page.getByText(text).waitFor();
}

type Payload = { name: string; mimeType: string; buffer: Buffer };

async function countsTheGraph(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'The whole graph' });
  await card.getByRole('button', { name: 'Count' }).click();
  await card.getByText('What linking measured').waitFor();
  await card.getByRole('row', { name: /^an e-mail \d+$/ }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, 'graph-survey');
}

async function takesASourceOut(page: Page, file: Payload): Promise<void> {
  await page.getByLabel('A file of records').setInputFiles({ ...file, name: 'gone_by.csv.gz' });
  await page.getByRole('button', { name: 'Import 2 records' }).click();
  await page.getByText('2 records are new in the graph. Checks see them.').waitFor();
  await page.getByRole('button', { name: 'Take out gone_by' }).click();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it out' }).click();
  await page.getByText('gone_by is out of the graph.').waitFor();
  await page.getByRole('cell', { name: 'gone_by', exact: true }).waitFor({ state: 'detached' });
}

const CASES = `case_id,name,email,phone,genuine
a,Nora Ellingsworth,nora.ellingsworth@post.example,(218) 555-0114,yes
b,Yuri Belozerov,y.belozerov@mailbox.example,718-555-0129,yes
c,Priscilla Vane,oona.featherby@post.example,802-555-0147,no
d,Priscilla Vane,not an address,,no
`;

/** By the server, which bills nobody for it: two runs of which the second is compared with the first. */
async function judgesTheScores(page: Page, { app }: Site): Promise<void> {
  await to(page, 'Quality');
  expect(await faultsOf(page)).toEqual([]);
  const send = (text: string) =>
    page
      .getByLabel('A file of labelled cases')
      .setInputFiles({ name: `${XSS}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const billed = async () => (await json(app.send('/v1/usage'))).requests;
  const before = await billed();
  await send('name,email\nNora,x\n');
  await page.getByText('It has no `genuine`').waitFor();
  await send(CASES);
  const figures = page.getByRole('region', { name: 'Figures of the runs' });
  const area = figures.getByRole('row', { name: /AUC/ });
  await area.getByText('1.000').first().waitFor();
  await page.getByText('1 case is not taken').waitFor();
  await send(CASES.replace('nora.ellingsworth@post.example,(218) 555-0114', 'oona.featherby@post.example,'));
  await figures.getByRole('columnheader', { name: 'Difference' }).waitFor();
  await page.getByText('1 moved').waitFor();
  const passing = () => page.getByRole('row', { name: /^Genuine who pass \d/ }).innerText();
  expect(await passing()).toMatch(/2 \(100\.0 %\)\s+1 \(50\.0 %\)/);
  await page.getByLabel(/^Threshold/).fill('100');
  expect(await passing()).toMatch(/0 \(0\.0 %\)\s+0 \(0\.0 %\)/);
  await page.getByText('Genuine, and scored low').waitFor();
  await picture(page, 'quality-run');
  expect(await faultsOf(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /^Save the report/ })
    .last()
    .click();
  expect((await saved).suggestedFilename()).toMatch(/^evaluation-.*\.html$/);
  expect(await billed()).toBe(before);
  await to(page, 'Check');
}
