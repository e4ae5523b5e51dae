import type { Evidence, NameAgreement } from '../model.ts';
import { type Bound, bounded } from './bounds.ts';
import { type Conflict, conflictInPart, conflictWith, conflictWithNobody } from './evidence/conflict.ts';
import { both, nameBits } from './evidence/curves.ts';
import { historyGain, nameGain, type Own, ownOf } from './evidence/own.ts';
import { type Reason, type ReasonCode, reason, sum } from './reason.ts';
import { type Value, valuesOf } from './evidence/values.ts';
import { IN_PART, NAMELESS, START } from './weights.ts';

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
export function weigh(evidence: Evidence, values = valuesOf(evidence)): Hypothesis {
  const bearers: number[] = [];
  for (const [id, name] of evidence.names) if (name.same) bearers.push(id);
  const all = bearers.length > 0 ? bearers.map((id) => hypothesis(evidence, values, id)) : [nobody(values)];
  if (bearers.length === 0)
    for (const id of doubtful(evidence, values)) all.push(hypothesis(evidence, values, id));
  return all.reduce((best, one) => (better(one, best) ? one : best));
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
function doubtful({ names }: Evidence, values: readonly Value[]): Set<number> {
  const found = new Set<number>();
  for (const { agreements } of values)
    for (const { identity } of agreements) {
      const name = names.get(identity);
      if (name && (name.nameless || name.agreement >= IN_PART)) found.add(identity);
    }
  return found;
}

const NOTHING: Own = { reasons: [], values: [], kinds: [] };

function nobody(values: readonly Value[]): Hypothesis {
  const conflict = conflictWithNobody(values);
  const reasons = [reason('start', START), ...conflict.reasons];
  return concluded({
    identity: null,
    bears: false,
    own: NOTHING,
    conflict,
    certain: sum(reasons),
    carried: Infinity,
    reasons,
  });
}

function hypothesis(evidence: Evidence, values: readonly Value[], identity: number): Hypothesis {
  const name = evidence.names.get(identity);
  const bears = name?.same ?? false;
  const own = ownOf(values, identity);
  const support = own.kinds.reduce((all, one) => all + one, 0);
  const conflict = (bears ? conflictWith : conflictInPart)(values, identity, support);
  const reasons = [reason('start', START)];
  if (bears) reasons.push(reason('name_borne', nameGain(evidence)));
  reasons.push(...own.reasons);
  if (own.values.length > 0) reasons.push(reason('history', historyGain(evidence, identity)));
  reasons.push(...conflict.reasons);
  return concluded({ identity, bears, own, conflict, ...withDoubt(reasons, name, own) });
}

/**
 * A name carries only so much, however much the contacts say: whoever knows a person's contacts may still bear another name. One contact
 * of somebody who bears but part of the name is one reason with it, since it speaks against as much as for.
 */
function withDoubt(reasons: Reason[], name: NameAgreement | undefined, own: Own): Doubted {
  const carried = name?.nameless ? NAMELESS.bits : nameBits(name?.agreement ?? 0);
  const certain = sum(reasons);
  const doubt = reason(doubtCode(name), both(certain, carried) - certain);
  const [only, ...more] = own.values;
  if (name?.same || name?.nameless || !only || more.length > 0)
    return { certain, carried, reasons: [...reasons, doubt] };
  const one = reasons.map((one): Reason =>
    one.value === only
      ? { ...one, code: `${only.kind}_in_part`, millibits: one.millibits + doubt.millibits }
      : one,
  );
  return { certain, carried, reasons: one };
}

interface Doubted {
  reasons: Reason[];
  /** Bits of all but the doubt of the name, and what the name can carry. */
  certain: number;
  carried: number;
}

function doubtCode(name: NameAgreement | undefined): ReasonCode {
  if (name?.nameless) return 'name_unknown';
  return name?.same ? 'name_varies' : 'name_in_part';
}

interface Found extends Pick<Hypothesis, 'identity' | 'bears' | 'own'>, Doubted {
  conflict: Conflict;
}

function concluded({ conflict, certain, carried, ...rest }: Found): Hypothesis {
  const { bears, own } = rest;
  const reasons = rest.reasons.filter(({ code, millibits }) => millibits !== 0 || code === 'start');
  const bits = sum(reasons);
  const { addresses, worst } = conflict;
  const others = -sum(conflict.reasons) - addresses;
  const points = bounded({ bits, certain, carried, addresses, others, bears, kinds: own.kinds, worst });
  return { ...rest, reasons, bits, ...points };
}
