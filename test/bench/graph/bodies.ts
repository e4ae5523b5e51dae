// Requests about the people of a file of records.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseClaim } from '../../../src/claim/parse.ts';
import { Random } from '../../../src/generate/random.ts';

interface Raw {
  name?: string | Record<string, string>;
  emails?: string[];
  phones?: string[];
  addresses?: object[];
}

const BODIES = 300;
/** Records from which requests are made. */
const MOST_KEPT = 20_000;
/** Values of each kind in requests with many values. */
const MOST = 5;

interface Known {
  /** Records with a name and a value of each kind. */
  whole: Raw[];
  /** The most shared values of each kind, and the most shared name. */
  shared: { name: string; emails: string[]; phones: string[]; addresses: object[] };
}

/** Returns requests of four and of sixteen values, mostly the person's own or another person's, and one request with very common values. */
export async function bodiesFrom(file: string): Promise<Record<'four' | 'sixteen' | 'hostile', object[]>> {
  const { whole, shared } = await knownOf(file);
  const random = new Random(1, 11, 0);
  const pick = () => whole[random.int(whole.length)] ?? {};
  const people = Array.from({ length: BODIES }, pick);
  const others = (own: Raw) => [own, ...Array.from({ length: 2 * MOST }, pick)];
  const some = <T>(values: T[]) => values.slice(0, MOST);
  return {
    four: people.map((it) => ({
      name: nameOf(it),
      emails: it.emails?.slice(0, 1),
      phones: it.phones?.slice(0, 1),
      addresses: it.addresses?.slice(0, 1),
    })),
    sixteen: people.map((it) => {
      const all = others(it);
      return {
        name: nameOf(it),
        emails: some([...new Set(all.flatMap(({ emails = [] }) => emails))]),
        phones: some([...new Set(all.flatMap(({ phones = [] }) => phones))]),
        addresses: some(all.flatMap(({ addresses = [] }) => addresses)),
      };
    }),
    hostile: Array.from({ length: BODIES }, () => shared),
  };
}

/** Returns true if the API accepts the value, because records may contain values that a request may not. */
function isRequest(value: Record<string, unknown>): boolean {
  try {
    parseClaim({ value, issues: [] }, 'US');
    return true;
  } catch {
    return false;
  }
}

const asked = (it: Raw) => ({
  name: nameOf(it),
  emails: it.emails,
  phones: it.phones,
  addresses: it.addresses,
});

const nameOf = ({ name = '' }: Raw): string =>
  typeof name === 'string' ? name : [name.given, name.middle, name.family].filter(Boolean).join(' ');

function usable<T>(values: T[], asked: (value: T) => object): T[] {
  const found: T[] = [];
  for (const value of values) {
    if (found.length === MOST) break;
    if (isRequest({ name: 'Ann Doe', ...asked(value) })) found.push(value);
  }
  return found;
}

async function knownOf(file: string): Promise<Known> {
  const whole: Raw[] = [];
  const counts = {
    name: new Map<string, number>(),
    emails: new Map<string, number>(),
    phones: new Map<string, number>(),
    addresses: new Map<string, number>(),
  };
  const count = (of: Map<string, number>, value: string) => of.set(value, (of.get(value) ?? 0) + 1);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const raw = JSON.parse(line) as Raw;
    const has = raw.name && raw.emails?.length && raw.phones?.length && raw.addresses?.length;
    if (has && whole.length < MOST_KEPT && isRequest(asked(raw))) whole.push(raw);
    if (raw.name) count(counts.name, nameOf(raw));
    for (const kind of ['emails', 'phones'] as const)
      for (const value of raw[kind] ?? []) count(counts[kind], value);
    for (const value of raw.addresses ?? []) count(counts.addresses, JSON.stringify(value));
  }
  const top = (of: Map<string, number>) => [...of].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const shared = {
    name: top(counts.name)[0] ?? '',
    emails: usable(top(counts.emails), (email) => ({ emails: [email] })),
    phones: usable(top(counts.phones), (phone) => ({ phones: [phone] })),
    addresses: usable(
      top(counts.addresses).map((text) => JSON.parse(text) as object),
      (address) => ({ addresses: [address] }),
    ),
  };
  return { whole, shared };
}
