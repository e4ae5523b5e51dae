import { beforeAll, describe, expect, test } from 'vitest';
import { toStoredRecord } from '../../src/import/stored.ts';
import { type LinkStatistics, UNMEASURED_ERROR_RATES } from '../../src/link/compare/evidence.ts';
import { comparePair, sumPairEvidenceInBits, meetsLinkThreshold } from '../../src/link/compare/pair.ts';
import { toLinkableRecord, type LinkableRecord } from '../../src/link/link-record.ts';
import { parseImportRecord } from '../../src/import/record.ts';
import { explainRecordPair } from '../../src/graph/inspect.ts';
import { createFingerprintFunctions } from '../../src/graph/encryption/fingerprints.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesOf, importRows, operate, type Row, sharedFolder, strangers } from '../kit/graphs/graph.ts';
import { CASES, HOME, PHONE, rowsOf } from './cases.ts';

describe('linking', () => {
  const folder = sharedFolder();
  let identities: Map<string, number | null>;
  beforeAll(async () => {
    await importRows(folder, [[...strangers(400), ...CASES.flatMap(rowsOf)]]);
    identities = await identitiesOf(folder);
  });

  test.each(CASES.map((it, index) => [it.one ? 'joins' : 'keeps apart', it.what, index, it] as const))(
    '%s %s',
    (_, __, index, { one, rows }) => {
      const numbers = new Set(rows.map((_, i) => identities.get(`case${index}-${i}`)));
      expect(numbers.size).toBe(one ? 1 : rows.length);
    },
  );

  test('leaves strangers alone', () => {
    expect(new Set(strangers(400).map((row) => identities.get(row.record_id))).size).toBe(400);
  });

  test('can be explained: weighed evidence that adds up, and what became of the pair', async () => {
    await operate(folder, async (graph) => {
      const joined = CASES.findIndex((it) => it.what.startsWith('a nickname'));
      const it = await explainRecordPair(graph, `case${joined}-0`, `case${joined}-1`);
      expect(it).toMatchObject({ together: true, conflict: false, needed: 3 });
      expect(it.evidence.map((one) => one.code).sort()).toEqual(['name', 'phone', 'prior']);
      expect(it.evidence.find((one) => one.code === 'phone')?.what).toBe('same phone');
      expect(it.evidence.reduce((sum, one) => sum + one.bits, 0)).toBeCloseTo(it.bits);
      expect(it.bits).toBeGreaterThan(it.needed);
      expect(await explainRecordPair(graph, 'case0-0', 'case0-1')).toMatchObject({
        together: false,
        conflict: true,
      });
      await expect(explainRecordPair(graph, 'case0-0', 'no-such')).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
});

test('a phone that thirty people share joins none of them', async () => {
  const folder = freshFolder();
  const rows = strangers(330).map((row, i) =>
    i < 30 ? { ...row, phones: ['+1 206 234 0199'], addresses: [] } : row,
  );
  expect(await importRows(folder, [rows])).toMatchObject({ identities: 330 });
});

test('records that share one value with few are compared, though they share another with very many', async () => {
  // The order of the two values depends on the secret, so several pairs are tried.
  const office = '+1 206 234 0199';
  const pairs = Array.from({ length: 8 }, (_, i): Row[] => [
    {
      record_id: `maiden-${i}`,
      name: `Henrietta Maiden${'bdfgklmn'[i]}er`,
      phones: [office],
      emails: [`henrietta.${i}@post.example`],
    },
    {
      record_id: `married-${i}`,
      name: `Henrietta Wed${'bdfgklmn'[i]}orth`,
      phones: [office, `+1 208 ${300 + i} 0145`],
      emails: [`henrietta.${i}@post.example`],
    },
  ]);
  const office90 = strangers(300).map((row, i) => (i < 90 ? { ...row, phones: [office] } : row));
  const folder = freshFolder();
  await importRows(folder, [[...office90, ...pairs.flat()]]);
  const identities = await identitiesOf(folder);
  const joined = pairs.map(
    (pair) => new Set(pair.map(({ record_id }) => identities.get(record_id))).size === 1,
  );
  expect(joined).toEqual(pairs.map(() => true));
});

describe('comparing two records', () => {
  const fingerprints = createFingerprintFunctions('a1'.repeat(32));
  const context: LinkStatistics = {
    records: 5000,
    sharers: () => 1,
    nameCount: () => 1,
    wordCount: () => 1,
    perPerson: 2,
    placeCount: () => 3,
    nameAndBirthCount: () => 1,
    dateCount: () => 1,
    errorRates: UNMEASURED_ERROR_RATES,
  };
  const record = (row: Omit<Row, 'record_id'>, id: string) => {
    const read = parseImportRecord({ ...row, record_id: id }, { source: 'test', region: 'US' });
    if (!('record' in read)) throw new Error(read.problem);
    const stored = toStoredRecord(read.record, { fingerprints });
    return toLinkableRecord({ ...stored, row: 1, key: id, identity: null }, fingerprints.of);
  };

  /** Returns the first two records of the case whose description begins with `what`. */
  const pairOf = (what: string) => {
    const [a, b] = CASES.find((it) => it.what.startsWith(what))?.rows ?? [];
    if (!a || !b) throw new Error(`no case: ${what}`);
    return [record(a, 'a'), record(b, 'b')] as const;
  };
  const isFalling = (bits: number[]) => bits.every((one, i) => one > (bits[i + 1] ?? -Infinity));

  test.each([
    ['五十嵐ひろみ', '五十嵐 ひろみ', '五十嵐ひろこ'],
    ['森純一', '森 純一', '森 純二'],
    ['小笠原翔', '小笠原 翔', '小笠原 健'],
    ['佐々木希', '佐々木　希', '佐々木 望'],
    ['山田太郎', '山田 太郎', '山田 次郎'],
    ['たなかはなこ', 'たなか はなこ', 'たなか たろう'],
    ['司马光', '司马 光', '司马 旦'],
    ['남궁민수', '남궁 민수', '남궁 지영'],
    ['김민수', '김 민수', '김 지영'],
  ])('%s is one person with and without a space, and %s is not %s', (joined, spaced, sibling) => {
    const [a, b, c] = [joined, spaced, sibling].map((name) =>
      record({ name, birth_date: '1957-08-02', emails: ['h@post.example'], phones: [PHONE] }, name),
    );
    if (!a || !b || !c) throw new Error('three names');
    expect(comparePair(a, b, context)).toMatchObject({ conflict: false });
    expect(comparePair(a, b, context).bits).toBeGreaterThan(20);
    for (const one of [a, b]) expect(comparePair(one, c, context).bits).toBeLessThan(5);
  });

  test('gives the same evidence in either order', () => {
    const rows = [
      ...CASES.flatMap((it) => it.rows),
      // One record has two spellings of one mailbox, the other a single one.
      {
        name: 'Ann Lindqvist',
        emails: ['ann+a@post.example', 'ann+b@post.example', 'ann@post.example'],
        phones: [PHONE],
      },
      { name: 'Ann Lindqvist', emails: ['ann@post.example'], phones: [PHONE, '+1 208 234 0146'] },
      { names: ['Ann Lindqvist', 'Ann Bartosz'], addresses: [HOME, { ...HOME, street2: 'Apt 4' }] },
      { name: 'Bartosz, A.', addresses: [{ ...HOME, street2: 'Apt 4' }] },
    ].map((row, i) => record(row, `r${String(i).padStart(2, '0')}`));
    const differing: string[] = [];
    for (const a of rows)
      for (const b of rows) {
        const [one, two] = [comparePair(a, b, context), comparePair(b, a, context)];
        if (one.bits !== two.bits || one.conflict !== two.conflict)
          differing.push(`${a.order} ${b.order}: ${one.bits} ${two.bits}`);
      }
    expect(differing).toEqual([]);
  });

  test('links the same pairs with the same weight if it stops at a conflict', () => {
    const rows = CASES.flatMap((it) => it.rows).map((row, i) => record(row, `s${i}`));
    const outcome = (a: LinkableRecord, b: LinkableRecord, stopsAtConflict: boolean) => {
      const comparison = comparePair(a, b, context, { stopsAtConflict });
      return [sumPairEvidenceInBits(comparison), meetsLinkThreshold(comparison) ? comparison.bits : null];
    };
    for (const a of rows) for (const b of rows) expect(outcome(a, b, true)).toEqual(outcome(a, b, false));
  });

  test('a town that two addresses on different streets share counts one bit at most, and flats of one house count it in full', () => {
    const at = (street: string) =>
      record({ name: 'Ann Lindqvist', addresses: [{ street, city: 'Bornova', country: 'TR' }] }, street);
    const [flat, neighbour, elsewhere] = ['22 D:6', '22 D:9']
      .map((number) => at(`Lale Sok. No:${number}`))
      .concat(at('Şehit Ali Sok. No:3 D:21'));
    if (!flat || !neighbour || !elsewhere) throw new Error('three addresses');
    const explain = (other: LinkableRecord) =>
      comparePair(flat, other, context).evidence.find(({ code }) => code === 'address');
    expect(explain(neighbour)?.what).toBe('same place, other flats');
    expect(explain(neighbour)?.bits).toBeGreaterThan(1);
    expect(explain(elsewhere)).toMatchObject({ what: 'same place', bits: 1 });
  });

  test('weighs a value the less, the more people share it', () => {
    const [a, b] = pairOf('a nickname');
    const bits = [1, 3, 30, 300].map(
      (people) => comparePair(a, b, { ...context, sharers: () => people }).bits,
    );
    expect(bits).toEqual([...bits].sort((x, y) => y - x));
    expect(bits.at(0)).toBeGreaterThan((bits.at(-1) ?? 0) + 4);
  });

  test('takes an e-mail that nobody else has for as much among ten million records as among sixteen thousand', () => {
    const emails = ['ann.lindqvist@post.example'];
    const [named, nameless] = [record({ name: 'Ann Lindqvist', emails }, 'a'), record({ emails }, 'b')];
    const verdicts = [14, 17, 20, 23].map((bits) =>
      comparePair(named, nameless, { ...context, records: 2 ** bits }),
    );
    expect(verdicts.map(({ bits }) => bits.toFixed(2))).toEqual(['3.17', '3.17', '3.17', '3.17']);
  });

  test.each([
    ['M20 4TB', 'M20 9ZZ', 'GB'],
    ['V6B 1A1', 'V6B 4Z9', 'CA'],
  ])('takes two streets of one district for less than a person, %s and %s', (one, two, country) => {
    const bits = [one, two].map((zip) => {
      const living = { name: 'David Jones', addresses: [{ zip, country }] };
      return comparePair(
        record({ name: 'David Jones', addresses: [{ zip: one, country }] }, 'a'),
        record(living, 'b'),
        context,
      ).bits;
    });
    expect(bits[0]).toBeGreaterThan(3);
    expect(bits[1]).toBeLessThan(5);
  });

  test('weighs a name the less, the more records have it', () => {
    const [a, b] = pairOf('a nickname');
    const bits = [1, 10, 1000].map(
      (records) => comparePair(a, b, { ...context, nameCount: () => records }).bits,
    );
    expect(bits).toSatisfy(isFalling);
  });

  test('weighs a birth date the less, the more records have it', () => {
    const [a, b] = pairOf('one rare name');
    const bits = [2, 200, 2000].map(
      (records) => comparePair(a, b, { ...context, dateCount: () => records }).bits,
    );
    expect(bits).toSatisfy(isFalling);
  });
});
