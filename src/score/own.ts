import type { Agreement, Evidence, ContactKind } from '../model.ts';
import { strength } from './curves.ts';
import { type Reason, step } from './reason.ts';
import { FIRST, GAIN, HISTORY_GAIN, NAME_GAIN } from './weights.ts';
import { agreementWith, type WeighedValue } from './values.ts';

/** What the values that an identity has say for it. */
export interface Own {
  reasons: Reason[];
  values: WeighedValue[];
  /** 0-1 for each kind: how surely one of its values is the identity's own; the surest kind first. */
  kinds: number[];
  /** The same of its surest e-mail or phone. */
  direct: number;
}

const KINDS = ['email', 'phone', 'address'] as const satisfies readonly ContactKind[];

/** Values of one kind come together rather than independently, so within a kind they approach a bound. */
export function ownOf(values: readonly WeighedValue[], identity: number): Own {
  const own: Own = { reasons: [], values: [], kinds: [], direct: 0 };
  for (const kind of KINDS) {
    const found = strengths(values, kind, identity);
    let missing = 1;
    for (const { value, key, strength: sure } of found) {
      const before = GAIN[kind] * (1 - missing);
      missing *= 1 - FIRST * sure;
      own.reasons.push(step(`${kind}_own`, [before, GAIN[kind] * (1 - missing)], { value, key }));
      own.values.push(value);
    }
    const [surest] = found;
    if (!surest) continue;
    own.kinds.push(surest.strength);
    if (kind !== 'address') own.direct = Math.max(own.direct, surest.strength);
  }
  own.kinds.sort((a, b) => b - a);
  return own;
}

/** The surest first: it counts in full. */
function strengths(values: readonly WeighedValue[], kind: ContactKind, identity: number) {
  const found: { value: WeighedValue; key: Agreement['type']; strength: number }[] = [];
  for (const value of values) {
    const agreement = value.kind === kind ? agreementWith(value, identity) : undefined;
    if (agreement) found.push({ value, key: agreement.type, strength: strength(agreement, kind) });
  }
  return found.sort((a, b) => b.strength - a.strength || a.value.index - b.value.index);
}

/** Bits for a name that is on record: more, the fewer bear it. */
export function nameGain({ graphSize: total, nameHolders: bearers }: Evidence): number {
  const halvings = Math.log2(Math.max(1, total) / Math.max(1, bearers));
  return Math.min(NAME_GAIN.most, Math.max(NAME_GAIN.least, halvings * NAME_GAIN.perBit));
}

const YEAR = 365.25 * 86_400_000;

/** Bits for a long history; none where no record carries a date. */
export function historyGain({ identities }: Evidence, identity: number): number {
  const known = identities.get(identity);
  if (!known || known.firstSeen === null || known.lastSeen === null) return 0;
  return Math.min(HISTORY_GAIN.most, (HISTORY_GAIN.perYear * (known.lastSeen - known.firstSeen)) / YEAR);
}
