// What the form holds, and the request that it stands for.
export interface Address {
  street?: string;
  street2?: string;
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
}

export interface CheckRequest {
  name: string;
  emails?: string[];
  phones?: string[];
  addresses?: Address[];
  intent?: string;
  operation?: string;
  include_trust_enhancement?: boolean;
  include_fraud_detection?: boolean;
  include_name_matching?: boolean;
}

export type Explained = 'score' | 'narrative' | 'enhanced';

export interface Draft {
  name: string;
  emails: string[];
  phones: string[];
  addresses: Required<Address>[];
  intent: string;
  explained: Explained;
  trust: boolean;
  fraud: boolean;
  names: boolean;
}

export const NO_ADDRESS: Required<Address> = {
  street: '',
  street2: '',
  city: '',
  state: '',
  zip: '',
  country: '',
};

export const EMPTY: Draft = {
  name: '',
  emails: [''],
  phones: [''],
  addresses: [NO_ADDRESS],
  intent: 'general',
  explained: 'enhanced',
  trust: true,
  fraud: true,
  names: true,
};

export const MOST = 5;

/** A draft of a request, with what was chosen besides. */
export const draftOf = (request: CheckRequest, before: Draft): Draft => ({
  ...before,
  name: request.name,
  emails: orOne(request.emails, ''),
  phones: orOne(request.phones, ''),
  addresses: orOne(
    request.addresses?.map((address) => ({ ...NO_ADDRESS, ...address })),
    NO_ADDRESS,
  ),
  intent: request.intent ?? 'general',
});

const orOne = <T>(values: T[] | undefined, none: T): T[] => (values && values.length > 0 ? values : [none]);

export interface Asked {
  path: string;
  body: CheckRequest;
  /** Where each value of a list stood in the form: what the server says of a value is shown beside it. */
  places: Record<'emails' | 'phones' | 'addresses', number[]>;
}

/** The request of a draft: what is empty is left out. */
export function requestOf(draft: Draft): Asked {
  const emails = filled(draft.emails, (text) => text.trim() !== '');
  const phones = filled(draft.phones, (text) => text.trim() !== '');
  const addresses = filled(draft.addresses, (address) =>
    Object.values(address).some((part) => part.trim() !== ''),
  );
  const body: CheckRequest = { name: draft.name.trim() };
  if (emails.values.length > 0) body.emails = emails.values;
  if (phones.values.length > 0) body.phones = phones.values;
  if (addresses.values.length > 0) body.addresses = addresses.values.map(withoutEmpty);
  if (draft.intent !== 'general') body.intent = draft.intent;
  if (draft.explained === 'enhanced') {
    if (!draft.trust) body.include_trust_enhancement = false;
    if (!draft.fraud) body.include_fraud_detection = false;
    if (!draft.names) body.include_name_matching = false;
  }
  const path = {
    score: '/v1/validate',
    narrative: '/v1/validate?ai=true',
    enhanced: '/v1/validate/enhanced',
  }[draft.explained];
  return {
    path,
    body,
    places: { emails: emails.places, phones: phones.places, addresses: addresses.places },
  };
}

function filled<T>(values: T[], isFilled: (value: T) => boolean): { values: T[]; places: number[] } {
  const places = values.flatMap((value, i) => (isFilled(value) ? [i] : []));
  return { values: values.filter(isFilled), places };
}

const withoutEmpty = (address: Address): Address =>
  Object.fromEntries(Object.entries(address).filter(([, part]) => part.trim() !== ''));
