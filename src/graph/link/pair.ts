import { birthEvidence } from './births.ts';
import { contactEvidence } from './contacts.ts';
import {
  type LinkContext,
  type LinkEvidence,
  type PairVerdict,
  RECORDS_PER_PERSON,
  round,
} from './evidence.ts';
import { nameEvidence } from './names.ts';
import { type LinkRecord, personKey } from './record.ts';

/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export const LINK_BITS = 3;
/** The most that a name and an address can say together: at one address in some fifty live two people of one name. */
const NAMESAKE_MOST = 5.5;

/** Compares two records: a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export function comparePair(one: LinkRecord, two: LinkRecord, context: LinkContext): PairVerdict {
  // Always the same way round: the partition must not depend on the order of import.
  const [a, b] = one.key < two.key ? [one, two] : [two, one];
  if (a.label !== null && b.label !== null) {
    const one = a.label === b.label;
    const what = one
      ? 'both records carry the same identity label'
      : 'the records carry different identity labels';
    return {
      bits: one ? 1000 : -1000,
      evidence: [{ code: 'label', what, bits: one ? 1000 : -1000 }],
      conflict: !one,
    };
  }
  const name = nameEvidence(a, b, context);
  const births = birthEvidence(a, b, context.noise);
  const evidence = [...name.evidence, ...births];
  // Differently named as they are, the two count for one among those who share a value: whether they are one is the question.
  const spare = personKey(a) === personKey(b) ? 0 : 1;
  const others: LinkContext = { ...context, sharers: (key) => Math.max(1, context.sharers(key) - spare) };
  for (const kind of ['email', 'phone', 'address'] as const)
    for (const one of contactEvidence(kind, a, b, others))
      evidence.push(one.bits > 0 ? { ...one, bits: round(one.bits * name.credit) } : one);
  const blind = -Math.log2(context.records / RECORDS_PER_PERSON);
  evidence.push({
    code: 'prior',
    what: `two of ${context.records} records picked blindly`,
    bits: round(blind),
  });
  const doubt = namesakeDoubt(evidence);
  if (doubt < 0)
    evidence.push({
      code: 'name',
      what: 'nothing but name and address agree: it may be a namesake of the household',
      bits: doubt,
    });
  const bits = evidence.reduce((sum, one) => sum + one.bits, 0);
  return {
    bits,
    evidence,
    conflict: name.conflict || evidence.some((one) => one.code === 'birth' && one.bits <= -7),
  };
}

/** What name and address say beyond `NAMESAKE_MOST` is taken back, where no e-mail, phone or birth date agrees. */
function namesakeDoubt(evidence: LinkEvidence[]): number {
  const own = (code: LinkEvidence['code']) => code === 'email' || code === 'phone' || code === 'birth';
  if (evidence.some(({ code, bits }) => own(code) && bits > 0)) return 0;
  const said = evidence.filter(({ code }) => !own(code)).reduce((sum, { bits }) => sum + bits, 0);
  return round(Math.min(0, NAMESAKE_MOST - said));
}
