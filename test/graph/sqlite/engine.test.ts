import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { getIdentityDetails } from '../../../src/graph/inspect.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, queryOf, type Row } from '../../kit/graphs/graph.ts';

/** Opens an engine on a new graph of these rows. The caller closes it. */
async function engineOf(rows: Row[]) {
  const folder = freshFolder();
  await importRows(folder, [rows]);
  return { folder, graph: openSqliteGraph({ dataDir: folder }) };
}

test('a new folder is an empty graph, where every value is unknown', async () => {
  const graph = openSqliteGraph({ dataDir: freshFolder() });
  const answer = await graph.resolve(queryOf({ name: 'Ada Abernathy', emails: ['ada@post.example'] }));
  expect(answer).toMatchObject({ total: 0, values: [[]], name: { identities: [], bearers: 0 } });
  expect(await graph.stats()).toMatchObject({ records: 0, identities: 0, linkedAt: null });
  await graph.close();
});

describe('the primary value of an identity', () => {
  const email = (name: string) => `${name}@post.example`;
  const rows = (...values: [emails: string[], lastSeen?: string][]) =>
    values.map(([emails, last_seen], i): Row => ({
      record_id: `r${i}`,
      identity: 'one',
      name: 'Ada Abernathy',
      emails: emails.map(email),
      last_seen,
    }));

  test.each([
    [
      'that most records attest',
      rows([['new'], '2024-01-01'], [['often'], '2020-01-01'], [['often'], '2019-01-01']),
      'often',
    ],
    [
      'seen last, of equally attested ones',
      rows([['early'], '2019-01-01'], [['late'], '2024-01-01']),
      'late',
    ],
    ['with a date before those without', rows([['undated']], [['dated'], '2001-01-01']), 'dated'],
    ['listed first, where nothing else tells', rows([['first', 'second']], [['third']]), 'first'],
    [
      'that two records attest, though one repeats another in itself',
      rows([['twice', 'twice']], [['both']], [['both']]),
      'both',
    ],
  ])('is the one %s', async (_, people, expected) => {
    const { graph } = await engineOf(people);
    const names = [...new Set(people.flatMap((row) => row.emails ?? []))];
    const { values } = await graph.resolve(queryOf({ emails: names }));
    const primary = names.filter((_, i) => values[i]?.[0]?.primary);
    expect(primary).toEqual([email(expected)]);
    await graph.close();
  });
});

test('the primary name is the one that most records have; others are other names', async () => {
  const names = ['Ada Abernathy', 'Ada Lindqvist', 'ADA LINDQVIST'];
  const { graph } = await engineOf(names.map((name, i) => ({ record_id: `r${i}`, identity: 'one', name })));
  const { identities } = await graph.resolve(queryOf({ name: 'Ada Abernathy' }));
  expect([...identities.values()].map((one) => one.names)).toEqual([['Ada Lindqvist', 'Ada Abernathy']]);
  await graph.close();
});

test('an open engine sees the old graph or the new one, never a mix', async () => {
  const before: Row[] = [
    { record_id: 'r1', name: 'Ada Abernathy', emails: ['ada@post.example'], phones: ['+1 503 234 0101'] },
    { record_id: 'r2', name: 'Ada Abernathy', emails: ['ada2@post.example'], phones: ['+1 503 234 0102'] },
  ];
  const { folder, graph } = await engineOf(before.map((row, i) => ({ ...row, identity: `p${i}` })));
  const ask = queryOf({ emails: ['ada@post.example', 'ada2@post.example'] });
  const seen = async () => {
    const { values, total } = await graph.resolve(ask);
    return `${total} ${values.map((hits) => hits.map((hit) => hit.identity).join()).join(' ')}`;
  };
  expect(await seen()).toBe('2 1 2');
  const during = { phase: '' };
  const watched = importRows(folder, [before.map((row) => ({ ...row, identity: 'one' }))], {
    onPhase: () => (during.phase ||= 'reading'),
  });
  const answers = new Set<string>();
  const watching = (async () => {
    while (during.phase !== 'done') {
      answers.add(await seen());
      await nextTurn();
    }
  })();
  await watched;
  during.phase = 'done';
  await watching;
  expect([...answers].filter((answer) => answer !== '2 1 2' && answer !== '1 1 1')).toEqual([]);
  await nextTurn();
  expect(await seen()).toBe('1 1 1');
  expect(await operate(folder, (graph) => getIdentityDetails(graph, 2))).toMatchObject({
    identity: 1,
    mergedFrom: 2,
  });
  await graph.close();
});

test('reads of one turn of the event loop see one snapshot, although the graph is published between them', async () => {
  const { folder, graph } = await engineOf([
    { record_id: 'r1', name: 'Ada Abernathy', emails: ['ada@post.example'] },
  ]);
  const first = graph.resolve(queryOf({ emails: ['ada@post.example'] }));
  const imported = importRows(folder, [
    [{ record_id: 'r2', name: 'Hugo Grimaldi', emails: ['hugo@post.example'] }],
  ]);
  expect(await first).toMatchObject({ total: 1 });
  await imported;
  await nextTurn();
  expect(await graph.resolve(queryOf({ emails: ['hugo@post.example'] }))).toMatchObject({
    total: 2,
    values: [[{ identity: 2 }]],
  });
  await graph.close();
});

test('nothing that was read before a publication is used after it', async () => {
  const row: Row = { record_id: 'r1', identity: 'one', name: 'Ada Abernathy', emails: ['ada@post.example'] };
  const { folder, graph } = await engineOf([{ ...row, first_seen: '2019-01-01', last_seen: '2020-01-01' }]);
  const ask = queryOf({ name: 'Ada Abernathy', emails: ['ada@post.example'] });
  const seen = async () => {
    const { newest, total, values, identities } = await graph.resolve(ask);
    const year = (time?: number | null) => (time ? new Date(time).getUTCFullYear() : null);
    return [total, year(newest), year(values[0]?.[0]?.lastSeen), identities.get(1)?.names];
  };
  expect(await seen()).toEqual([1, 2020, 2020, ['Ada Abernathy']]);
  const other: Row = { record_id: 'r2', identity: 'two', name: 'Hugo Grimaldi', last_seen: '2023-01-01' };
  await importRows(folder, [[{ ...row, names: ['Ada Lindqvist'], last_seen: '2022-01-01' }, other]]);
  await nextTurn();
  expect(await seen()).toEqual([2, 2023, 2022, ['Ada Abernathy', 'Ada Lindqvist']]);
  await graph.close();
});
