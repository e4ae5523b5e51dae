// What the submitted contacts say whoever is the person: worked out once for all hypotheses.
import type { Agreement, Evidence, Kind } from '../model.ts';
import { agreementWeight, toWeight, type Weight } from './bits.ts';
import { otherName } from './name.ts';
import { ESTABLISHED, HOUSEHOLD_SHARE, NAMESAKES } from './weights.ts';

interface WeighedAgreement extends Agreement {
  weight: Weight;
}

export interface WeighedContact {
  kind: Kind;
  agreements: WeighedAgreement[];
  strongest: Weight;
  /** 0-1: how surely everybody it belongs to bears another name. */
  doubt: number;
  /** It splits nothing: it belongs to somebody who bears the name, a rare one (see `NAMESAKES`), or says too little. */
  fragment: boolean;
}

/** Every contact that has a record and does not repeat another one. */
export function weighContacts(evidence: Evidence): WeighedContact[] {
  const weighed: WeighedContact[] = [];
  for (const { kind, agreements, repeats } of evidence.contacts)
    if (!repeats && agreements.length > 0) weighed.push(weighContact(kind, agreements, evidence));
  return weighed;
}

function weighContact(kind: Kind, agreements: Agreement[], { names, bearers }: Evidence): WeighedContact {
  const weighed = agreements.map((one) => weighAgreement(one));
  let strongest = 0;
  let doubt = 1;
  let borne = false;
  // A street that names no town is found in many: who lives at another one says nothing about the name.
  let vague = true;
  for (const { identity, type, weight } of weighed) {
    const name = names.get(identity);
    strongest = Math.max(strongest, weight);
    doubt = Math.min(doubt, otherName(name));
    borne ||= name?.same ?? false;
    vague &&= type === 'street';
  }
  const fragment = vague || (borne && bearers <= NAMESAKES);
  return { kind, agreements: weighed, strongest, doubt: vague ? 0 : doubt, fragment };
}

// Written out: of what a busy check allocates, spreading these would be the most.
function weighAgreement(agreement: Agreement): WeighedAgreement {
  const { identity, type, primary, share } = agreement;
  return { identity, type, primary, share, weight: agreementWeight(agreement) };
}

/** A contact's agreement with an identity. */
export function agreementWith(
  { agreements }: WeighedContact,
  identity: number | null,
): WeighedAgreement | undefined {
  for (const one of agreements) if (one.identity === identity) return one;
  return undefined;
}

const ESTABLISHED_WEIGHT = toWeight(ESTABLISHED);

/**
 * Who may be the person. A shared address makes nobody the person: without the name, an identity needs a contact that is nearly its own.
 */
export function candidates({ names }: Evidence, contacts: WeighedContact[]): Set<number> {
  const found = new Set<number>();
  for (const { agreements } of contacts)
    for (const { identity, weight } of agreements)
      if (weight >= ESTABLISHED_WEIGHT || names.get(identity)?.givenSame) found.add(identity);
  names.forEach((name, id) => {
    if (name.same) found.add(id);
  });
  return found;
}

/** Do an owner of this value and the identity have another submitted value in common, one that few share? */
export function sharesHousehold(
  contacts: WeighedContact[],
  value: WeighedContact,
  identity: number | null,
): boolean {
  for (const contact of contacts) {
    const own = agreementWith(contact, identity);
    if (!own || own.share > HOUSEHOLD_SHARE) continue;
    if (contact.agreements.some((one) => agreementWith(value, one.identity) !== undefined)) return true;
  }
  return false;
}
