import type { Agreement, ContactEvidence, Evidence, NameAgreement, Resolution } from '../model.ts';
import { strength } from './curves.ts';
import type { Hypothesis } from './weigh.ts';

/** Whose every submitted value is. */
export interface Statuses {
  /** The identity that most submitted values belong to, the name among them; null where none is on record. */
  dominant: number | null;
  name: Resolution;
  /** One per contact, in the order of the evidence. */
  contacts: Resolution[];
}

const NOBODY: Resolution = { status: 'unverified', identity: null };
/** A street that is written otherwise than on record is never the primary value. */
const MISSPELT: ReadonlySet<Agreement['type']> = new Set(['typo', 'core', 'street']);

/** How far the submitted values lead to one identity. */
interface Standing {
  identity: number;
  values: number;
  bears: boolean;
  support: number;
}

type Standings = ReadonlyMap<number, Standing>;

/** Resolves every value: to the dominant identity where that is among those who have it, else to the best corroborated of the others. */
export function statusesOf(evidence: Evidence, best: Hypothesis): Statuses {
  const standings = standingsOf(evidence);
  let dominant: Standing | null = null;
  for (const one of standings.values()) if (dominant === null || dominates(one, dominant)) dominant = one;
  const id = dominant?.identity ?? null;
  return {
    dominant: id,
    name: nameStatus(evidence, { dominant: id, best, standings }),
    contacts: evidence.contacts.map((one) => contactStatus(one, id, standings)),
  };
}

function standingsOf({ nameAgreements: names, contacts }: Evidence): Standings {
  const found = new Map<number, Standing>();
  const standing = (identity: number) => {
    const known = found.get(identity);
    if (known) return known;
    const made = { identity, values: 0, support: 0, bears: false };
    found.set(identity, made);
    return made;
  };
  for (const [identity, { isSame: same }] of names)
    if (same) found.set(identity, { identity, values: 1, support: 0, bears: true });
  for (const { kind, agreements, isRepeat: repeats } of contacts)
    for (const agreement of agreements) {
      const one = standing(agreement.identity);
      one.values++;
      if (!repeats) one.support += strength(agreement, kind);
    }
  return found;
}

/** Most values, then whose name matches, then the better corroborated, then the lower number. */
function dominates(one: Standing, than: Standing): boolean {
  const order =
    one.values - than.values ||
    Number(one.bears) - Number(than.bears) ||
    one.support - than.support ||
    than.identity - one.identity;
  return order > 0;
}

interface NameInput {
  dominant: number | null;
  best: Hypothesis;
  standings: Standings;
}

/** The name resolves to the dominant identity if that bears it, else to the person that the score is about, else to the best corroborated bearer. */
function nameStatus(
  { nameAgreements: names }: Evidence,
  { dominant, best, standings }: NameInput,
): Resolution {
  const bearer = (id: number | null): NameAgreement | null => {
    const name = id === null ? undefined : names.get(id);
    return name?.isSame ? name : null;
  };
  const own = bearer(dominant);
  if (own) return { status: own.isPrimary ? 'primary' : 'secondary', identity: dominant };
  if (bearer(best.identity)) return { status: 'different', identity: best.identity };
  const [first] = [...standings.values()].filter(({ bears }) => bears).sort(bySupport);
  return first ? { status: 'different', identity: first.identity } : NOBODY;
}

function contactStatus(
  { agreements }: ContactEvidence,
  dominant: number | null,
  standings: Standings,
): Resolution {
  const own = agreements.find(({ identity }) => identity === dominant);
  if (own)
    return {
      status: own.primary && !MISSPELT.has(own.type) ? 'primary' : 'secondary',
      identity: own.identity,
    };
  const [first, ...rest] = agreements;
  if (!first) return NOBODY;
  const standing = ({ identity }: Agreement) => standings.get(identity);
  const other = rest.reduce((a, b) => (corroborated(standing(b), standing(a)) ? b : a), first);
  return { status: 'different', identity: other.identity };
}

/** Whether one is better corroborated than another, or as well and has the lower number. */
function corroborated(one: Standing | undefined, than: Standing | undefined): boolean {
  if (!one || !than) return one !== undefined;
  return bySupport(one, than) < 0;
}

const bySupport = (a: Standing, b: Standing) => b.support - a.support || a.identity - b.identity;
