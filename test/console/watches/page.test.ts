// The page Watches in a browser: how to turn watches on, the list, and the events and deliveries of one watch.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { storeEvent } from '../../../src/store/events/events.ts';
import { createKey } from '../../../src/store/keys.ts';
import { JANE, json } from '../../kit/app.ts';
import { axeViolations, BROWSER, openSite, pageErrors, XSS, type Site } from '../browser.ts';
import { takeScreenshot } from '../screenshots.ts';

describe.skipIf(!BROWSER)('in a browser', () => {
  test('the page of a server without watches says how to turn them on', async () => {
    const site = await openSite();
    const page = await site.signedIn();
    try {
      await page.goto(join(site.url, 'console/watches'));
      await page.getByRole('heading', { name: 'Watches are off' }).waitFor();
      await page.getByText('BONAFIDE_WATCHES=true').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await takeScreenshot(page, 'watches-off');
      expect(pageErrors(page)).toEqual([]);
    } finally {
      await site.close();
    }
  });

  test('watches are listed and filtered, and one shows its events and deliveries', async () => {
    const site = await openSite([], { watches: 'true', log: 'silent' });
    const page = await site.signedIn();
    try {
      const { id, events } = await createWatches(site);
      await page.goto(join(site.url, 'console/watches'));
      await page.getByText('3 watches').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      for (const [width, name] of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await takeScreenshot(page, `watches-${name}`);
      }
      await page.getByLabel('Reference').fill('seller-17');
      await page
        .getByRole('button', { name: /^Details of wat_/ })
        .nth(1)
        .waitFor({ state: 'detached' });
      await page.getByLabel('Account or key').selectOption({ label: 'Shop' });
      await page.getByRole('rowheader', { name: 'seller-17' }).click();
      await page.getByRole('cell', { name: events[0] ?? '' }).waitFor();
      await page.getByRole('img', { name: 'Score over time: 20, then 72, then 41' }).waitFor();
      await page.getByText('score by 5 points or more').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      for (const [width, name] of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await takeScreenshot(page, `watch-${name}`);
      }
      const given = page.getByRole('row', { name: /Given up/ });
      await given.getByRole('button', { name: /^Send again msg_/ }).click();
      await page.getByText('Queued. The server sends it within five seconds.').waitFor();
      await given.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete watch' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Watch deleted.').waitFor();
      await page.getByText('2 watches').waitFor();
      await page.goto(join(site.url, `console/watches?id=${id}`));
      await page.getByText('has expired or was deleted').waitFor();
      await page.getByRole('cell', { name: events[0] ?? '' }).waitFor();
      expect(pageErrors(page)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

const WIDTHS = [
  [390, 'narrow'],
  [1440, 'wide'],
] as const;

/** Creates an account with an address and three watches, one of which has two events, whose first message was given up. */
async function createWatches({ app }: Site) {
  const { store } = app.app;
  const now = Date.now();
  const { id: account } = createAccount(store, { name: 'Shop' }, now);
  const { key } = createKey(store, { name: 'k', scopes: ['validate'], account }, now);
  const admin = createKey(store, { name: 'operator', scopes: ['admin'] }, now).key;
  const post = (path: string, body: object, as = key) =>
    json(
      app.send(path, {
        key: as,
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    );
  // Nothing listens at this address, which is of this machine and therefore refused.
  await post('/admin/v1/webhooks/endpoints', { account, url: 'https://127.0.0.1:9/events' }, admin);
  await post('/v1/watches', { ...JANE, reference: XSS });
  await app.post('/v1/watches', JANE);
  const options = { reference: 'seller-17', notify_on: ['band', 'score'], min_change: 5 };
  const { watch_id: id, statuses } = await post('/v1/watches', { ...JANE, ...options });
  const states = [
    { score: 20, status: 'VERY_LOW', statuses },
    { score: 72, status: 'MEDIUM', statuses },
    { score: 41, status: 'LOW', statuses },
  ];
  const events = [1, 2].map((i) =>
    storeEvent(
      store.raw,
      {
        owner: account,
        subject: id,
        type: 'watch.changed',
        body: {
          watch_id: id,
          reference: 'seller-17',
          request_id: `req_${'0'.repeat(26)}`,
          before: states[i - 1],
          after: states[i],
          reasons: ['name.match', 'email.match'],
        },
      },
      now + i * 1000,
    ),
  );
  store.raw
    .prepare(
      "UPDATE webhooks SET next = NULL, attempts = 9, failure = 'status 500' WHERE about LIKE ? || '%'",
    )
    .run(events[0]);
  return { id: String(id), events };
}
