import type { LinkingWorkspace, LinkCacheBuilder } from '../../graph/linking.ts';
import type { GraphRecords } from '../../graph/records.ts';
import { type Outlines, outlinesFor } from '../../link/compare/outlines.ts';
import { type Surveyor, surveyor } from '../../link/counted/survey.ts';
import { type Tally, tallyOf } from '../../link/counted/tally.ts';
import { remembering } from '../../link/keys.ts';
import { type AtHand, atHandFor } from '../../link/packed/at-hand.ts';
import { pairsOfLabel, shareKey } from '../../link/pairing.ts';
import { pairOf } from '../../link/pairs.ts';
import { keepRow, type Rows, rowsFor } from '../../link/rows.ts';
import { inTurn } from '../../platform/threads/in-turn.ts';
import { yieldBetween } from './compare.ts';
import type { LinkingThreads } from './worker.ts';
import { iterateFacts, type PreparedRecords, prepareRecords } from './prepare.ts';
import { packSealedPage } from '../../graph/encryption/sealed-records.ts';

/** What linking knows once it has read every record: about a hundred bytes a record, beside the records at hand. */
export interface BlockedRecords {
  surveyed: Surveyor;
  /** How many differently named people share a key, where it is more than one. */
  sharers: Tally;
  rows: ReturnType<typeof rowsFor>;
  outlines: Outlines;
  atHand: AtHand;
}

/** Memory for records at hand, some three hundred bytes each: what is beyond is read again where the engine has records to be opened. */
const MOST_AT_HAND = 384 * 1024 * 1024;

interface Into {
  blocks: LinkingWorkspace;
  index: LinkCacheBuilder | null;
  mostAtHand?: number | undefined;
}

/** Reads every record once: surveys them, and puts them into blocks, so that those are compared which may be one person. */
export async function blockRecords(
  records: GraphRecords,
  { blocks, index, mostAtHand = MOST_AT_HAND }: Into,
  helping: LinkingThreads,
): Promise<BlockedRecords> {
  const end = (await records.maxRow()) + 1;
  const [rows, outlines] = [rowsFor(end), outlinesFor(end)];
  const atHand = atHandFor(end, records.sealed ? mostAtHand : Infinity);
  const surveyed = surveyor(remembering(records.fingerprints.of));
  const labels = new Map<number, number[]>();
  for await (const some of yieldBetween(preparedPages(records, helping))) {
    atHand.put(some.rows, { bytes: some.packed, starts: some.starts });
    outlines.keep(some.rows, { texts: some.texts, numbers: some.outlines });
    const taken: [number, number[]][] = [];
    for (const [row, facts, numbers] of iterateFacts(some)) {
      surveyed.see(facts.counts);
      keepRow(rows, row, facts);
      if (index) index.add(row, facts, numbers);
      else taken.push([row, [...facts.contacts, ...facts.keys]]);
      if (facts.label !== 0) pushTo(labels, facts.label, row);
    }
    if (!index) await blocks.addKeys(taken);
  }
  const { perPerson } = surveyed.survey();
  const sharers = await pairUp({ groups: index?.groups() ?? blocks.groups(), blocks }, rows, perPerson);
  for (const labelled of labels.values())
    await blocks.addPairs(pairsOfLabel(labelled, rows).map(([a, b]) => pairOf(a, b)));
  return { surveyed, sharers, rows, outlines, atHand };
}

/** What linking must know of all records, in the order of their rows. */
async function* preparedPages(
  { sealed, fingerprints, pages }: GraphRecords,
  { helpers }: LinkingThreads,
): AsyncIterable<PreparedRecords> {
  if (sealed && helpers.count > 0) {
    yield* inTurn(
      sealed.pages(),
      (page) => helpers.ask('prepare', packSealedPage(page)),
      () => helpers.count * 2,
    );
    return;
  }
  const of = remembering(fingerprints.of);
  for await (const page of pages()) yield prepareRecords(page, of);
}

/** Adds the pairs that are to be compared. Gives how many people share each key, where it is more than one. */
async function pairUp(
  { groups, blocks }: { groups: ReturnType<LinkingWorkspace['groups']>; blocks: LinkingWorkspace },
  rows: Rows,
  perPerson: number,
): Promise<Tally> {
  const sharers = tallyOf();
  for await (const page of yieldBetween(groups)) {
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
