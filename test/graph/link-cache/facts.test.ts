// Facts of records are read as they were written, in the form of this version and of earlier ones.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/generate/random.ts';
import { createDataCipher } from '../../../src/graph/encryption/cipher.ts';
import { createLinkingDataPageWriter, openLinkingDataTable } from '../../../src/graph/link-cache/facts.ts';
import { openLinkCacheDatabase } from '../../../src/graph/link-cache/link-file.ts';
import {
  encodeLinkCacheRecordAsNumbers,
  type LinkCacheRecord,
} from '../../../src/link/statistics/link-cache-record.ts';
import { freshFolder } from '../../kit/folder.ts';

const random = new Random(1, 5, 0);
const keyOf = () => Math.floor(random.next() * 2 ** 52);
const cipher = createDataCipher('5'.repeat(64));

function createFacts(count: number): LinkCacheRecord {
  const keys = Array.from({ length: count }, keyOf);
  return {
    order: keyOf(),
    person: keys[0] ?? 0,
    dated: 0,
    label: keyOf(),
    contacts: [2 ** 53 - 1, 64, 63, ...keys],
    keys: [-0, ...keys.map((key) => -key)],
    ends: [],
    words: keys.slice(0, 2),
    streets: [],
    counts: keys.map((key, i) => ({
      what: (i % 8) as LinkCacheRecord['counts'][number]['what'],
      key,
      under: -key,
    })),
  };
}

const FACTS = [0, 1, 2, 3, 8, 20, 90, 130].map(createFacts);

test('facts are the same after writing and reading, in pages and one by one', () => {
  const db = openLinkCacheDatabase(join(freshFolder(), 'link.db'));
  const pages = createLinkingDataPageWriter(db, cipher);
  for (const [i, facts] of FACTS.entries())
    pages.add(i + 1, Float64Array.from(encodeLinkCacheRecordAsNumbers(facts)));
  pages.end();
  const table = openLinkingDataTable(db, cipher);
  for (const [i, facts] of FACTS.entries()) {
    table.setFacts(100 + i, facts);
    expect([i, table.getFacts(i + 1)]).toEqual([i, facts]);
    expect([i, table.getFacts(100 + i)]).toEqual([i, facts]);
  }
  db.close();
});

test('facts take half of the bytes of their numbers', () => {
  const db = openLinkCacheDatabase(join(freshFolder(), 'link.db'));
  const facts = createFacts(10);
  openLinkingDataTable(db, cipher).setFacts(1, facts);
  const size = db.prepare<[], number>('SELECT length(sealed) FROM fact').pluck().get();
  expect(size).toBeLessThan(encodeLinkCacheRecordAsNumbers(facts).length * 4);
  db.close();
});

test('facts of earlier versions are read', () => {
  const db = openLinkCacheDatabase(join(freshFolder(), 'link.db'));
  const put = db.prepare('INSERT INTO fact VALUES (?, ?)');
  for (const [i, facts] of FACTS.entries())
    put.run(
      i,
      cipher.encryptBytes(Buffer.from(Float64Array.from(encodeLinkCacheRecordAsNumbers(facts)).buffer)),
    );
  const { getFacts } = openLinkingDataTable(db, cipher);
  for (const [i, facts] of FACTS.entries()) expect([i, getFacts(i)]).toEqual([i, facts]);
  db.close();
});
