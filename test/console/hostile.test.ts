// Hostile text in a plugin's answer, in records and in names is shown as text on every page: it runs no script, is no link, does not change
// the writing direction of the text around it, and makes no page wider than the window.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createAccount } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { freshFolder } from '../kit/folder.ts';
import { BROWSER, openSite, pageErrors, type Site } from './browser.ts';
import { PAGES } from './screenshots.ts';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>';
const LINKS = '<a href="javascript:alert(1)">x</a> [x](javascript:alert(1)) javascript:alert(1)';
/** Direction overrides without an end. They must not reverse the text beside them. */
const REVERSED = '\u202Egnihton si ereht \u2067';
const LONG = 'W'.repeat(600);
/** Texts of the hostile plugin, by the intent of the request. */
const TEXTS = [
  ['general', MARKUP],
  ['online-dating', LINKS],
  ['sending-money', REVERSED],
  ['reconnecting', LONG],
] as const;

const PLUGIN = `import { defineFeature, v } from 'bonafide/plugin';
const TEXTS = new Map(${JSON.stringify(TEXTS)});
const textOf = (intent) => TEXTS.get(intent) ?? 'x'.repeat(1e6);
const BLOCKS = {
  trust_enhancement: (x, intent) => ({
    trust_enhancement: { intent, ai_trust_analysis: { summary: x, key_factors: [x], red_flags: [x], recommendations: [x] } },
    overview: { overview: x, key_findings: [x], positive_signals: [x], risk_factors: [x], recommended_actions: [x], review_priority: 'MANUAL_REVIEW' },
  }),
  fraud_detection: (x) => ({
    fraud_analysis: { risk_level: 'LOW', confidence: 0.5, patterns_detected: [x], velocity_concerns: false, consistency_issues: [x], stream_observations: [x], recommendation: x },
    history_analyzed: 0,
    request_stream: { records_in_window: 0, catfish_flag_count: 0, earliest_timestamp: null, latest_timestamp: null },
    scope_note: x,
  }),
  name_matching: (x) => ({
    provided_name: x,
    matched_name: x,
    name_analysis: { match_confidence: 5, variation_type: 'exact', same_person_likely: false, concerns: [x], explanation: x },
    skipped: false,
  }),
};
export default defineFeature({
  name: 'NAME',
  version: '1.0.0',
  gives: 'GIVES',
  facts: ['intent'],
  answer: v.object({}),
  brief: ({ intent }) => ({ intent }),
  system: () => 'x',
  rules: () => ({}),
  finish: (_, { brief: { intent } }) => BLOCKS.GIVES(textOf(intent), intent),
});
`;
const MODEL = `import { defineModel } from 'bonafide/plugin';
export default defineModel({ name: 'hostile', version: '1.0.0', label: () => ${JSON.stringify(`${MARKUP}${REVERSED}`)}, generate: ({ rules }) => rules() });
`;
const SLOTS = ['trust_enhancement', 'fraud_detection', 'name_matching'] as const;
const pluginOf = (slot: string) => `hostile-${slot.replace('_', '-')}`;

const CONTACT = { emails: ['ivo.hostile@example.com'] };
const PEOPLE = [MARKUP, LINKS, REVERSED, LONG.slice(0, 190)].map((name, i) => ({
  record_id: `${i} ${REVERSED}`,
  source: [MARKUP, LINKS, REVERSED, LONG].map((text) => text.slice(0, 90))[i],
  name: `Quill ${name}`,
  ...CONTACT,
}));

