// Rules on rows: one for each value, and all parts of a row agree.
import { FIELDS, KINDS } from '../answer.ts';
import type { Field, Kind, Row } from '../answer.ts';
import type { Story } from '../story.ts';
import { blockOf, isMatch, isOther } from '../story.ts';
import type { Rule } from '../rule.ts';

const STATUS = /^(?:Primary Match|Secondary Match|Unverified|Different Identity Match \(ID \d+\))$/;

const rowsOf = ({ answer }: Story): { field: Field; row: Row; at: string }[] =>
  FIELDS.flatMap((field) =>
    (blockOf(answer, field)?.inputs ?? []).map((row, i) => ({ field, row, at: `${field} ${i + 1}` })),
  );

const eachRow = (story: Story, wrong: (row: Row, field: Field) => string | false): (string | false)[] =>
  rowsOf(story).map(({ field, row, at }) => {
    const found = wrong(row, field);
    return found && `${at}: ${found}`;
  });

export const ROWS: readonly Rule[] = [
  {
    name: 'one-row-a-value',
    clause:
      'S2.3: `inputs[]` has one row per submitted value, in submission order. C1: two values that are equal after stripping or lowercasing are one input and give one row, at the place of the first.',
    find: (story) =>
      KINDS.map((kind) => {
        const rows = blockOf(story.answer, kind)?.inputs ?? [];
        const sent = story.sent[kind];
        if (rows.length !== sent.length) return `${rows.length} ${kind} rows for ${sent.length} values`;
        const same = kind === 'address' || rows.every((row, i) => row.input === sent[i]);
        return !same && `the ${kind} rows are not the values sent, in their order`;
      }),
  },
  {
    name: 'match-status-words',
    clause: 'S3: Primary Match, Secondary Match, Different Identity Match (ID n), Unverified.',
    find: (story) => eachRow(story, (row) => !STATUS.test(row.match_status) && row.match_status),
  },
  {
    name: 'validated-by-status',
    clause: 'S3: `validated` is true for the first three states and false for Unverified.',
    find: (story) =>
      eachRow(
        story,
        (row) =>
          row.validated !== (row.match_status !== 'Unverified') && `${row.match_status}, ${row.validated}`,
      ),
  },
  {
    name: 'unverified-without-identity',
    clause: 'S3: Unverified: the graph returned no record linked to the value. `matched_identity` is null.',
    find: (story) =>
      eachRow(
        story,
        (row) =>
          (row.matched_identity === null) !== (row.match_status === 'Unverified') &&
          `${row.match_status} with identity ${row.matched_identity}`,
      ),
  },
  {
    name: 'match-is-dominant',
    clause: 'S3: Primary and Secondary Match: the value resolves to the dominant identity.',
    find: (story) =>
      eachRow(
        story,
        (row) =>
          isMatch(row.match_status) &&
          row.matched_identity !== story.answer.dominant_identity &&
          `${row.match_status} of ${row.matched_identity}, dominant ${story.answer.dominant_identity}`,
      ),
  },
  {
    name: 'other-is-not-dominant',
    clause:
      'S3: Different Identity Match (ID n): value resolves to another identity number n. `matched_identity` is n.',
    find: (story) =>
      eachRow(
        story,
        (row) =>
          isOther(row.match_status) &&
          (row.match_status !== `Different Identity Match (ID ${row.matched_identity})` ||
            row.matched_identity === story.answer.dominant_identity) &&
          `${row.match_status}, identity ${row.matched_identity}`,
      ),
  },
  {
    name: 'is-primary-by-status',
    clause: 'S3: Primary Match: `is_primary` is `Yes`. Secondary Match: `is_primary` is `No`.',
    find: (story) =>
      eachRow(
        story,
        (row) =>
          row.is_primary !== (row.match_status === 'Primary Match' ? 'Yes' : 'No') &&
          `${row.match_status}, ${row.is_primary}`,
      ),
  },
  {
    name: 'standardized-form',
    clause:
      'S2.3: for emails the lowercased address, for names the uppercased name; C4: of a phone E.164 in v1 (`+14155550100`).',
    find: (story) =>
      eachRow(story, ({ standardized }, field) => {
        if (typeof standardized !== 'string') return field !== 'address' && 'no text';
        return !FORMS[field as Kind | 'name'](standardized) && 'another form';
      }),
  },
  {
    name: 'one-number-one-verdict',
    clause:
      'C1: two phones with different digits that mean one number keep a row each and share one `standardized`.',
    find: ({ contacts }) =>
      contacts.map((row, i) => {
        const twin = contacts.findIndex(
          (other) =>
            other.kind === 'phone' && row.kind === 'phone' && other.standardized === row.standardized,
        );
        const it = contacts[twin];
        return (
          it !== undefined &&
          (it.match_status !== row.match_status || it.matched_identity !== row.matched_identity) &&
          `rows ${twin + 1} and ${i + 1} are one number`
        );
      }),
  },
];

const FORMS: Record<Field, (text: string) => boolean> = {
  name: (text) => text === text.toUpperCase(),
  email: (text) => text === text.toLowerCase(),
  phone: (text) => /^\+?\d+$/.test(text) && (text.startsWith('+') || text.length > 0),
  address: () => true,
};
