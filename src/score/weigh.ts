import type { Evidence, NameAgreement } from '../model.ts';
import { type Bound, bounded } from './points.ts';
import { type Conflict, conflictInPart, conflictWith, conflictWithNobody } from './conflict.ts';
import { both, nameBits, type ScoreScale, createScale } from './curves.ts';
import { historyGain, nameGain, type Own, ownOf } from './own.ts';
import { type Reason, reason, step, sum } from './reason.ts';
import { agreementWith, type WeighedValue, toWeighedValues } from './values.ts';
import { ATTESTED, IN_PART, NAMELESS, NEARLY, START } from './weights.ts';

/** The evidence as it stands for one identity being the person of the name; or for nobody on record (`identity` null). */
export interface Hypothesis {
  identity: number | null;
  /** It bears the name. */
  bears: boolean;
  /** Log2 of the odds, the sum of all reasons. */
  bits: number;
  reasons: Reason[];
  /** 0-100, before the bounds and after them, not rounded. */
  adjusted: number;
  score: number;
  bound: Bound | null;
  own: Own;
}

/**
 * How probable it is that the person of the submitted name is whom the contacts belong to. Weighed for every identity that bears the name,
 * and where there is none, for those that bear part of it, those without a name, and for nobody; the most probable is the answer. Because
 * it is the most that any of them reaches, one more value of that person can never lower it.
 *
 * The form of the sum is Fellegi and Sunter's (1969): independent agreements add up in log2.
 */
export function findBestHypothesis(
  evidence: Evidence,
  values = toWeighedValues(evidence),
  scale: ScoreScale = createScale(null),
): Hypothesis {
  const bearers: number[] = [];
  for (const [id, name] of evidence.nameAgreements) if (name.isSame) bearers.push(id);
  const all = bearers.length > 0 ? bearers.map((id) => hypothesis(evidence, values, id)) : [nobody(values)];
  if (bearers.length === 0)
    for (const id of doubtful(evidence, values)) all.push(hypothesis(evidence, values, id));
  return all.map((one) => concluded(one, scale)).reduce((best, one) => (better(one, best) ? one : best));
}

function better(one: Hypothesis, best: Hypothesis): boolean {
  const order =
    one.score - best.score ||
    one.bits - best.bits ||
    one.own.values.length - best.own.values.length ||
    (best.identity ?? Infinity) - (one.identity ?? Infinity);
  return order > 0;
}

/** Identities behind the contacts that bear part of the name, or none. */
function doubtful({ nameAgreements: names }: Evidence, values: readonly WeighedValue[]): Set<number> {
  const found = new Set<number>();
  for (const { agreements } of values)
    for (const { identity } of agreements) {
      const name = names.get(identity);
      if (name && (name.isNameless || name.agreement >= IN_PART)) found.add(identity);
    }
  return found;
}

const NOTHING: Own = { reasons: [], values: [], kinds: [], direct: 0 };

function nobody(values: readonly WeighedValue[]): Found {
  const conflict = conflictWithNobody(values);
  return {
    identity: null,
    bears: false,
    own: NOTHING,
    conflict,
    reasons: [reason('start', START.bits)],
  };
}

function hypothesis(evidence: Evidence, values: readonly WeighedValue[], identity: number): Found {
  const name = evidence.nameAgreements.get(identity);
  const bears = name?.isSame ?? false;
  const own = ownOf(values, identity);
  const conflict = bears ? conflictWith(values, identity, own) : conflictInPart(values, identity);
  const reasons = [reason('start', START.bits)];
  if (bears) reasons.push(reason('name_borne', nameGain(evidence)));
  reasons.push(...own.reasons);
  const [surest] = own.kinds;
  if (bears && surest !== undefined)
    reasons.push(reason('history', surest * historyGain(evidence, identity)));
  const carried = nameBits(name?.agreement ?? 0) - attested(evidence, identity, own);
  const doubted = bears ? withDoubt(reasons, name) : withMoreDoubt(reasons, name, { own, carried });
  return { identity, bears, own, conflict, reasons: doubted };
}

/** A name carries only so much, however much the contacts say: whoever knows a person's contacts may still bear another name. */
function withDoubt(reasons: Reason[], name: NameAgreement | undefined): Reason[] {
  const certain = sum(reasons);
  const carried = nameBits(name?.agreement ?? 0);
  return [...reasons, reason('name_varies', both(certain, carried) - certain)];
}

/**
 * Whoever bears but part of the name, or whose name nobody knows: his first contact says nothing, since it speaks against as much as for,
 * and only as more come with it may he be the person. One contact is one reason with the doubt of the name.
 */
function withMoreDoubt(
  reasons: Reason[],
  name: NameAgreement | undefined,
  { own: { values }, carried: most }: { own: Own; carried: number },
): Reason[] {
  const certain = sum(reasons);
  const agreement = name?.agreement ?? 0;
  const first = Math.max(0, ...reasons.map(({ value, millibits }) => (value ? millibits / 1000 : 0)));
  const counts = Math.min(1, Math.max(0, (agreement - NEARLY.from) / (NEARLY.to - NEARLY.from)));
  const carried = name?.isNameless ? NAMELESS.bits : most;
  const left = Math.min(certain - (1 - counts) * first, carried);
  const doubt = step(name?.isNameless ? 'name_unknown' : 'name_in_part', [certain, left], {});
  const [only, ...more] = values;
  if (name?.isNameless || !only || more.length > 0) return [...reasons, doubt];
  return reasons.map((one): Reason =>
    one.value === only
      ? { ...one, code: `${only.kind}_in_part`, millibits: one.millibits + doubt.millibits }
      : one,
  );
}

/** Bits that speak against whoever bears the family name of an identity alone: several records make it no slip that the given name is another. */
function attested(
  { nameAgreements: names, identities }: Evidence,
  identity: number,
  { values }: Own,
): number {
  if (names.get(identity)?.sharedHalf !== 'family') return 0;
  const records = identities.get(identity)?.records ?? 1;
  const shares = values.map((value) => agreementWith(value, identity)?.share ?? Infinity);
  return ATTESTED.most * (1 - 1 / Math.max(1, records)) * Math.min(...shares, Infinity) ** -2;
}

interface Found extends Pick<Hypothesis, 'identity' | 'bears' | 'own' | 'reasons'> {
  conflict: Conflict;
}

function concluded({ conflict, ...rest }: Found, scale: ScoreScale): Hypothesis {
  const { bears, own } = rest;
  const { addresses, worst } = conflict;
  const all = [...rest.reasons, ...conflict.reasons];
  const reasons = all.filter(({ code, millibits }) => millibits !== 0 || code === 'start');
  const bits = sum(reasons);
  const points = bounded({ bits, addresses, bears, kinds: own.kinds, worst, scale });
  return { ...rest, reasons, bits, ...points };
}
