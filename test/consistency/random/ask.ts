// Calls the whole service over HTTP without a port, on a graph of given records in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importRecords } from '../../../src/import.ts';
import { openLog } from '../../../src/observe/log.ts';
import { createKey } from '../../../src/store/keys.ts';
import type { Answer2, Answers } from '../agreement.ts';
import type { Answer, Body, Kind } from '../answer.ts';
import type { Known, Knowledge } from '../story.ts';
import type { World } from './world.ts';

export type Path =
  | '/v1/validate'
  | '/v1/validate?ai=true'
  | '/v1/validate?response=v2'
  | '/v1/validate/enhanced';

export interface Service {
  /**
   * Returns the answer to a body in either shape. Throws an error with status and problem code for other
   * responses.
   */
  ask<T = Answer>(path: Path, body: object): Promise<T>;
  close(): Promise<void>;
}

/** Calls with one key. The fraud analysis reads the key's earlier calls, so few calls keep it fast. */
const CALLS_A_KEY = 40;

/** Opens a service on a graph of records. Closing it removes its folder. */
export async function openService(
  records: readonly object[],
  { callsAKey = CALLS_A_KEY } = {},
): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-consistency-'));
  const graph = openSqliteGraph({ dataDir: folder });
  const lines = records.map((one) => JSON.stringify(one)).join('\n');
  await importRecords({
    graph,
    inputs: [{ name: 'world', stream: Readable.from([Buffer.from(lines)]), bytes: null }],
    region: 'US',
  });
  await graph.close();
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
  const app = await openApp(config, openLog('silent'));
  const newKey = (): string =>
    createKey(app.store, { name: 'test', scopes: ['validate', 'raw'] }, Date.now()).key;
  let key = newKey();
  let calls = 0;
  return {
    ask: async (path, body) => {
      if (++calls % callsAKey === 0) key = newKey();
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const request = new Request(`http://localhost${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const response = await app.http.fetch(request);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
      return JSON.parse(text);
    },
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
];

/** Returns all answers to one request. */
export async function answersTo({ ask }: Service, body: Body): Promise<Answers> {
  const plain = { ...body, operation: 'validate' };
  const [v1, v2, ai, enhanced, raw, ...intents] = await Promise.all([
    ask('/v1/validate', plain),
    ask<Answer2>('/v1/validate?response=v2', plain),
    ask('/v1/validate?ai=true', plain),
    ask('/v1/validate/enhanced', plain),
    ask('/v1/validate', { ...body, operation: 'raw' }),
    ...INTENTS.map((intent) => ask('/v1/validate?ai=true', { ...plain, intent })),
  ]);
  return { v1, v2, ai, enhanced, raw, intents };
}

/** Returns the request in the legacy shape. */
export function legacyOf({ name, emails, phones, addresses = [], ...rest }: Body): object {
  const places = addresses.map(({ street, street2, city, state, zip, country }) => ({
    fullName: name,
    address: {
      line1: [street, street2].filter(Boolean).join(' '),
      ...(city === undefined ? {} : { city }),
      ...(state === undefined ? {} : { region: state }),
      ...(zip === undefined ? {} : { postalCode: zip }),
      ...(country === undefined ? {} : { countryCode: country }),
    },
  }));
  return {
    ...rest,
    nameAddresses: places.length > 0 ? places : [{ fullName: name }],
    ...(emails ? { emailAddresses: emails } : {}),
    ...(phones ? { phoneNumbers: phones } : {}),
  };
}

/**
 * Returns what is known of the people of a world, by the identity number of the service, and of its values.
 */
export async function knowledgeOf({ ask }: Service, { people, records }: World): Promise<Knowledge> {
  const identities = new Map<number, Known>();
  const labels = new Map<number, string>();
  for (const { label, name, emails, phones } of people) {
    const own = records.filter((one) => one.identity === label);
    const answer = await ask('/v1/validate', {
      name: name ?? 'Nobody',
      emails: emails.slice(0, 1),
      phones: phones.slice(0, 1),
    });
    const id = answer.input_validation.email.inputs[0]?.matched_identity;
    if (!id) continue;
    const days = (of: 'first_seen' | 'last_seen') => own.flatMap((one) => one[of] ?? []).toSorted();
    labels.set(id, label);
    identities.set(id, {
      nameless: name === null,
      family: name
        ?.toLowerCase()
        .split(/[\s-]+/)
        .at(-1),
      words: new Set(own.flatMap((one) => (one.name ?? '').toLowerCase().split(/[\s-]+/))),
      names: own.flatMap((one) => one.name ?? []),
      first_seen: days('first_seen')[0] ?? null,
      last_seen: days('last_seen').at(-1) ?? null,
    });
  }
  const held = new Map<string, Set<string>>();
  const seen = new Map<string, number>();
  const newest = Math.max(...records.flatMap(({ last_seen: last }) => (last ? Date.parse(last) : [])));
  for (const { label, emails, phones, addresses } of people)
    for (const key of keysOf({ emails, phones, addresses }))
      held.set(key, (held.get(key) ?? new Set()).add(label));
  for (const { last_seen: last, ...contacts } of records)
    for (const key of keysOf(contacts))
      // A record without a date counts as the newest, as in the score.
      seen.set(key, Math.max(seen.get(key) ?? 0, last === undefined ? newest : Date.parse(last)));
  return {
    identities,
    holders: (kind, input) => held.get(keyOf(kind, input))?.size ?? null,
    unseenYears(kind, input) {
      const last = seen.get(keyOf(kind, input));
      return last === undefined ? null : (newest - last) / (365.25 * 86_400_000);
    },
    holds: (identity, kind, input) => held.get(keyOf(kind, input))?.has(labels.get(identity) ?? '') ?? false,
  };
}

const keysOf = ({
  emails = [],
  phones = [],
  addresses = [],
}: Partial<World['records'][number]>): string[] => [
  ...emails.map((email) => keyOf('email', email)),
  ...phones.map((phone) => keyOf('phone', phone)),
  ...addresses.map((address) => keyOf('address', address)),
];

/** Returns a key that is equal for a value in a record and in a row. */
function keyOf(kind: Kind, value: unknown): string {
  if (kind === 'phone') return `${kind} ${String(value).replace(/\D/g, '').slice(-10)}`;
  if (kind === 'email') return `${kind} ${String(value).trim().toLowerCase()}`;
  const { street, street2, line1 = street, line2 = street2 } = value as Record<string, string | undefined>;
  const text = [line1, line2].filter(Boolean).join(' ').trim();
  return `${kind} ${text.replace(/\s+/g, ' ').toUpperCase()}`;
}
