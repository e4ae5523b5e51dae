// Contents of the form, and the request that is made of them.
export const EMPTY_ADDRESS = { street: '', street2: '', city: '', state: '', zip: '', country: '' };
export type AddressFields = typeof EMPTY_ADDRESS;

/** Body of a check, as the form makes it. */
export interface CheckRequest {
  name: string;
  emails?: string[];
  phones?: string[];
  addresses?: Partial<AddressFields>[];
  intent?: string;
  include_trust_enhancement?: boolean;
  include_fraud_detection?: boolean;
  include_name_matching?: boolean;
}

/** Amount of AI explanation that the form requests: none, the narrative, or all selected features. */
export type AiExplanationLevel = 'none' | 'narrative' | 'all';

export interface CheckForm {
  name: string;
  emails: string[];
  phones: string[];
  addresses: AddressFields[];
  intent: string;
  explanation: AiExplanationLevel;
  include_trust_enhancement: boolean;
  include_fraud_detection: boolean;
  include_name_matching: boolean;
}

export const EMPTY_FORM: CheckForm = {
  name: '',
  emails: [''],
  phones: [''],
  addresses: [EMPTY_ADDRESS],
  intent: 'general',
  explanation: 'all',
  include_trust_enhancement: true,
  include_fraud_detection: true,
  include_name_matching: true,
};

/** Names of the lists in the form and in the request. */
export type ValueListName = 'emails' | 'phones' | 'addresses';

/** Most e-mails, phones or addresses in one request. */
export const MOST_VALUES_PER_KIND = 5;

/** Returns name and lists of a request for the form. A list without values gets one empty value. */
export const toFormValues = ({
  name,
  emails = [],
  phones = [],
  addresses = [],
}: Pick<CheckRequest, 'name' | ValueListName>): Pick<CheckForm, 'name' | ValueListName> => ({
  name,
  emails: orOneEmpty(emails, ''),
  phones: orOneEmpty(phones, ''),
  addresses: orOneEmpty(
    addresses.map((address) => ({ ...EMPTY_ADDRESS, ...address })),
    EMPTY_ADDRESS,
  ),
});

const orOneEmpty = <T>(values: T[], empty: T): T[] => (values.length > 0 ? values : [empty]);

export interface SentRequest {
  path: string;
  body: CheckRequest;
  /** For each list of the body, the index in the form of each value. Errors of the server about a value are shown at that index. */
  places: Record<ValueListName, number[]>;
}

/** Returns the request of a form without the fields that are empty. */
export function toRequest(form: CheckForm): SentRequest {
  const emails = dropEmpty(form.emails, isFilled);
  const phones = dropEmpty(form.phones, isFilled);
  const addresses = dropEmpty(form.addresses, (address) => Object.values(address).some(isFilled));
  const body: CheckRequest = { name: form.name.trim() };
  if (emails.values.length > 0) body.emails = emails.values;
  if (phones.values.length > 0) body.phones = phones.values;
  if (addresses.values.length > 0) body.addresses = addresses.values.map(withoutEmptyFields);
  if (form.intent !== 'general') body.intent = form.intent;
  if (form.explanation === 'all') {
    if (!form.include_trust_enhancement) body.include_trust_enhancement = false;
    if (!form.include_fraud_detection) body.include_fraud_detection = false;
    if (!form.include_name_matching) body.include_name_matching = false;
  }
  const paths = { none: '/v1/validate', narrative: '/v1/validate?ai=true', all: '/v1/validate/enhanced' };
  return {
    path: paths[form.explanation],
    body,
    places: { emails: emails.places, phones: phones.places, addresses: addresses.places },
  };
}

const isFilled = (text: string) => text.trim() !== '';

function dropEmpty<T>(values: T[], keep: (value: T) => boolean): { values: T[]; places: number[] } {
  const places = values.flatMap((value, place) => (keep(value) ? [place] : []));
  return { values: values.filter(keep), places };
}

const withoutEmptyFields = (address: AddressFields): Partial<AddressFields> =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => isFilled(text)));
