import type { Kind } from '../../model.ts';
import { toBits } from '../bits.ts';
import type { Reason } from '../weigh.ts';
import { type TextFacts, yearsOnRecord } from './facts.ts';
import { LABEL, plural } from './words.ts';

/** A sentence for each reason, with its weight in bits: from the same pass that gave the score. */
export function reasonTexts(facts: TextFacts): string[] {
  return facts.best.reasons
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .map(({ code, weight }) => `${signed(toBits(weight))} bits: ${because(code, facts)}`);
}

function because(code: Reason['code'], facts: TextFacts): string {
  const { best, evidence } = facts;
  switch (code) {
    case 'name':
      return `identity ${best.identity} bears the name, as ${Math.max(1, evidence.bearers)} of ${evidence.total} do`;
    case 'history':
      return `the records of identity ${best.identity} span ${plural(yearsOnRecord(facts) ?? 0, 'year')}`;
    case 'conflicting':
      return 'a contact belongs to somebody who does not bear the name';
    case 'split':
      return best.identity === null
        ? 'contacts belong to other people'
        : `contacts belong to others than identity ${best.identity}`;
    default:
      return `${belonging(code, facts)} to identity ${best.identity}`;
  }
}

/** "the phone belongs", or "2 phones belong". */
function belonging(wanted: Kind, { best, evidence }: TextFacts): string {
  const [one, many] = LABEL[wanted];
  const own = evidence.contacts.filter(
    ({ kind, agreements }) =>
      kind === wanted && agreements.some(({ identity }) => identity === best.identity),
  );
  return own.length === 1 ? `the ${one} belongs` : `${own.length} ${many} belong`;
}

function signed(bits: number): string {
  return `${bits < 0 ? '-' : '+'}${Math.abs(bits).toFixed(2)}`;
}
