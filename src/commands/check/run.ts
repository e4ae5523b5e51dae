// Checks the people of a file, top to bottom: read, ask about some at a time, write each answer in the order of the input.
import { setImmediate } from 'node:timers/promises';
import type { Asked, Asking } from './targets.ts';
import type { Output } from './output.ts';
import { type People, type Person, isAnswered, nobody, type Result, unanswered } from './rows.ts';

export interface Run {
  people: People;
  asking: Asking;
  output: Output;
  /** Told of each line of a person that is in the output. */
  onLine(tally: Tally): void;
}

export interface Tally {
  /** People of the input that have their line in the output. */
  rows: number;
  answered: number;
  /** Those of them that were there already. */
  before: number;
}

/** A line that is not written yet, and what it will say. */
interface Waiting {
  person: Person;
  result: Promise<Result>;
}

/**
 * Writes a line for each person. What is in the output already is passed over; the tally is up to date whenever this throws.
 *
 * Errors: those of reading, asking and writing; what was answered before is written.
 */
export async function checkPeople({ people, asking, output, onLine }: Run, tally: Tally): Promise<void> {
  const stop = new AbortController();
  const waiting: Waiting[] = [];
  const count = (person: Person, line: string) => {
    if (isNobody(person)) return;
    tally.rows++;
    if (isAnswered(line)) tally.answered++;
    onLine(tally);
  };
  const writeFirst = async () => {
    const [first] = waiting;
    if (!first) return;
    const { person } = first;
    const line = person.begins + person.ends(await first.result);
    output.append(line);
    waiting.shift();
    count(person, line);
  };
  try {
    for await (const one of people.lines) {
      const isHeader = typeof one === 'string';
      const there = await output.take(isHeader ? one : one.begins);
      if (there !== null && !isHeader) {
        if (!isNobody(one)) tally.before++;
        count(one, there);
      } else if (isHeader && there === null) output.append(one);
      else if (!isHeader) {
        waiting.push({ person: one, result: started(one, asking, stop.signal) });
        if (waiting.length >= asking.atOnce) await writeFirst();
        // Checks of the local graph never wait for anything: signals and the bar would not get their turn.
        if (tally.rows % TURN === 0) await setImmediate();
      }
    }
    while (waiting.length > 0) await writeFirst();
    await output.end();
  } finally {
    stop.abort();
  }
}
const TURN = 50;

/** An empty row keeps its line, so that the output's lines are the input's by number. */
const isNobody = ({ request, problem }: Person) => !request && problem === undefined;

/** Whatever becomes of it is told when its line is to be written. */
function started(person: Person, asking: Asking, signal: AbortSignal): Promise<Result> {
  const { request, problem, line } = person;
  if (isNobody(person)) return Promise.resolve(nobody());
  if (!request) return Promise.resolve(unanswered(`unreadable_row: line ${line}: ${problem}.`));
  const result = asking.ask(person as Asked, signal);
  result.catch(() => undefined);
  return result;
}
