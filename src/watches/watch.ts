// Content of a watch: the encrypted claim (name and contacts to check), the fingerprints of its look-up keys, and its last verdict.
import { createHmac, hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { generateWebhookSecret } from '../accounts/billing/webhook.ts';
import { toGraphQuery } from '../check.ts';
import { deserializeClaim, serializeClaim } from '../claim/parse.ts';
import { createDataCipher } from '../graph/encryption/cipher.ts';
import {
  createFingerprintFunctions,
  createWatchKeyFingerprinter,
  deriveKeyFromSecret,
} from '../graph/encryption/fingerprints.ts';
import type { GraphAnswer } from '../graph/graph.ts';
import type { ScoreBand, Claim, MatchStatus, Verdict } from '../model.ts';
import { listAllWebhookEndpoints, replaceWebhookEndpointSecrets } from '../store/events/endpoints.ts';
import {
  type StoredWatch,
  listWatchesAfter,
  replaceWatchContent,
  toWatchId,
} from '../store/events/watches.ts';
import type { SqlConnection } from '../store/store.ts';

const WATCH_NOTIFY_OPTIONS = ['band', 'score', 'status'] as const;
type WatchNotifyOption = (typeof WATCH_NOTIFY_OPTIONS)[number];

/** Verdict of a watch's last check, as the watch stores it for comparison with the next verdict. */
export interface WatchedVerdict {
  score: number;
  status: ScoreBand;
  /** Match status of the name and of each contact, in the order of the request. */
  statuses: {
    name: MatchStatus;
    emails: MatchStatus[];
    phones: MatchStatus[];
    addresses: MatchStatus[];
  };
  reasons: readonly string[];
}

/** Functions that encrypt, decrypt and fingerprint the content of watches under the secret of a data folder. */
export type WatchCodec = ReturnType<typeof createWatchCodec>;

const DIGEST_BYTES = 12;

/** Compression options for stored claims. The dictionary must not change: claims stored before could no longer be read. */
const COMPRESSION = {
  level: 9,
  dictionary: Buffer.from(
    '@hotmail.com"],"@yahoo.com"],"@outlook.com"],"@gmail.com"],"{"region":"US","name":"","emails":[""],"phones":["+1"],"addresses":[{"street":" Street Road Avenue","street2":"Apt ","city":"","state":"","zip":"","country":"US"}]}',
  ),
};

/** Creates the functions that encrypt, decrypt and fingerprint watches under the secret of a data folder (64 hex characters). */
export function createWatchCodec(secret: string) {
  const cipher = createDataCipher(deriveKeyFromSecret(secret, 'bonafide watches 1').toString('hex'));
  const fingerprints = createFingerprintFunctions(secret);
  const toWatchKey = createWatchKeyFingerprinter(secret);
  const digestKey = deriveKeyFromSecret(secret, 'bonafide watch digests 1');
  return {
    sealClaim: (claim: Claim): Buffer =>
      cipher.encryptBytes(deflateRawSync(serializeClaim(claim), COMPRESSION)),
    /** Decrypts a claim. Errors: damaged_database if it was not encrypted under this secret. */
    openClaim: (sealed: Buffer): Claim =>
      deserializeClaim(inflateRawSync(cipher.decryptBytes(sealed), COMPRESSION).toString()),
    /** Lists the fingerprints of all look-up keys that a check call for the claim would query. */
    listKeys(claim: Claim): number[] {
      const { nameKeys, values } = toGraphQuery(claim).query;
      const keys = new Set(nameKeys.map((text) => fingerprints.of('name', text)));
      for (const value of values)
        for (const { type, text } of value.keys) keys.add(fingerprints.of(type, text));
      return Array.from(keys, toWatchKey);
    },
    /**
     * Returns a keyed hash of the records in a graph's answer, by which a later check finds that they changed. Counts of the whole graph are not
     * included.
     */
    digestAnswer: (answer: GraphAnswer): Buffer =>
      createHmac('sha256', digestKey).update(describeRecords(answer)).digest().subarray(0, DIGEST_BYTES),
    toNumber: (requestId: string): number =>
      Number.parseInt(hash('sha256', `${digestKey.toString('hex')}${requestId}`).slice(0, 13), 16),
    sealText: (text: string): Buffer => cipher.encrypt(text),
    openText: (sealed: Buffer): string => cipher.decrypt(sealed),
    /** True if a claim or a text was encrypted under this secret. */
    canOpen(sealed: Buffer): boolean {
      try {
        cipher.decryptBytes(sealed);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Serializes the records in a graph's answer. Leaves out counts of the whole graph, because they change often. */
function describeRecords({ values, name, identities }: GraphAnswer): string {
  return JSON.stringify([
    values.map((agreements) =>
      agreements.map(({ identity, type, primary, firstSeen, lastSeen, contactLastSeen }) => [
        identity,
        type,
        primary,
        firstSeen,
        lastSeen,
        // Left out if unknown, so that watches of an older version of Bonafide stay unchanged.
        ...(contactLastSeen === undefined ? [] : [contactLastSeen]),
      ]),
    ),
    name.identities,
    name.given,
    name.differentPeople ?? [],
    name.housemates ?? [],
    [...identities.values()].map(({ id, names, firstSeen, lastSeen, records, sources }) => [
      id,
      names,
      firstSeen,
      lastSeen,
      records,
      sources,
    ]),
  ]);
}

/** Reduces a verdict to the fields that a watch stores. */
export function toWatchedVerdict({ name, contacts, score, reasonCodes }: Verdict): WatchedVerdict {
  const list = (wanted: string) => contacts.filter(({ kind }) => kind === wanted).map(({ status }) => status);
  return {
    score: score.value,
    status: score.band,
    statuses: {
      name: name.status,
      emails: list('email'),
      phones: list('phone'),
      addresses: list('address'),
    },
    reasons: reasonCodes,
  };
}

/**
 * Creates the secret with which messages to a webhook endpoint are signed. Returns it as text, and encrypted under `secret`, that of the data folder
 * (64 hex characters).
 */
export function createAndEncryptWebhookEndpointSecret(secret: string): { text: string; sealed: Buffer } {
  const text = generateWebhookSecret();
  return { text, sealed: createWatchCodec(secret).sealText(text) };
}

/** True if the settings of the watch (`notifyOn`, `minChange`) require an event for this change of the verdict. */
export function shouldReportWatchChange(
  { notifyOn, minChange }: Pick<StoredWatch, 'notifyOn' | 'minChange'>,
  before: WatchedVerdict,
  after: WatchedVerdict,
): boolean {
  const changes: Record<WatchNotifyOption, () => boolean> = {
    band: () => before.status !== after.status,
    score: () => Math.abs(before.score - after.score) >= minChange,
    status: () => JSON.stringify(before.statuses) !== JSON.stringify(after.statuses),
  };
  return notifyOn.split(',').some((word) => changes[word as WatchNotifyOption]());
}

/** Lists the reason codes that only one of the two verdicts has. */
const listChangedReasons = (before: WatchedVerdict, after: WatchedVerdict): string[] =>
  [
    ...before.reasons.filter((code) => !after.reasons.includes(code)),
    ...after.reasons.filter((code) => !before.reasons.includes(code)),
  ].toSorted();

const toShown = ({ score, status, statuses }: WatchedVerdict) => ({ score, status, statuses });

export const toWatchChangeEventBody = (
  watch: Pick<StoredWatch, 'number' | 'reference'>,
  { before, after, requestId }: { before: WatchedVerdict; after: WatchedVerdict; requestId: string },
) => ({
  watch_id: toWatchId(watch.number),
  reference: watch.reference,
  request_id: requestId,
  before: toShown(before),
  after: toShown(after),
  reasons: listChangedReasons(before, after),
});

const LETTERS = { primary: 'p', secondary: 's', different: 'd', unverified: 'u' } satisfies Record<
  MatchStatus,
  string
>;
const STATUSES = Object.fromEntries(
  Object.entries(LETTERS).map(([status, letter]) => [letter, status]),
) as Record<string, MatchStatus>;

const toLetters = (statuses: readonly MatchStatus[]): string =>
  statuses.map((status) => LETTERS[status]).join('');
const toStatuses = (letters = ''): MatchStatus[] =>
  Array.from(letters, (letter) => STATUSES[letter] ?? 'unverified');

/**
 * Serializes a verdict as a short text, such as `72 MEDIUM p/pu/u/ name.match,email.match`: score, band, the first letter of each match status
 * (name/e-mails/phones/addresses), and reason codes.
 */
export function serializeWatchedVerdict({ score, status, statuses, reasons }: WatchedVerdict): string {
  const { name, emails, phones, addresses } = statuses;
  const letters = [[name], emails, phones, addresses].map(toLetters).join('/');
  return `${score} ${status} ${letters} ${reasons.join()}`;
}

/** Parses the text that `serializeWatchedVerdict` created. */
export function parseWatchedVerdict(text: string): WatchedVerdict {
  const [score, status, letters = '', reasons = ''] = text.split(' ');
  const [[name = 'unverified'] = [], emails = [], phones = [], addresses = []] = letters
    .split('/')
    .map(toStatuses);
  return {
    score: Number(score),
    status: status as ScoreBand,
    statuses: { name, emails, phones, addresses },
    reasons: reasons === '' ? [] : reasons.split(','),
  };
}

/**
 * Converts a watch to the JSON that its API caller receives.
 * @param recheckEveryHours hours between re-checks; null if re-checks follow each change of the graph instead
 */
export function toWatchJson(watch: StoredWatch, recheckEveryHours: number | null) {
  return {
    watch_id: toWatchId(watch.number),
    reference: watch.reference,
    ...toShown(parseWatchedVerdict(watch.state)),
    notify_on: watch.notifyOn.split(',') as WatchNotifyOption[],
    min_change: watch.minChange,
    created_at: new Date(watch.created).toISOString(),
    expires_at: new Date(watch.expires).toISOString(),
    recheck_every_hours: recheckEveryHours,
  };
}

// Conversion to another secret of the data folder.
const PAGE = 500;

/**
 * Encrypts all watches and webhook endpoint secrets under another secret (64 hex characters), in one transaction, and marks all watches for a
 * re-check. Skips values that an interrupted run has already encrypted under the new secret. Returns the number of watches. Errors: damaged_database
 * if a value cannot be decrypted.
 */
export function reencryptWatchesAndWebhookSecrets(
  db: SqlConnection,
  { secret, next }: { secret: string; next: string },
  now: number,
): number {
  const [present, future] = [createWatchCodec(secret), createWatchCodec(next)];
  let count = 0;
  const carry = () => {
    for (let after = -1; ;) {
      const page = listWatchesAfter(db, after, PAGE);
      for (const { id, claim: sealed } of page) {
        if (future.canOpen(sealed)) continue;
        const claim = present.openClaim(sealed);
        replaceWatchContent(db, id, { claim: future.sealClaim(claim), keys: future.listKeys(claim) }, now);
      }
      count += page.length;
      after = page.at(-1)?.id ?? after;
      if (page.length < PAGE) break;
    }
    const reseal = (sealed: Buffer) =>
      future.canOpen(sealed) ? sealed : future.sealText(present.openText(sealed));
    for (const { id, secret: current, previous } of listAllWebhookEndpoints(db))
      replaceWebhookEndpointSecrets(db, id, reseal(current), previous && reseal(previous));
  };
  db.transaction(carry).immediate();
  return count;
}
