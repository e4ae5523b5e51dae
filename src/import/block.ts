import type { Blocks, GraphRecords } from '../graph/graph.ts';
import type { IndexBuilder } from '../graph/link-index.ts';
import { isWeak } from '../link/blocking.ts';
import { type Facts, factsOf } from '../link/counted/facts.ts';
import { pairsOfLabel, shareKey } from '../link/pairing.ts';
import { linkRecord } from '../link/record.ts';
import { keepRow, type Rows, rowsFor } from '../link/rows.ts';
import { type Surveyor, surveyor } from '../link/counted/survey.ts';
import { breathing } from './breathing.ts';

/** What linking knows once it has read every record: about a hundred bytes a record. */
export interface Blocked {
  surveyed: Surveyor;
  /** How many differently named people share a key, where it is more than one. */
  sharers: Map<number, number>;
  rows: ReturnType<typeof rowsFor>;
}

/** Reads every record once: surveys them, and puts them into blocks, so that those are compared which may be one person. */
export async function blockRecords(
  records: GraphRecords,
  blocks: Blocks,
  index: IndexBuilder | null,
): Promise<Blocked> {
  const { of } = records.fingerprints;
  const rows = rowsFor((await records.maxRow()) + 1);
  const surveyed = surveyor(of);
  const labels = new Map<number, number[]>();
  for await (const page of breathing(records.pages())) {
    const taken: [number, Facts][] = [];
    for (const raw of page) {
      const facts = factsOf(linkRecord(raw, of), of);
      surveyed.see(facts.counts);
      keepRow(rows, raw.row, facts);
      taken.push([raw.row, facts]);
      if (facts.label !== 0) pushTo(labels, facts.label, raw.row);
    }
    if (index) for (const [row, facts] of taken) index.add(row, facts);
    else await blocks.add(taken.flatMap(entriesOf));
  }
  const { perPerson } = surveyed.survey();
  const sharers = await pairUp({ groups: index?.groups() ?? blocks.groups(), blocks }, rows, perPerson);
  for (const labelled of labels.values()) await blocks.addPairs(pairsOfLabel(labelled, rows));
  return { surveyed, sharers, rows };
}

/** Adds the pairs that are to be compared. Gives how many people share each key, where it is more than one. */
async function pairUp(
  { groups, blocks }: { groups: ReturnType<Blocks['groups']>; blocks: Blocks },
  rows: Rows,
  perPerson: number,
): Promise<Map<number, number>> {
  const sharers = new Map<number, number>();
  for await (const page of breathing(groups)) {
    const shared = page.map((group) => ({ key: group.key, ...shareKey(group, rows, perPerson) }));
    for (const { key, people } of shared) if (people > 1 && !isWeak(key)) sharers.set(key, people);
    await blocks.addPairs(shared.flatMap(({ pairs }) => pairs));
  }
  return sharers;
}

const entriesOf = ([row, { contacts, keys }]: [number, Facts]) =>
  [...contacts, ...keys].map((key): [number, number] => [key, row]);

function pushTo(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list) list.push(row);
  else lists.set(key, [row]);
}
