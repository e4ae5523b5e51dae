import type { Blocks, GraphRecords } from '../graph/graph.ts';
import type { IndexBuilder } from '../graph/link-index.ts';
import { type Outlines, outlinesFor } from '../link/compare/outlines.ts';
import { factsOf } from '../link/counted/facts.ts';
import { remembering } from '../link/keys.ts';
import { pairsOfLabel, shareKey } from '../link/pairing.ts';
import { pairOf } from '../link/pairs.ts';
import { linkRecord } from '../link/record.ts';
import { keepRow, type Rows, rowsFor } from '../link/rows.ts';
import { type Surveyor, surveyor } from '../link/counted/survey.ts';
import { type Tally, tallyOf } from '../link/counted/tally.ts';
import { breathing } from './breathing.ts';

/** What linking knows once it has read every record: about a hundred bytes a record. */
export interface Blocked {
  surveyed: Surveyor;
  /** How many differently named people share a key, where it is more than one. */
  sharers: Tally;
  rows: ReturnType<typeof rowsFor>;
  outlines: Outlines;
}

/** Reads every record once: surveys them, and puts them into blocks, so that those are compared which may be one person. */
export async function blockRecords(
  records: GraphRecords,
  blocks: Blocks,
  index: IndexBuilder | null,
): Promise<Blocked> {
  const of = remembering(records.fingerprints.of);
  const end = (await records.maxRow()) + 1;
  const [rows, outlines] = [rowsFor(end), outlinesFor(end)];
  const surveyed = surveyor(of);
  const labels = new Map<number, number[]>();
  for await (const page of breathing(records.pages())) {
    const taken: [number, number[]][] = [];
    for (const raw of page) {
      const record = linkRecord(raw, of);
      const facts = factsOf(record, of);
      outlines.keep(record);
      surveyed.see(facts.counts);
      keepRow(rows, raw.row, facts);
      if (index) index.add(raw.row, facts);
      else taken.push([raw.row, [...facts.contacts, ...facts.keys]]);
      if (facts.label !== 0) pushTo(labels, facts.label, raw.row);
    }
    if (!index) await blocks.add(taken);
  }
  const { perPerson } = surveyed.survey();
  const sharers = await pairUp({ groups: index?.groups() ?? blocks.groups(), blocks }, rows, perPerson);
  for (const labelled of labels.values())
    await blocks.addPairs(pairsOfLabel(labelled, rows).map(([a, b]) => pairOf(a, b)));
  return { surveyed, sharers, rows, outlines };
}

/** Adds the pairs that are to be compared. Gives how many people share each key, where it is more than one. */
async function pairUp(
  { groups, blocks }: { groups: ReturnType<Blocks['groups']>; blocks: Blocks },
  rows: Rows,
  perPerson: number,
): Promise<Tally> {
  const sharers = tallyOf();
  for await (const page of breathing(groups)) {
    const pairs: number[] = [];
    const add = (pair: number) => void pairs.push(pair);
    for (const group of page) {
      const people = shareKey(group, { facts: rows, perPerson, add });
      if (people > 1) sharers.add(group.key, people);
    }
    await blocks.addPairs(pairs);
  }
  return sharers;
}

function pushTo(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list) list.push(row);
  else lists.set(key, [row]);
}
