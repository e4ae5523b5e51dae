// The answer of a check, read for showing: its band, its rows, its evidence in the order that it is told in.
import type { Tone } from '../parts/tone.ts';

export interface Row {
  input: string | Record<string, string>;
  standardized: string | Record<string, string>;
  match_status: string;
  matched_identity: number | null;
  is_primary: string;
}

export interface Piece {
  code: string;
  field: string | null;
  index: number | null;
  weight: number;
  score_without: number | null;
}

interface GraphValue {
  identity: number;
  firstSeen: number | null;
  lastSeen: number | null;
}

export interface Answer {
  request_id: string;
  trustworthiness_score: number;
  status: string;
  confidence_level: string;
  possible_catfish: boolean;
  summary: string;
  message: string;
  input_validation: Partial<Record<'name' | 'email' | 'phone' | 'address', { inputs: Row[] }>>;
  trust_score: { raw: number; reasons: string[] };
  combined_trust_score: { pre_capped: number; explanation: string };
  insights: string[];
  dominant_identity: number | null;
  history: { first_seen: string | null; last_seen: string | null };
  ai_insights: Insights | null;
  raw?: { explanation: Piece[]; scoring_model: number; graph?: { values?: GraphValue[][] } };
}

export type Block = Record<string, unknown> & {
  ai_enabled?: boolean;
  reason?: string;
  error?: { message: string };
  model?: string;
};
export type Insights = { ai_enabled: boolean } & Record<
  'trust_enhancement' | 'overview' | 'fraud_detection' | 'name_matching',
  Block | null
>;

const BANDS: Record<string, { tone: Tone; word: string }> = {
  HIGH: { tone: 'good', word: 'Verified' },
  MEDIUM: { tone: 'likely', word: 'Likely real' },
  LOW: { tone: 'care', word: 'Suspicious' },
  VERY_LOW: { tone: 'bad', word: 'High risk' },
};

export const bandOf = (status: string) => BANDS[status] ?? { tone: 'none' as const, word: status };

/** What the answer says in a word; where no contact has a record there is no verdict to word, and no colour for one. */
export function verdictOf({ status, message }: Pick<Answer, 'status' | 'message'>): {
  tone: Tone;
  word: string;
  says: string;
} {
  const [head = '', ...rest] = message.split(': ');
  const says = rest.join(': ');
  if (head === 'NO RECORD') return { tone: 'none', word: 'No record', says };
  if (head === 'NAME ONLY') return { tone: 'none', word: 'Name only', says };
  return { ...bandOf(status), says };
}

export const KINDS = ['name', 'email', 'phone', 'address'] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_WORDS: Record<Kind, string> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  address: 'Address',
};

export interface ShownRow {
  kind: Kind;
  said: string;
  read: string;
  tone: Tone;
  status: string;
  identity: number | null;
  row: Row;
}

export function rowsOf({
  input_validation: fields,
  raw,
}: Pick<Answer, 'input_validation' | 'raw'>): ShownRow[] {
  // The primary identity may be somebody of another name: what is theirs does not speak for this person.
  const against = new Set(
    (raw?.explanation ?? [])
      .filter(({ weight, index }) => weight < 0 && index !== null)
      .map(({ field, index }) => fields[field as Kind]?.inputs[index ?? 0]?.matched_identity),
  );
  return KINDS.flatMap((kind) =>
    (fields[kind]?.inputs ?? []).map((row) => {
      const said = joined(row.input);
      const read = joined(row.standardized);
      const same = said.toLowerCase() === read.toLowerCase();
      const { status, tone } = statusOf(row);
      return {
        kind,
        said,
        read: same ? '' : read,
        identity: row.matched_identity,
        row,
        status,
        tone: tone !== 'none' && kind !== 'name' && against.has(row.matched_identity) ? 'care' : tone,
      };
    }),
  );
}

const joined = (value: string | Record<string, string>): string =>
  typeof value === 'string'
    ? value
    : [
        value.line1,
        value.line2,
        value.city,
        [value.region, value.postalCode].filter(Boolean).join(' '),
        value.countryCode,
      ]
        .filter(Boolean)
        .join(', ');

