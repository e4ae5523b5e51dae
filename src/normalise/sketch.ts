import type { Sketch, StandardAddress } from '../model.ts';

/** An e-mail may hide a slip in its letters, never in its digits: bob1@ and bob2@ are two mailboxes. */
export function emailSketch(email: string): Sketch {
  return { kind: 'email', anchor: email.replace(/[^0-9]/g, ''), text: email };
}

/** A street name may hide a slip; house number and place must agree. Null where there is no house number or no place. */
export function addressSketch(address: StandardAddress): Sketch | null {
  const number = /\d+/.exec(address.street)?.[0];
  const place = address.zip.slice(0, 5) || address.city;
  if (!number || !place) return null;
  return { kind: 'address', anchor: `${number}|${place}`, text: address.street.toLowerCase() };
}
