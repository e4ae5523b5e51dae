import { setTimeout as pause } from 'node:timers/promises';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { GraphVerifying, LinkVerifier } from '../../verifying.ts';
import type { PostgresLinks } from '../index/links.ts';
import type { Steps } from '../index/steps.ts';
import type { PostgresSession } from '../session.ts';
import type { RecordTable } from '../../sql/incoming.ts';
import { boreHeld } from './bore.ts';
import { publishedVerifier } from './published.ts';
import { recordsHeld } from './records.ts';
import { waitingOn } from './waiting.ts';

export interface VerifyingParts {
  session: PostgresSession;
  keys: GraphKeys;
  table: RecordTable;
  steps: Steps;
  links: Pick<PostgresLinks, 'reading'>;
  /** Where sorted runs are kept. */
  folder: string;
}

/** So often, and so long each time, those are waited for who are between the commits of database and file. */
const LOOKS = 8;
const PAUSE_MS = 25;

export function verifyingOn({ session, keys, table, steps, links, folder }: VerifyingParts): GraphVerifying {
  let remembered: LinkVerifier | null = null;
  return {
    async withSnapshot(work) {
      if (session.isInSnapshot()) return work();
      for (let look = 0; ; look++) {
        const ended = await session.beginSnapshot();
        const reading = links.reading(await steps.now());
        try {
          if (reading.isBehind && look < LOOKS) continue;
          remembered = reading.verifier;
          return await work();
        } finally {
          remembered = null;
          reading.end();
          await ended();
          if (reading.isBehind) await pause(PAUSE_MS);
        }
      }
    },
    pendingRecords: () => waitingOn(session),
    openLinkVerifier: () => remembered,
    openFileVerifier(waiting) {
      if (waiting?.rows === null)
        return { compareIdentity: () => undefined, listInvariants: () => recordsHeld(session, keys, table) };
      const published = publishedVerifier(session, keys, folder);
      return {
        compareIdentity: published.compareIdentity,
        listInvariants: async () => [
          ...(await published.listInvariants()),
          ...(await boreHeld(session, waiting)),
          ...(await recordsHeld(session, keys, table)),
        ],
      };
    },
  };
}