/** No record is neither good nor bad: grey. */
function statusOf({ match_status: status }: Row): { status: string; tone: Tone } {
  if (status === 'Primary Match') return { status, tone: 'good' };
  if (status === 'Secondary Match') return { status, tone: 'likely' };
  if (status.startsWith('Different Identity')) return { status, tone: 'care' };
  return { status: 'No record', tone: 'none' };
}

export interface Step extends Piece {
  words: string;
}

/** The evidence in words: where every check starts, what speaks for, what speaks against, the heaviest first. */
export function stepsOf({ trust_score: { reasons }, raw }: Answer): Step[] {
  const told = reasons.map((text) => {
    const [, weight = '0', words = text, code = ''] = /^([+-][\d.]+) bits?: (.*) \[(\w+)\]$/.exec(text) ?? [];
    return {
      code,
      weight: Number(weight),
      words,
      field: null,
      index: null,
      score_without: null as number | null,
    };
  });
  const left = [...(raw?.explanation ?? [])];
  const steps = told.map((step) => {
    const at = left.findIndex(
      ({ code, weight }) => code === step.code && Math.abs(weight - step.weight) < 0.006,
    );
    const [piece] = at < 0 ? [] : left.splice(at, 1);
    return piece ? { ...step, ...piece } : step;
  });
  const rank = ({ code, weight }: Step) => (code === 'start' ? 0 : weight >= 0 ? 1 : 2);
  return steps.toSorted((a, b) => rank(a) - rank(b) || Math.abs(b.weight) - Math.abs(a.weight));
}

/** How much a piece of evidence says, in words. */
export function strengthOf({ code, weight }: Piece): string {
  if (code === 'start') return 'the start';
  const size = Math.abs(weight);
  if (size < 0.005) return 'says nothing';
  const word = size >= 3 ? 'very strongly' : size >= 1.5 ? 'strongly' : size >= 0.6 ? 'clearly' : 'slightly';
  return `${word} ${weight > 0 ? 'for' : 'against'}`;
}

/** Is it about one of the submitted contacts? */
export const isOfValue = ({ score_without: without }: Piece) => without !== null;

/** What would be without it; where that is more although it speaks for the person, the others mean another identity. */
export function withoutIt(
  { weight, score_without }: Pick<Piece, 'weight' | 'score_without'>,
  score: number,
): string {
  const without = score_without ?? score;
  if (weight > 0 && without > score) return `Without it the rest may mean another identity: ${without}`;
  return `Without it: ${without}`;
}

export interface Span {
  label: string;
  from: number;
  to: number;
  other: boolean;
}

/** Since when, and until when, the identity and each value were seen. */
export function spansOf(answer: Answer): Span[] {
  const { first_seen: first, last_seen: last } = answer.history;
  const spans: Span[] = [];
  if (first && last && answer.dominant_identity !== null)
    spans.push({
      label: `Identity ${answer.dominant_identity}`,
      from: Date.parse(first),
      to: Date.parse(last),
      other: false,
    });
  const rows = rowsOf(answer).filter(({ kind }) => kind !== 'name');
  const values = answer.raw?.graph?.values ?? [];
  if (values.length !== rows.length) return spans;
  const of: Partial<Record<Kind, number>> = {};
  for (const [i, { kind, identity }] of rows.entries()) {
    of[kind] = (of[kind] ?? 0) + 1;
    const found = values[i]?.find((value) => value.identity === identity);
    if (!found || found.firstSeen === null || found.lastSeen === null) continue;
    const number = rows.filter((row) => row.kind === kind).length > 1 ? ` ${of[kind]}` : '';
    const other = identity !== answer.dominant_identity;
    spans.push({
      label: `${KIND_WORDS[kind]}${number}${other ? ` (${identity})` : ''}`,
      from: found.firstSeen,
      to: found.lastSeen,
      other,
    });
  }
  return spans;
}
