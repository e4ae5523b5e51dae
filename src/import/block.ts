import type { Blocks, GraphRecords } from '../graph/graph.ts';
import { blockKeys, shareKey } from '../link/blocking.ts';
import { type Edge, edgeOrder } from '../link/cluster.ts';
import { LABEL_BITS } from '../link/compare/pair.ts';
import { homeOf, linkRecord, personKey } from '../link/record.ts';
import { type Survey, surveyor } from '../link/survey.ts';

/** What linking knows once it has read every record: about a hundred bytes a record. */
export interface Blocked {
  survey: Survey;
  /** How many differently named people share a key (at least 1). */
  sharers(key: number): number;
  /** The home of each row; see `homeOf`. */
  homes: Float64Array;
  /** Records that the operator's own word joins. */
  labelled: Edge[];
}

/** Reads every record once: surveys them, and puts them into blocks, so that those are compared which may be one person. */
export async function blockRecords(records: GraphRecords, blocks: Blocks): Promise<Blocked> {
  const rows = (await records.maxRow()) + 1;
  const [persons, homes] = [new Float64Array(rows), new Float64Array(rows)];
  const survey = surveyor();
  const labels = new Map<string, { row: number; key: string }>();
  const labelled: Edge[] = [];
  for await (const page of records.pages()) {
    const entries: [number, number][] = [];
    for (const raw of page) {
      const record = linkRecord(raw, records.fingerprints.of);
      const { row, key, label } = record;
      survey.see(record);
      for (const block of blockKeys(record, records.fingerprints.of)) entries.push([block, row]);
      persons[row] = personKey(record);
      homes[row] = homeOf(record);
      if (label === null) continue;
      const first = labels.get(label);
      if (first) labelled.push({ a: first.row, b: row, bits: LABEL_BITS, order: edgeOrder(first.key, key) });
      else labels.set(label, { row, key });
    }
    await blocks.add(entries);
  }
  const sharers = await shareKeys(blocks, persons);
  return { survey: survey.survey(), sharers: (key) => sharers.get(key) ?? 1, homes, labelled };
}

/** How many people share each key, where it is more than one. The records behind frequent keys are paired on the way. */
async function shareKeys(blocks: Blocks, persons: Float64Array): Promise<Map<number, number>> {
  const sharers = new Map<number, number>();
  const frequent: [number, number][] = [];
  for await (const page of blocks.groups())
    for (const { key, rows } of page) {
      const { people, pairs } = shareKey(rows, persons);
      if (people > 1) sharers.set(key, people);
      frequent.push(...pairs);
    }
  await blocks.addPairs(frequent);
  return sharers;
}
