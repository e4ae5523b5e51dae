// One labelled request: what is sent, and whether name and values are known to belong to one person.

/** What a case counts as; `apart` is reported by itself, for no check could tell. */
export type Role = 'genuine' | 'not_genuine' | 'apart';

export interface Case {
  /** What its file calls it, or `line 7`. */
  id: string;
  line: number;
  role: Role;
  kind: string;
  subkind: string | null;
  /** Where the name comes from, and the country, where the file tells. */
  origin: string | null;
  country: string | null;
  /** The body that is checked. */
  request: Record<string, unknown>;
}

const ROLES: Record<string, Role> = {
  genuine: 'genuine',
  partial: 'genuine',
  chimera: 'not_genuine',
  impostor: 'not_genuine',
  nameless: 'not_genuine',
  newcomer: 'apart',
  unknown: 'apart',
  name_only: 'apart',
};
/** A member of the victim's household, or somebody who sends what the victim would send, if with values of nobody. */
const UNTELLABLE = /^chimera\/household$|^impostor\/.+_(?:alone|own_unknown)$/;

export const LABELS = ['case_id', 'id', 'kind', 'subkind', 'genuine', 'origin', 'country'];
const LISTS: Record<string, string> = { email: 'emails', phone: 'phones', address: 'addresses' };
const WORD = /^[\p{L}\p{N}_][\p{L}\p{N} _./-]{0,39}$/u;
const YES = new Set<unknown>([true, 1, 'yes', 'y', 'true', '1']);
const NO = new Set<unknown>([false, 0, 'no', 'n', 'false', '0']);

/**
 * A line of a file of cases: `{ kind, request, … }`, or a request with `genuine` beside its fields. Gives the case, or what the line
 * lacks, as a sentence that repeats no value.
 */
export function readCase(value: Record<string, unknown>, line: number): Case | string {
  const request = requestOf(value);
  if (request === null) return '`request` must be an object.';
  if (!('name' in request) && !('nameAddresses' in request)) return 'It has no `name`.';
  for (const label of ['kind', 'subkind', 'origin', 'country'])
    if (wordOf(value[label]) === undefined) return `\`${label}\` must be a short word.`;
  const kind = wordOf(value.kind) ?? null;
  const subkind = wordOf(value.subkind) ?? null;
  const role = roleOf(kind, subkind, value.genuine);
  if (typeof role === 'object') return role.problem;
  const [origin, country] = [wordOf(value.origin) ?? null, wordOf(value.country) ?? null];
  return { id: idOf(value, line), line, role, kind: kind ?? role, subkind, origin, country, request };
}

/** What is no label goes with the request, so that a misspelt field is told and not passed over. */
function requestOf(value: Record<string, unknown>): Record<string, unknown> | null {
  const { request } = value;
  if (request !== undefined) return isObject(request) ? request : null;
  const fields = Object.entries(value).filter(([field]) => !LABELS.includes(field));
  return Object.fromEntries(
    fields.map(([field, one]) => {
      const list = LISTS[field];
      return list === undefined
        ? [field, one]
        : [list, [one].flat().map(field === 'address' ? addressOf : same)];
    }),
  );
}

const same = (one: unknown) => one;
const addressOf = (one: unknown) => (typeof one === 'string' ? { street: one } : one);

function roleOf(kind: string | null, subkind: string | null, sent: unknown): Role | { problem: string } {
  const said = typeof sent === 'string' ? sent.trim().toLowerCase() : sent;
  const genuine = YES.has(said) ? true : NO.has(said) ? false : (said ?? null);
  if (typeof genuine !== 'boolean' && genuine !== null) return { problem: '`genuine` must be yes or no.' };
  const known = kind === null ? undefined : ROLES[kind];
  if (known === undefined) {
    if (sent === undefined)
      return { problem: `It has no \`genuine\` (yes or no), and no \`kind\` of ${KINDS}.` };
    return genuine === null ? 'apart' : genuine ? 'genuine' : 'not_genuine';
  }
  if (UNTELLABLE.test(`${kind}/${subkind}`)) return 'apart';
  if (genuine !== null && known !== 'apart' && genuine !== (known === 'genuine'))
    return { problem: '`kind` and `genuine` disagree.' };
  return known;
}

const KINDS = Object.keys(ROLES).join(', ');

/** A label, null where there is none, undefined where it is no short word and may hold anything. */
function wordOf(label: unknown): string | null | undefined {
  if (label === undefined || label === null || label === '') return null;
  return typeof label === 'string' && WORD.test(label) ? label : undefined;
}

/** An id that may be somebody's e-mail or phone is not shown. */
function idOf({ case_id, id = case_id }: Record<string, unknown>, line: number): string {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && /^[\w.:-]{1,64}$/.test(text) && !/^[\d.-]{7,}$/.test(text)
    ? text
    : `line ${line}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
