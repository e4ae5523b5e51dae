// Identity numbers after an import was undone: those from before the import.
import { expect, test } from 'vitest';
import { generateRecordLines } from '../../src/generate/records.ts';
import { undoImport } from '../../src/import/sources.ts';
import { linkChangedRecords } from '../../src/people/linking.ts';
import { verifyRecordLinks } from '../../src/people/verify-links.ts';
import { randomNumbers } from '../bench/people.ts';
import { worldOf } from '../generate/world.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesOf, importRows, operate, type Row, strangers } from '../kit/graphs/graph.ts';

const undo = (folder: string) =>
  operate(folder, (graph) => undoImport(graph, () => linkChangedRecords(graph)));

/** Returns the identity of each record, and the identity that each number leads to. */
async function numbersIn(folder: string, most: number) {
  const leads = await operate(folder, async ({ linking }) => {
    const all: (number | null)[] = [];
    for (let number = 1; number <= most; number++) all.push((await linking.getIdentity(number))?.id ?? null);
    return all;
  });
  return { identities: await identitiesOf(folder), leads };
}

/** Records of generated people: most are imported first, and some of the others change or remove these. */
function drawn(seed: number, share: number): { first: Row[]; next: Row[] } {
  const random = randomNumbers(seed);
  const [first, next]: [Row[], Row[]] = [[], []];
  const world = worldOf(40, { seed, countries: ['US', 'GB'] });
  for (const { records } of generateRecordLines(world))
    for (const line of records.trim().split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as Row;
      const isLater = random() < share;
      (isLater ? next : first).push(row);
      if (isLater || random() > share) continue;
      const { record_id, source } = row;
      const other = first[Math.floor(random() * first.length)] ?? row;
      if (random() < 0.5) next.push({ ...other, record_id, ...(source ? { source } : {}) });
      else next.push({ record_id, ...(source ? { source } : {}), deleted: true });
    }
  return { first, next };
}

test.for([
  [1, 0.03],
  [2, 0.06],
  [3, 0.1],
  [4, 0.4],
  [5, 0.5],
  [6, 0.05],
])(
  'after an import is taken back every record has the number of before, and so has every number that led on (world %i, %f)',
  async ([seed = 0, later = 0]) => {
    const { first, next } = drawn(seed, later);
    expect(next.length).toBeGreaterThan(0);
    const folder = freshFolder();
    await importRows(folder, [first.slice(0, first.length / 2)], { journal: {} });
    await importRows(folder, [first.slice(first.length / 2)], { journal: {} });
    const most = Math.max(...[...(await identitiesOf(folder)).values()].map(Number));
    const before = await numbersIn(folder, most);
    await importRows(folder, [next], { journal: {} });
    expect(await numbersIn(folder, most)).not.toEqual(before);
    await undo(folder);
    expect(await numbersIn(folder, most)).toEqual(before);
  },
);

const ANN: Row = { record_id: 'a', name: 'Ann Lindqvist', emails: ['ann@post.example'] };
const ANN_AGAIN: Row = { record_id: 'b', name: 'Ann Lindqvist', phones: ['+1 503 234 0101'] };
const BOTH: Row = { ...ANN_AGAIN, record_id: 'c', emails: ['ann@post.example'] };

test('two identities that an import merged are separate again after its undo, with their numbers, and the next import may merge them again', async () => {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(40), ANN, ANN_AGAIN]], { journal: {} });
  const before = await numbersIn(folder, 42);
  for (let times = 0; times < 2; times++) {
    await importRows(folder, [[BOTH]], { journal: {} });
    expect((await numbersIn(folder, 42)).leads.slice(40)).toEqual([41, 41]);
    await undo(folder);
    expect(await numbersIn(folder, 42)).toEqual(before);
    const { wrong } = await operate(folder, (graph) => verifyRecordLinks(graph));
    expect(wrong).toBe(0);
  }
});
