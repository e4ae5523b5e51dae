// The records of a world, one by one and in any order.
import { makeDraft } from './records/draft.ts';
import { makePerson } from './people/person.ts';
import { Random } from './random.ts';
import { personOfRecord, STREAM, type World } from './world.ts';
import { type WrittenRecord, writeRecord } from './records/write.ts';

/** The record at a place of the output, and the person whom it is about. */
export function recordAt(world: World, place: number): { record: WrittenRecord; truth: string } {
  const number = world.order.at(place);
  const { person } = personOfRecord(world, number);
  const draft = makeDraft(world, makePerson(world, person), number);
  const record = writeRecord(draft, String(place), new Random(world.seed, STREAM.writing, number));
  return { record, truth: truthOf(person) };
}

/** The name of a person in the truth. */
export const truthOf = (person: number): string => `p${person}`;

/** All records in the order of the output, as lines in pieces of about 64 KiB, each with the truth of the same records. */
export function* recordLines(world: World): Generator<{ records: string; truth: string }> {
  let [records, truth] = ['', ''];
  for (let place = 0; place < world.records; place++) {
    const made = recordAt(world, place);
    records += `${JSON.stringify(made.record)}\n`;
    truth += `{"record_id":"${made.record.record_id}","truth":"${made.truth}"}\n`;
    if (records.length < 65_536) continue;
    yield { records, truth };
    [records, truth] = ['', ''];
  }
  if (records !== '') yield { records, truth };
}
