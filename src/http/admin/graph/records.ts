import { BonafideError } from '../../../errors.ts';
import type { TakenLines } from '../../../admin/machine.ts';
import { LINES_BODY, readBytes } from '../../body.ts';
import * as RECORDS from '../../openapi/operations/admin/records.ts';
import { MOST_LINES } from '../../schema/admin/graph/records.ts';
import { at } from '../route.ts';
import type { AdminRoute } from '../route.ts';

export const RECORD_ROUTES: AdminRoute[] = [
  at(RECORDS.PUT, async ({ query: { source = '' }, event, actor }, { machine }) => {
    const lines = await readBytes(event, LINES_BODY);
    requireLines(lines);
    const taken = await machine.records.take({ lines, source: source.trim() }, actor);
    if (taken.put + taken.deleted + taken.barred === 0) throw nothingIn(taken);
    const { leftOut, ...rest } = taken;
    return { ...rest, left_out: leftOut };
  }),
];

const LF = 0x0a;

/** Errors: invalid_request. */
function requireLines(bytes: Uint8Array): void {
  let [lines, start] = [0, 0];
  while (start < bytes.length) {
    const next = bytes.indexOf(LF, start);
    const end = next < 0 ? bytes.length : next;
    if (!isBlank(bytes, start, end)) lines++;
    start = end + 1;
  }
  const detail = `There are ${lines} lines with something in them, and may be ${MOST_LINES} at most.`;
  if (lines > MOST_LINES) throw broken([{ code: 'too_many_lines', detail }]);
}

/** What holds no record does not count. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!BLANKS.has(bytes[at] ?? 0)) return false;
  return true;
}
const BLANKS = new Set([0x20, 0x09, 0x0d]);

/** So many lines are told where none can be used. */
const MOST_TOLD = 20;

function nothingIn({ refused }: TakenLines): BonafideError {
  if (refused.length === 0)
    return broken([{ code: 'no_lines', detail: 'There must be a line with a record.' }]);
  return broken(
    refused
      .slice(0, MOST_TOLD)
      .map(({ line, reason }) => ({ code: 'unusable_line', detail: `Line ${line}: ${reason}.` })),
  );
}

function broken(issues: { code: string; detail: string }[]): BonafideError {
  const rules = issues.length === 1 ? 'one rule' : `${issues.length} rules`;
  return new BonafideError('invalid_request', `The request breaks ${rules}.`, {
    issues: issues.map((issue) => ({ pointer: '', ...issue })),
  });
}
