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
import { sameAddress } from './likeness.ts';
import { NO_NOISE, type Noise, TWINS } from './noise.ts';
import { type LinkRecord, personKey } from './record.ts';
import { bothRecur } from './sighting.ts';

/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export const LINK_BITS = 3;
/** The most that a name and an address can say together: at one address in some fifty live two people of one name. */
const NAMESAKE_MOST = 5.5;

/** What an address in common and the prior come to where nothing has been measured: log2 of the odds that it is one person's. */
const HOME_ODDS = -2;

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
  const noise = bothRecur(a, b, context) ? NO_NOISE : context.noise;
  const births = birthEvidence(a, b, noise);
  const name = nameEvidence(
    a,
    b,
    { ...context, noise },
    births.some(({ bits }) => bits > 0),
  );
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
  const home = sameAddress(a, b) ? homeEvidence(evidence, noise) : [];
  evidence.push(...home);
  const doubt = namesakeDoubt(evidence, home[0]?.bits ?? 0);
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

/**
 * What an address in common says where it has been measured how often it means one person; and that at one address an equal birth date
 * may be a twin's, which the birth dates' own weight leaves aside.
 */
function homeEvidence(evidence: LinkEvidence[], { address }: Noise): LinkEvidence[] {
  if (address === null) return [];
  const what = `of the pairs here that share an address ${Math.round(address * 100)} % are one person's`;
  const home: LinkEvidence[] = [
    { code: 'address', what, bits: round(Math.max(0, Math.log2(address / (1 - address)) - HOME_ODDS)) },
  ];
  const bits = (code: LinkEvidence['code']) => evidence.find((one) => one.code === code)?.bits ?? 0;
  const twins = round(-Math.log2(TWINS) - bits('birth'));
  if (bits('name') < 0 && twins < 0)
    home.push({ code: 'birth', what: 'at one address they may be twins', bits: twins });
  return home;
}

/**
 * What name and address say beyond `NAMESAKE_MOST` is taken back, where no e-mail, phone or birth date agrees.
 * @param measured what has been measured of addresses, in bits: it raises the limit
 */
function namesakeDoubt(evidence: LinkEvidence[], measured: number): number {
  const own = (code: LinkEvidence['code']) => code === 'email' || code === 'phone' || code === 'birth';
  if (evidence.some(({ code, bits }) => own(code) && bits > 0)) return 0;
  const said = evidence.filter(({ code }) => !own(code)).reduce((sum, { bits }) => sum + bits, 0);
  return round(Math.min(0, NAMESAKE_MOST + measured - said));
}
