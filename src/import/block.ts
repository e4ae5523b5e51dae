import type { Blocks, GraphRecords } from '../graph/graph.ts';
import { breathing } from './breathing.ts';
import { blockKeys, isWeak } from '../link/blocking.ts';
import { type Edge, edgeOf } from '../link/cluster.ts';
import { LABEL_BITS } from '../link/compare/pair.ts';
import { shareKey } from '../link/pairing.ts';
import { linkRecord } from '../link/record.ts';
import { keepRow, type Rows, rowsFor } from '../link/rows.ts';
import { type Survey, surveyor } from '../link/survey.ts';

/** What linking knows once it has read every record: about a hundred bytes a record. */
export interface Blocked {
  survey: Survey;
  /** How many differently named people share a key (at least 1). */
  sharers(key: number): number;
  rows: Rows;
  /** Records that the operator's own word joins. */
  labelled: Edge[];
}

/** Reads every record once: surveys them, and puts them into blocks, so that those are compared which may be one person. */
export async function blockRecords(records: GraphRecords, blocks: Blocks): Promise<Blocked> {
  const rows = rowsFor((await records.maxRow()) + 1);
  const surveying = surveyor();
  const labels = new Map<string, { row: number; order: number }>();
  const labelled: Edge[] = [];
  for await (const page of breathing(records.pages())) {
    const entries: [number, number][] = [];
    for (const raw of page) {
      const record = linkRecord(raw, records.fingerprints.of);
      const { row, order, label } = record;
      surveying.see(record);
      for (const block of blockKeys(record, records.fingerprints.of)) entries.push([block, row]);
      keepRow(rows, record);
      if (label === null) continue;
      const first = labels.get(label);
      if (first) labelled.push(edgeOf(first, record, LABEL_BITS));
      else labels.set(label, { row, order });
    }
    await blocks.add(entries);
  }
  const survey = surveying.survey();
  const sharers = await pairUp(blocks, rows, survey.perPerson);
  return { survey, sharers: (key) => sharers.get(key) ?? 1, rows, labelled };
}

/** Adds the pairs that are to be compared. Gives how many people share each key, where it is more than one. */
async function pairUp(blocks: Blocks, rows: Rows, perPerson: number): Promise<Map<number, number>> {
  const sharers = new Map<number, number>();
  for await (const page of breathing(blocks.groups())) {
    const shared = page.map((group) => ({ key: group.key, ...shareKey(group, rows, perPerson) }));
    for (const { key, people } of shared) if (people > 1 && !isWeak(key)) sharers.set(key, people);
    await blocks.addPairs(shared.flatMap(({ pairs }) => pairs));
  }
  return sharers;
}
