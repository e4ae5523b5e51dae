import { describe, expect, test } from 'vitest';
import { parseImportRecord } from '../../src/import/record.ts';
import { freshFolder } from '../kit/folder.ts';
import {
  identitiesIn,
  identitiesOf,
  importInto,
  importRows,
  partitionOf,
  type Row,
  strangers,
} from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';
import { createBirthDateConflictTest, listRecordClusters, createLinkEdge } from '../../src/link/cluster.ts';
import { HOME } from './cases.ts';

/** Returns the identities as sorted lists of record ids. */
async function groupsUnder(secret: string, rows: Row[]): Promise<string[]> {
  const graph = memoryGraph(secret);
  await importInto(graph, [rows]);
  const groups = new Map<number | null, string[]>();
  for (const [record, identity] of await identitiesIn(graph))
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  return [...groups.values()].map((group) => group.sort().join(' ')).sort();
}

const together = async (rows: Row[]) => {
  const folder = freshFolder();
  await importRows(folder, [rows]);
  return new Set((await identitiesOf(folder)).values()).size;
};

describe('one person of very many records', () => {
  const two_hundred = Array.from({ length: 200 }, (_, i): Row => ({
    record_id: `r${i}`,
    name: 'Henrietta Ostrander',
    emails: ['henrietta@post.example'],
    addresses: [HOME],
  }));

  test('is one identity', async () => {
    expect(await together(two_hundred)).toBe(1);
  });

  test('is one among others, in any order of the records', async () => {
    const rows = [...strangers(100), ...two_hundred];
    const [one, two] = [freshFolder(), freshFolder()];
    await importRows(one, [rows]);
    await importRows(two, [rows.slice(130).reverse(), rows.slice(0, 130)]);
    expect(await partitionOf(two)).toEqual(await partitionOf(one));
    expect(await partitionOf(one)).toHaveLength(101);
  });
});

describe('the partition', () => {
  /** Groups of three records of one name. The middle one could belong to either of the other two, who are different people, so it is linked with neither. */
  const tied = Array.from({ length: 12 }, (_, i): Row[] => {
    const name = `Henrietta Wed${'bcdfghklmnprst'[i]}orth`;
    const address = { ...HOME, street: `${100 + i} Quarry Street` };
    return [
      { record_id: `${i}-a`, name: `${name} Sr`, phones: [`+1 208 ${300 + i} 0145`], addresses: [address] },
      { record_id: `${i}-b`, name, phones: [`+1 208 ${300 + i} 0145`], addresses: [address] },
      { record_id: `${i}-c`, name: `${name} Jr`, phones: [`+1 208 ${300 + i} 0145`], addresses: [address] },
    ];
  }).flat();

  test('does not depend on the secret, where evidence is equal', async () => {
    const rows = [...tied, ...strangers(60)];
    const groups = await groupsUnder('a1'.repeat(32), rows);
    for (const secret of ['b2', 'c3', 'd4'])
      expect(await groupsUnder(secret.repeat(32), rows)).toEqual(groups);
    expect(groups.filter((group) => /^\d+-/.test(group))).toHaveLength(36);
  });
});

describe('a graph of a few records', () => {
  const people = Array.from({ length: 10 }, (_, i) => strangers(400)[i * 21]).flatMap((it) => it ?? []);

  test('joins those of one name and one e-mail', async () => {
    const files = ['crm', 'shop', 'news'].map((source, s) =>
      people.map(({ record_id, name, emails }, i): Row => ({
        record_id: `${source}-${record_id}`,
        source,
        ...(name ? { name } : {}),
        ...(emails ? { emails } : {}),
        phones: [`+1 206 ${200 + s} ${1000 + i}`],
      })),
    );
    const folder = freshFolder();
    expect(await importRows(folder, files)).toMatchObject({ records: 30, identities: 10 });
  });

  test('leaves the members of households apart', async () => {
    const rows = people.flatMap(({ record_id, name = '', addresses }, i): Row[] => {
      const family = name.split(' ').at(-1) ?? '';
      const home = { phones: [`+1 206 555 ${1000 + i}`], ...(addresses ? { addresses } : {}) };
      return ['Walter', 'Clarissa', 'Benjamin'].map((given, m) => ({
        record_id: `${record_id}-${m}`,
        name: `${given} ${family}`,
        emails: [`${family.toLowerCase()}.${i}@post.example`],
        ...home,
      }));
    });
    const folder = freshFolder();
    expect(await importRows(folder, [rows])).toMatchObject({ records: 30, identities: 30 });
  });
});

