// What an enemy says in a plugin's answer, in records, or in a name that an operator gives, is text on every page: it runs nothing, leads
// nowhere, turns nothing around it, and reaches beyond no window.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openAccounts } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { freshFolder } from '../kit/folder.ts';
import { BROWSER, complaintsOf, openSite } from './kit.ts';
import type { Site } from './kit.ts';
import { PAGES } from './look.ts';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>';
const LINKS = '<a href="javascript:alert(1)">x</a> [x](javascript:alert(1)) javascript:alert(1)';
/** An override that is never ended: what stands beside it must not be turned too. */
const TURNED = '\u202Egnihton si ereht \u2067';
const LONG = 'W'.repeat(600);
/** What a plugin says, by the intent that it is asked with. */
const SAYS = [
  ['general', MARKUP],
  ['online-dating', LINKS],
  ['sending-money', TURNED],
  ['reconnecting', LONG],
] as const;

const PLUGIN = `import { defineFeature, v } from 'bonafide/plugin';
const SAYS = new Map(${JSON.stringify(SAYS)});
const says = (intent) => SAYS.get(intent) ?? 'x'.repeat(1e6);
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
  finish: (_, { brief: { intent } }) => BLOCKS.GIVES(says(intent), intent),
});
`;
const MODEL = `import { defineModel } from 'bonafide/plugin';
export default defineModel({ name: 'enemy', version: '1.0.0', label: () => ${JSON.stringify(`${MARKUP}${TURNED}`)}, generate: ({ rules }) => rules() });
`;
const SLOTS = ['trust_enhancement', 'fraud_detection', 'name_matching'] as const;
const pluginOf = (slot: string) => `enemy-${slot.replace('_', '-')}`;

const CONTACT = { emails: ['ivo.enemy@example.com'] };
const PEOPLE = [MARKUP, LINKS, TURNED, LONG.slice(0, 190)].map((name, i) => ({
  record_id: `${i} ${TURNED}`,
  source: [MARKUP, LINKS, TURNED, LONG].map((text) => text.slice(0, 90))[i],
  name: `Quill ${name}`,
  ...CONTACT,
}));