describe.skipIf(!BROWSER)('in a browser', () => {
  test('hostile text is shown as text on every page', async () => {
    const site = await openSite(PEOPLE, { plugins: writePlugins() });
    try {
      const page = await site.signedIn({ viewport: { width: 360, height: 900 } });
      await plantNames(page, site);
      await checkWithHostilePlugins(page, site);
      await importHostileFile(page, site);
      for (const path of [...PAGES, ...(await listIdentityPages(site))]) {
        await openPath(page, site, path);
        await expectPlainText(page, path);
        await openDialogs(page, path);
      }
      expect(pageErrors(page)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

function writePlugins(): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'hostile.mjs'), MODEL);
  for (const slot of SLOTS)
    writeFileSync(
      join(folder, `${slot}.mjs`),
      PLUGIN.replaceAll('GIVES', slot).replace('NAME', pluginOf(slot)),
    );
  return folder;
}

/** Creates keys and accounts with hostile names, and configures the features to use the hostile plugins. */
async function plantNames(page: Page, { app, url }: Site): Promise<void> {
  const now = Date.now();
  // Names of keys and accounts cannot have direction overrides.
  for (const name of [MARKUP, LINKS, LONG].map((text) => text.slice(0, 100))) {
    createKey(app.app.store, { name, scopes: ['read'] }, now);
    createAccount(app.app.store, { name, plan: null }, now);
  }
  const chosen = SLOTS.map((slot) => [slot, { plugin: pluginOf(slot), model: 'hostile' }]);
  const settings = { features: Object.fromEntries(chosen), models: { hostile: { plugin: 'hostile' } } };
  writeFileSync(join(app.folder, 'features.json'), JSON.stringify(settings));
  await page.goto(`${url}/console/features`);
  await page.getByText(MARKUP).first().waitFor();
}

async function checkWithHostilePlugins(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('Name', { exact: true }).fill(`Quill ${MARKUP}`);
  await page.getByLabel('E-mail', { exact: true }).fill('ivo.hostile@example.com');
  await page.getByLabel('All features').check();
  const explanation = page.getByRole('region', { name: 'AI explanation' });
  for (const [intent, text] of TEXTS) {
    await page.getByLabel('Intent').selectOption(intent);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await explanation.getByText(text.trim()).nth(12).waitFor();
    await expectPlainText(page, `a check, ${intent}`);
  }
  await page.getByLabel('Intent').selectOption('suspected-scam');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await explanation.getByText('No AI block could be written.').waitFor();
  expect((await page.content()).length).toBeLessThan(500_000);
  await expectPlainText(page, 'a check, a megabyte');
}

/** Imports a file with a hostile name, header and rows. */
async function importHostileFile(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/console/graph`);
  const lines = PEOPLE.map(
    ({ record_id: id, name }) => `"${id}","${name.replaceAll('"', '""')}",ivo@example.com`,
  );
  const csv = `id,name,email,"${LINKS.replaceAll('"', '""')}","${REVERSED}"\n${lines.join('\n')}\n"",,,\n`;
  const buffer = Buffer.from(csv);
  const name = MARKUP.replaceAll('/', '');
  await page.getByLabel('File of records').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByText('4 valid records').waitFor();
  await expectPlainText(page, 'a file');
  await page.getByRole('button', { name: 'Import 4 records' }).click();
  await page.getByText('4 records added,').waitFor();
  await expectPlainText(page, 'an import');
}

/** Returns the pages of the identities with hostile names. */
async function listIdentityPages({ app }: Site): Promise<string[]> {
  const found = await app.send('/admin/v1/graph/find', {
    method: 'POST',
    key: app.key(['admin']),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CONTACT),
  });
  const { people } = (await found.json()) as { people: { identity: number }[] };
  return people.map(({ identity }) => `graph?tab=people&identity=${identity}`);
}

async function openPath(page: Page, { url }: Site, path: string): Promise<void> {
  await page.goto(`${url}/console/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Buttons that open a dialog with a hostile name, by page. */
const DIALOGS: Record<string, string[]> = {
  keys: ['Rotate', 'Revoke'],
  'keys?tab=accounts': ['Details of', 'Close'],
  graph: ['Remove'],
};

async function openDialogs(page: Page, path: string): Promise<void> {
  for (const action of DIALOGS[path] ?? []) {
    const button = page.getByRole('button', { name: new RegExp(`^${action} (?:.?gnihton|<img)`) });
    await button.first().click();
    await page.getByRole('dialog').waitFor();
    await expectPlainText(page, `${path}: ${action}`);
    await page.keyboard.press('Escape');
  }
}

/** Expects no hostile element, no page wider than the window and no reversed text. */
async function expectPlainText(page: Page, step: string): Promise<void> {
  const found = (await page.evaluate(`(${FIND_FAULTS})(${JSON.stringify(REVERSED.trim())})`)) as string[];
  expect.soft(found, step).toEqual([]);
}

/** Runs in the page and returns its faults. An override reverses the text up to the end of its block, unless an element isolates it. */
const FIND_FAULTS = `(reversed) => {
  const faults = [];
  for (const node of document.querySelectorAll('img[src=x], svg[onload], script:not([src]), a[href^=javascript]'))
    faults.push('hostile element: ' + node.outerHTML.slice(0, 80));
  const wide = [...document.querySelectorAll('#main *')].filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('.scroll, pre'));
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push('wider than the window: ' + wide.slice(0, 6).map((node) => node.tagName + '.' + node.className).join(' '));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.data.includes(reversed)) continue;
    let at = node.parentElement;
    while (getComputedStyle(at).display === 'inline' && !/isolate|plaintext/.test(getComputedStyle(at).unicodeBidi)) at = at.parentElement;
    const after = at.textContent.split(reversed).at(-1);
    if (after.trim() !== '') faults.push('reversed: ' + after.slice(0, 60) + ' in ' + at.outerHTML.slice(0, 120));
  }
  return faults;
}`;
