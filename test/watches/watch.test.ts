import { expect, it } from 'vitest';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import { openWatchStore } from '../../src/store/events/watches.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import {
  createWatchCodec,
  parseWatchedVerdict,
  serializeWatchedVerdict,
  type WatchedVerdict,
} from '../../src/watches/watch.ts';
import { JANE } from '../kit/app.ts';
import { freshFolder } from '../kit/folder.ts';

const STATE: WatchedVerdict = {
  score: 72,
  status: 'VERY_LOW',
  statuses: {
    name: 'primary',
    emails: ['primary', 'unverified'],
    phones: [],
    addresses: ['different', 'secondary'],
  },
  reasons: ['name.match', 'email.match'],
};

it('a verdict as short text is read as it was', () => {
  expect(serializeWatchedVerdict(STATE)).toBe('72 VERY_LOW p/pu//ds name.match,email.match');
  for (const state of [STATE, { ...STATE, reasons: [] }])
    expect(parseWatchedVerdict(serializeWatchedVerdict(state))).toEqual(state);
});

it('a sealed claim is opened as it was, and is shorter than the claim', () => {
  const { sealClaim, openClaim } = createWatchCodec(loadOrCreateSecret(freshFolder()));
  const claim = parseClaim({ value: JANE, issues: [] }, 'US');
  expect(openClaim(sealClaim(claim))).toEqual(claim);
  expect(sealClaim(claim).length).toBeLessThan(JSON.stringify(JANE).length);
});

it('a watch takes less than 1 kB of the store, with its entry in the audit log', () => {
  const folder = freshFolder();
  const { sealClaim, listKeys, digestAnswer } = createWatchCodec(loadOrCreateSecret(folder));
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const { addWatch } = openWatchStore(store);
  const sizeOf = () =>
    ['page_count', 'page_size'].reduce(
      (size, name) => size * Number(store.raw.prepare(`PRAGMA ${name}`).pluck().get()),
      1,
    );
  const empty = sizeOf();
  const count = 1000;
  const digest = digestAnswer({
    values: [],
    name: { identities: [], given: [] },
    identities: new Map(),
  } as unknown as Parameters<typeof digestAnswer>[0]);
  const add = (i: number) => {
    const value = { ...JANE, name: `Jane Quimby${i}`, emails: [`jane.${i}@example.com`] };
    const claim = parseClaim({ value, issues: [] }, 'US');
    addWatch(
      {
        number: (i * 7919) % 2 ** 31,
        owner: 'acc_4fJx0S2mQ9bL',
        reference: `seller-${i}`,
        created: 1_790_000_000_000 + i,
        expires: 1_800_000_000_000 + i,
        notifyOn: 'band',
        minChange: 10,
        claim: sealClaim(claim),
        keys: listKeys(claim),
        digest,
        state: serializeWatchedVerdict(STATE),
      },
      null,
      { actor: 'key_4fJ2kQx81LmZ', now: 1_790_000_000_000 + i },
    );
  };
  store.raw.transaction(() => {
    for (let i = 0; i < count; i++) add(i);
  })();
  expect((sizeOf() - empty) / count).toBeLessThan(1000);
  store.close();
});