describe.skipIf(!BROWSER)('in a browser', () => {
  test('what an enemy says anywhere is text on every page', { timeout: 480_000 }, async () => {
    const site = await openSite(PEOPLE, { plugins: pluginFolder() });
    try {
      const page = await site.signedIn({ viewport: { width: 360, height: 900 } });
      await plants(page, site);
      await saysItInChecks(page, site);
      await importsIt(page, site);
      for (const path of [...PAGES, ...(await places(site))]) {
        await opens(page, site, path);
        await isText(page, path);
        await asks(page, path);
      }
      expect(complaintsOf(page)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

function pluginFolder(): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'enemy.mjs'), MODEL);
  for (const slot of SLOTS)
    writeFileSync(
      join(folder, `${slot}.mjs`),
      PLUGIN.replaceAll('GIVES', slot).replace('NAME', pluginOf(slot)),
    );
  return folder;
}

/** Names of keys, accounts and plans, and features that answer by the enemy's plugins. */
async function plants(page: Page, { app, url }: Site): Promise<void> {
  const now = Date.now();
  for (const name of [MARKUP, LINKS, TURNED, LONG].map((text) => text.slice(0, 100))) {
    createKey(app.app.store, { name, scopes: ['read'] }, now);
    openAccounts(app.app.store).create({ name, plan: null }, now);
  }
  const chosen = SLOTS.map((slot) => [slot, { plugin: pluginOf(slot), model: 'said' }]);
  const settings = { features: Object.fromEntries(chosen), models: { said: { plugin: 'enemy' } } };
  writeFileSync(join(app.folder, 'features.json'), JSON.stringify(settings));
  await page.goto(`${url}/console/features`);
  await page.getByText(MARKUP).first().waitFor();
}

async function saysItInChecks(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('Name', { exact: true }).fill(`Quill ${MARKUP}`);
  await page.getByLabel('E-mail', { exact: true }).fill('ivo.enemy@example.com');
  await page.getByLabel('Everything').check();
  const said = page.getByRole('region', { name: 'Explained afterwards' });
  for (const [intent, text] of SAYS) {
    await page.getByLabel('Intent').selectOption(intent);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await said.getByText(text.trim()).nth(12).waitFor();
    await isText(page, `a check, ${intent}`);
  }
  await page.getByLabel('Intent').selectOption('suspected-scam');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await said.getByText('None of what was asked for could be written.').waitFor();
  expect((await page.content()).length).toBeLessThan(500_000);
  await isText(page, 'a check, a megabyte');
}

/** A file's own name, its headers and its lines; and labelled cases. */
async function importsIt(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/console/graph`);
  const lines = PEOPLE.map(
    ({ record_id: id, name }) => `"${id}","${name.replaceAll('"', '""')}",ivo@example.com`,
  );
  const csv = `id,name,email,"${LINKS.replaceAll('"', '""')}","${TURNED}"\n${lines.join('\n')}\n"",,,\n`;
  const buffer = Buffer.from(csv);
  const name = `${MARKUP}${TURNED}`.replaceAll('/', '');
  await page.getByLabel('A file of records').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByText('4 records can be used').waitFor();
  await isText(page, 'a file');
  await page.getByRole('button', { name: 'Import 4 records' }).click();
  await page.getByText('4 records are new in the graph.').waitFor();
  await isText(page, 'an import');
}

/** The enemies' own identities. */
async function places({ app }: Site): Promise<string[]> {
  const found = await app.send('/admin/v1/graph/find', {
    method: 'POST',
    key: app.key(['admin']),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CONTACT),
  });
  const { people } = (await found.json()) as { people: { identity: number }[] };
  return people.map(({ identity }) => `graph?tab=people&identity=${identity}`);
}

async function opens(page: Page, { url }: Site, path: string): Promise<void> {
  await page.goto(`${url}/console/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** The dialogs of a page that name what the enemy named. */
const DIALOGS: Record<string, string[]> = {
  keys: ['Rotate', 'Revoke'],
  'keys?tab=accounts': ['Look at', 'Close'],
  graph: ['Take out'],
};

async function asks(page: Page, path: string): Promise<void> {
  for (const what of DIALOGS[path] ?? []) {
    const button = page.getByRole('button', { name: new RegExp(`^${what} .?gnihton`) });
    await button.first().click();
    await page.getByRole('dialog').waitFor();
    await isText(page, `${path}: ${what}`);
    await page.keyboard.press('Escape');
  }
}

/** A page as it stands. */
async function isText(page: Page, what: string): Promise<void> {
  const found = (await page.evaluate(`(${WRONG})(${JSON.stringify(TURNED.trim())})`)) as string[];
  expect.soft(found, what).toEqual([]);
}

/** Runs in the page. Text is turned as far as its block goes, unless something within isolates it. */
const WRONG = `(turned) => {
  const wrong = [];
  for (const node of document.querySelectorAll('img[src=x], svg[onload], script:not([src]), a[href^=javascript]'))
    wrong.push('made by the enemy: ' + node.outerHTML.slice(0, 80));
  const wide = [...document.querySelectorAll('#main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll, pre'));
  if (document.documentElement.scrollWidth > innerWidth)
    wrong.push('wider than the window: ' + wide.slice(0, 6).map((one) => one.tagName + '.' + one.className).join(' '));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.data.includes(turned)) continue;
    let at = node.parentElement;
    while (getComputedStyle(at).display === 'inline' && !/isolate|plaintext/.test(getComputedStyle(at).unicodeBidi)) at = at.parentElement;
    const after = at.textContent.split(turned).at(-1);
    if (after.trim() !== '') wrong.push('turned: ' + after.slice(0, 60) + ' in ' + at.outerHTML.slice(0, 120));
  }
  return wrong;
}`;