describe('what else a record tells', () => {
  const pairs = async (one: Partial<Row>, two: Partial<Row>, name = 'Margaret Ostrander') => {
    const rows = [
      { record_id: 'one', name, ...one },
      { record_id: 'two', name, ...two },
    ];
    return (await together([...strangers(100), ...rows])) === 101;
  };
  const passport = (value: string) => ({ identifiers: [{ type: 'passport', value, country: 'US' }] });
  const ssn = (value: string) => ({ identifiers: [{ type: 'SSN', value }] });

  test('an identifier in common joins, however it is spelt', async () => {
    expect(await pairs(passport('C-0123 4567'), passport('c01234567'))).toBe(true);
    expect(await pairs(passport('C0123-4567'), passport('C7654-3210'))).toBe(false);
    expect(await pairs(ssn('912-05-1120'), ssn('912051120'))).toBe(true);
  });

  test('two numbers of a type that people have once speak against', async () => {
    const both = { birth_date: '1969-07-20' };
    expect(await pairs(both, both)).toBe(true);
    const mailbox = { emails: ['ostrander@post.example'] };
    expect(await pairs(mailbox, mailbox)).toBe(true);
    expect(await pairs({ ...mailbox, ...ssn('912-05-1120') }, { ...mailbox, ...ssn('934-09-9918') })).toBe(
      false,
    );
  });

  test('a birth place joins those of one name and nearly one date', async () => {
    const born = { birth_place: 'Thornbury', birth_date: '1861-04-07' };
    expect(await pairs(born, { ...born, birth_date: '1861-04-01' })).toBe(true);
  });

  test('what cannot be used of it is told, and no value with it', () => {
    const read = parseImportRecord(
      {
        record_id: '1',
        name: 'Jo Doe',
        identifiers: ['912051120', { type: 'ssn' }],
        gender: 'M',
        title: 'Dr',
      },
      { source: 'crm', region: 'US' },
    );
    expect(read.dropped).toEqual(['identifiers[0] cannot be used', 'identifiers[1] cannot be used']);
    expect(read).toMatchObject({ record: { gender: 'male', birthPlace: null, identifiers: [] } });
  });
});

test('the time of clustering a person grows with the number of records, not with its square', async () => {
  const count = 5000;
  const edges = Array.from({ length: count - 1 }, (_, i) => createLinkEdge([i, i + 1], 9, orders(count)));
  let comparisons = 0;
  const clusters = await listRecordClusters(edges, () => {
    comparisons++;
    return 9;
  });
  expect(clusters.map(({ length }) => length)).toEqual([count]);
  expect(comparisons / count).toBeLessThan(64);
});

test('records with different birth dates are compared first, which saves comparisons and changes no result', async () => {
  const count = 600;
  const isOther = createBirthDateConflictTest(orders(count).map((row) => (row % 5 === 0 ? row + 1 : 0)));
  const steps = [1, 2, 3, 7, 40];
  const edges = orders(count).flatMap((row) =>
    steps
      .filter((step) => row + step < count && !isOther(row, row + step))
      .map((step) => createLinkEdge([row, row + step], 9 + ((row * step) % 16), orders(count))),
  );
  const cluster = async (mayConflict = (_a: number, _b: number) => false) => {
    let comparisons = 0;
    const compare = (a: number, b: number) => {
      comparisons++;
      return isOther(a, b) ? -Infinity : 9;
    };
    return { clusters: await listRecordClusters(edges, compare, { mayConflict }), comparisons };
  };
  const [first, inOrder] = [await cluster(isOther), await cluster()];
  expect(first.clusters).toEqual(inOrder.clusters);
  expect(first.clusters.length).toBeGreaterThan(50);
  expect(first.comparisons).toBeLessThan(inOrder.comparisons / 2);
});

test('a record that conflicts with a part of a very large person is left out', async () => {
  const count = 3000;
  const edges = Array.from({ length: count }, (_, i) =>
    createLinkEdge([i, i + 1], i + 1 < count ? 9 : 5, orders(count + 1)),
  );
  const clusters = await listRecordClusters(edges, (a, b) =>
    Math.max(a, b) === count && Math.imul(a + b, 0x9e3779b1) >>> 29 === 0 ? -Infinity : 9,
  );
  expect(clusters.map(({ length }) => length)).toEqual([count]);
});

const orders = (count: number) => Array.from({ length: count }, (_, i) => i);
