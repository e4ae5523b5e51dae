// Sends records to the graph in parts, and takes them out again.
import { MARK, reach } from '../api/ask.ts';

interface Taken {
  put: number;
  deleted: number;
  barred: number;
  refused: { line: number; reason: string }[];
  left_out: { line: number; reason: string }[];
  linked: boolean;
}

export interface Sent {
  put: number;
  barred: number;
  refused: { line: number; reason: string }[];
  left: { line: number; reason: string }[];
  linked: boolean;
}

const MOST_LINES = 400;
const MOST_CHARACTERS = 900_000;

/** Lines in parts that one request may have, each with the number of its first line. */
export function partsOf(lines: string[]): { first: number; lines: string[] }[] {
  const parts: { first: number; lines: string[] }[] = [];
  let size = 0;
  for (const [i, line] of lines.entries()) {
    const last = parts.at(-1);
    if (!last || last.lines.length >= MOST_LINES || size + line.length > MOST_CHARACTERS) {
      parts.push({ first: i, lines: [line] });
      size = line.length;
    } else {
      last.lines.push(line);
      size += line.length;
    }
  }
  return parts;
}

export interface Sending {
  /** Where each record stood in the file. */
  places: number[];
  onPart(sent: Sent, done: number): void;
  stopped(): boolean;
}

export async function sendRecords(records: object[], { places, onPart, stopped }: Sending): Promise<Sent> {
  const sent: Sent = { put: 0, barred: 0, refused: [], left: [], linked: true };
  let done = 0;
  for (const { first, lines } of partsOf(records.map((record) => JSON.stringify(record)))) {
    if (stopped()) break;
    const taken = await put(lines);
    const placed = (told: { line: number; reason: string }) => ({
      ...told,
      line: places[first + told.line - 1] ?? told.line,
    });
    sent.put += taken.put;
    sent.barred += taken.barred;
    sent.refused.push(...taken.refused.map(placed));
    sent.left.push(...taken.left_out.map(placed));
    sent.linked = taken.linked;
    done += lines.length;
    onPart({ ...sent }, done);
  }
  return sent;
}

async function put(lines: string[]): Promise<Taken> {
  const response = await reach('/admin/v1/records', {
    method: 'POST',
    headers: { ...MARK, 'Content-Type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  return (await response.json()) as Taken;
}
