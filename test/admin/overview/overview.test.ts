import { expect, test } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { toGraphSurveyHtml } from '../../../src/admin/overview/page.ts';
import { countLookupKeysByIdentityCount, surveyGraph } from '../../../src/admin/overview/survey.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, type Row, strangers } from '../../kit/graphs/graph.ts';

const OFFICE: Row[] = ['one', 'two', 'three'].map((id) => ({
  record_id: id,
  identity: id,
  source: 'office <b>',
  name: `Quentin ${id}`,
  phones: ['+1 206 234 0199'],
  last_seen: '2020-05-01',
}));

async function surveyed() {
  const graph = openSqliteGraph({ dataDir: freshFolder() });
  const copy = strangers(40)
    .slice(0, 10)
    .map((row): Row => ({ ...row, source: 'shop' }));
  await importInto(graph, [[...strangers(40), ...copy, ...OFFICE]]);
  const it = await surveyGraph(graph);
  await graph.close();
  return it;
}

test('a survey counts sizes, years, overlaps of sources and shared values', async () => {
  const it = await surveyed();
  expect([...it.sizes].sort()).toEqual([
    [1, 33],
    [2, 10],
  ]);
  expect(it.years.get(2020)).toBe(3);
  expect(it.years.get(null)).toBe(50);
  expect(it.sources.map(({ source, records, identities }) => [source, records, identities])).toEqual([
    ['crm', 40, 40],
    ['shop', 10, 10],
    ['office <b>', 3, 3],
  ]);
  expect(it.combinations).toEqual([
    { sources: [0], identities: 30 },
    { sources: [0, 1], identities: 10 },
    { sources: [2], identities: 3 },
  ]);
  expect([...it.shares.phone]).toEqual(
    expect.arrayContaining([
      [1, 40],
      [3, 1],
    ]),
  );
  expect(it.having).toMatchObject({ name: 43, email: 40, phone: 43, address: 40 });
});

test('its page has counts and names of sources, and no person', async () => {
  const html = toGraphSurveyHtml(await surveyed(), {
    title: 'local',
    made: '2026-01-02T03:04:05Z',
    warnings: ['Do <this>.'],
  });
  expect(html).toContain('53 records of 43 identities');
  expect(html).toContain('office &#60;b&#62;');
  expect(html).toContain('Do &#60;this&#62;.');
  for (const secret of ['Quentin', 'Abernathy', 'stranger-1', '206', '@'])
    expect(html.replaceAll(/<style>.*<\/style>/gs, '')).not.toContain(secret);
  expect(html).not.toMatch(/<script|https?:|NaN|undefined|Infinity/);
});

test('an empty graph has a page too', async () => {
  const graph = openSqliteGraph({ dataDir: freshFolder() });
  const html = toGraphSurveyHtml(await surveyGraph(graph), {
    title: 'x',
    made: '2026-01-02T03:04:05Z',
    warnings: [],
  });
  await graph.close();
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test('a value that one holder has several times counts as one holder', () => {
  expect([...countLookupKeysByIdentityCount([7, 7, 7, 9], [1, 1, 2, 1])]).toEqual([
    [2, 1],
    [1, 1],
  ]);
});
