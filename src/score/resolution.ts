// What each submitted value resolved to, once it is known who is likeliest the person.
import type { Agreement, Evidence, Resolution } from '../model.ts';
import { agreementWeight } from './bits.ts';
import type { Hypothesis } from './weigh.ts';

type Ranked = readonly [Hypothesis, ...Hypothesis[]];

/** A contact's status: of the likeliest person, of the best corroborated of the others it belongs to, or on no record. */
export function resolveContact(agreements: Agreement[], ranked: Ranked): Resolution {
  const [best] = ranked;
  const own = agreements.find((one) => one.identity === best.identity);
  if (own) return { status: own.primary ? 'primary' : 'secondary', identity: own.identity };
  const [first, ...others] = agreements;
  if (first === undefined) return { status: 'unverified', identity: null };
  const rank = ({ identity }: Agreement) => {
    const at = ranked.findIndex((one) => one.identity === identity);
    return at < 0 ? ranked.length : at;
  };
  const before = (a: Agreement, b: Agreement) =>
    rank(a) - rank(b) || agreementWeight(b) - agreementWeight(a) || a.identity - b.identity;
  const strongest = others.reduce((a, b) => (before(a, b) > 0 ? b : a), first);
  return { status: 'different', identity: strongest.identity };
}

/** The name's status: borne by the likeliest person, by the next one in rank that bears it, or by nobody. */
export function resolveName({ names }: Evidence, ranked: Ranked): Resolution {
  for (const { identity } of ranked) {
    const name = identity === null ? undefined : names.get(identity);
    if (!name?.same) continue;
    if (identity !== ranked[0].identity) return { status: 'different', identity };
    return { status: name.primary ? 'primary' : 'secondary', identity };
  }
  return { status: 'unverified', identity: null };
}
