import type { CheckAnswer } from '../app/types.ts';
import { findVerdictDisplay, type StatusTone, VERDICT_DISPLAYS } from '../components/format.ts';

type Evidence = NonNullable<CheckAnswer['raw']>['explanation'][number];
type MatchRow = NonNullable<CheckAnswer['input_validation'][ValueKind]>['inputs'][number];

export type ValueKind = (typeof KINDS)[number];
const KINDS = ['name', 'email', 'phone', 'address'] as const;
export const VALUE_KIND_LABELS: Record<ValueKind, string> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  address: 'Address',
};

export interface VerdictDisplay {
  label: string;
  tone: StatusTone;
  /** Message of the answer, without the verdict word at its start. */
  sentence: string;
}

/** Extracts the verdict of an answer. Its tone is `none` (grey) if no submitted contact is on record. */
export function toVerdictDisplay({
  status,
  message,
}: Pick<CheckAnswer, 'status' | 'message'>): VerdictDisplay {
  const colon = message.indexOf(': ');
  const label = message.slice(0, colon);
  const sentence = message.slice(colon + 2);
  const verdict = VERDICT_DISPLAYS.find((entry) => entry.label.toUpperCase() === label);
  const { tone, label: shown } = verdict ?? findVerdictDisplay({ verdict: null, status });
  return { tone, label: shown, sentence };
}

export interface ValueResult {
  kind: ValueKind;
  input: string;
  /** Value as normalised by the server; empty if equal to the input. */
  normalized: string;
  status: string;
  tone: StatusTone;
  identity: number | null;
}

/** Lists the match result of each submitted value: name, e-mails, phones, addresses. */
export function listValueResults({
  input_validation: fields,
  raw,
}: Pick<CheckAnswer, 'input_validation' | 'raw'>): ValueResult[] {
  // Values of the primary identity count against the person if that identity has another name.
  const opposing = new Set(
    (raw?.explanation ?? []).flatMap(({ weight, field, index }) =>
      weight < 0 && field && index !== null ? [fields[field]?.inputs[index]?.matched_identity] : [],
    ),
  );
  return KINDS.flatMap((kind) =>
    (fields[kind]?.inputs ?? []).map((row) => {
      const input = toText(row.input);
      const normalized = toText(row.standardized ?? '');
      const { status, tone } = findStatus(row);
      const isOpposing = kind !== 'name' && tone !== 'none' && opposing.has(row.matched_identity);
      return {
        kind,
        input,
        normalized: input.toLowerCase() === normalized.toLowerCase() ? '' : normalized,
        status,
        tone: isOpposing ? 'care' : tone,
        identity: row.matched_identity,
      };
    }),
  );
}

function toText(value: MatchRow['input']): string {
  if (typeof value === 'string') return value;
  const { line1, line2, city, region, postalCode, countryCode } = value;
  const parts = [line1, line2, city, [region, postalCode].filter(Boolean).join(' '), countryCode];
  return parts.filter(Boolean).join(', ');
}

function findStatus({ match_status: status }: MatchRow): { status: string; tone: StatusTone } {
  if (status === 'Primary Match') return { status, tone: 'good' };
  if (status === 'Secondary Match') return { status, tone: 'likely' };
  if (status === 'Unverified') return { status: 'No record', tone: 'none' };
  return { status, tone: 'care' };
}

export interface EvidenceStep extends Evidence {
  text: string;
}

/**
 * Lists the weighed evidence with sentences: first the start value, then what raises the score, then what lowers it. Null if the answer has no
 * `raw`.
 */
export function listEvidence({ trust_score: { reasons }, raw }: Pick<CheckAnswer, 'trust_score' | 'raw'>) {
  if (!raw) return null;
  const size = ({ code, weight }: Evidence) => (code === 'start' ? -1 : Math.abs(weight));
  // `reasons` are the sentences of the same evidence by weight, as `+1.50 bits: sentence [code]`.
  const steps = raw.explanation
    // Records that do not count are listed after the weighed evidence, and have no sentence.
    .slice(0, reasons.length)
    .toSorted((a, b) => size(b) - size(a))
    .map((evidence, i): EvidenceStep => {
      const reason = reasons[i] ?? '';
      const text = reason.slice(reason.indexOf(': ') + 2, -` [${evidence.code}]`.length);
      return { ...evidence, text };
    });
  const rank = ({ code, weight }: Evidence) => (code === 'start' ? 0 : weight >= 0 ? 1 : 2);
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

/** Describes the strength and direction of a piece of evidence, such as `strongly against`. */
export function describeEvidenceStrength({ code, weight }: Pick<Evidence, 'code' | 'weight'>): string {
  if (code === 'start') return 'baseline';
  const size = Math.abs(weight);
  if (size < 0.005) return 'no effect';
  const strength =
    size >= 3 ? 'very strongly' : size >= 1.5 ? 'strongly' : size >= 0.6 ? 'clearly' : 'slightly';
  return `${strength} ${weight > 0 ? 'for' : 'against'}`;
}

/** Writes a sentence about the score that the check would have without this submitted value. Empty for evidence that is not about one value. */
export function describeScoreWithoutValue(
  { weight, score_without: without }: Pick<Evidence, 'weight' | 'score_without'>,
  score: number,
): string {
  if (without === null) return '';
  const text = `Score without it: ${without}`;
  return weight > 0 && without > score ? `${text}. The other values may match another identity.` : text;
}

/** Period in which the dominant identity or one submitted value was seen. Times are milliseconds since 1970. */
export interface SeenPeriod {
  label: string;
  from: number;
  to: number;
  isOther: boolean;
}

interface GraphValue {
  identity: number;
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Lists the period of the dominant identity. If the answer has `raw`, also lists that of each value with dates on record. */
export function listSeenPeriods(answer: CheckAnswer): SeenPeriod[] {
  const { dominant_identity: dominant, history } = answer;
  const periods: SeenPeriod[] = [];
  if (history.first_seen && history.last_seen && dominant !== null)
    periods.push({
      label: `Identity ${dominant}`,
      from: Date.parse(history.first_seen),
      to: Date.parse(history.last_seen),
      isOther: false,
    });
  const contacts = listValueResults(answer).filter(({ kind }) => kind !== 'name');
  const { values = [] } = (answer.raw?.graph ?? {}) as { values?: GraphValue[][] };
  if (values.length !== contacts.length) return periods;
  for (const [i, { kind, identity }] of contacts.entries()) {
    const { firstSeen = null, lastSeen = null } =
      values[i]?.find((value) => value.identity === identity) ?? {};
    if (firstSeen === null || lastSeen === null) continue;
    const sameKind = contacts.filter((contact) => contact.kind === kind);
    const number = sameKind.length > 1 ? ` ${sameKind.indexOf(contacts[i] as ValueResult) + 1}` : '';
    const isOther = identity !== dominant;
    periods.push({
      label: `${VALUE_KIND_LABELS[kind]}${number}${isOther ? ` (identity ${identity})` : ''}`,
      from: firstSeen,
      to: lastSeen,
      isOther,
    });
  }
  return periods;
}
