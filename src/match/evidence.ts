import type { Agreement, ContactEvidence, Evidence, Form, Identity, Kind, NameAgreement } from '../model.ts';
import { comparePrepared, nameParts, prepareName, type PreparedName } from './name/index.ts';

export interface MatchInput {
  name: PreparedName;
  /** Kind and forms of each submitted contact value, in the order that was asked of the graph. */
  contacts: { kind: Kind; forms: Form[] }[];
  answer: {
    total: number;
    values: Agreement[][];
    name: { bearers: number };
    identities: Map<number, Identity>;
  };
}

/** Compares what was submitted with what the graph answered: value by value, and the name with every identity's names. No weights here. */
export function gatherEvidence({ name, contacts, answer }: MatchInput): Evidence {
  const names = new Map<number, NameAgreement>();
  for (const identity of answer.identities.values()) names.set(identity.id, agreeName(name, identity));
  const seen = new Set<string>();
  const evidence = contacts.map(({ kind, forms }, i): ContactEvidence => {
    const exact = forms[0] ? `${kind} ${forms[0].text}` : '';
    const repeats = exact !== '' && seen.has(exact);
    seen.add(exact);
    return { kind, agreements: answer.values[i], repeats };
  });
  return {
    total: answer.total,
    bearers: answer.name.bearers,
    names,
    identities: answer.identities,
    contacts: evidence,
  };
}

/** The best agreement of the submitted name with any of the identity's names; of equals the primary name's. */
export function agreeName(name: PreparedName, identity: Identity): NameAgreement {
  let best: NameAgreement = {
    same: false,
    primary: false,
    confidence: 0,
    variation: 'no_match',
    givenSame: false,
    nameless: identity.names.length === 0,
  };
  let givenSame = false;
  identity.names.forEach((text, i) => {
    const other = prepareName(text);
    const { confidence, same, variation } = comparePrepared(name, other);
    if (!same && sameGiven(name, other)) givenSame = true;
    const better = same === best.same ? confidence > best.confidence : same;
    if (i === 0 || better) best = { ...best, same, confidence, variation, primary: i === 0 };
  });
  return { ...best, givenSame: !best.same && givenSame };
}

function sameGiven(a: PreparedName, b: PreparedName): boolean {
  const [one, two] = [nameParts(a).given[0], nameParts(b).given[0]];
  return one !== undefined && one.length > 1 && one === two;
}
