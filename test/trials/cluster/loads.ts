// Work beside the callers of a failover trial: single checks, a feed, and imports by the command line.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Asked, type Told } from '../kit/ask.ts';
import { launch } from '../kit/children.ts';
import type { Heard } from './callers.ts';
import type { Keys } from './keys.ts';

/** Checks in addition to those of the callers. */
export interface Probes extends Pick<Heard, 'ids' | 'checks'> {
  /** True at the end of a trial: nothing is sent again. */
  isOver: boolean;
}

/** Sends one check to a server until it is answered. */
export async function untilChecked(
  port: number,
  asked: Asked,
  probes: Probes,
): Promise<Told & { tries: string[] }> {
  const begun = performance.now();
  const tries: string[] = [];
  const headers = { ...asked.headers, 'idempotency-key': randomUUID() };
  probes.checks++;
  while (!probes.isOver) {
    const told = await ask(port, { ...asked, headers }).catch(() => null);
    if (told?.status === 200) {
      probes.ids.add(told.id);
      return { ...told, tries };
    }
    const [, code] = /"code":"(\w+)"/.exec(told?.text ?? '') ?? [];
    tries.push(`${((performance.now() - begun) / 1000).toFixed(1)} s ${code ?? 'no answer'}`);
    await pause(50);
  }
  throw OVER;
}

const OVER = new Error('the trial is over');

export interface Fed {
  /** E-mails of the records that a server reported as published. */
  acknowledged: string[];
  calls: number;
  again: number;
  /** Number of records that a check saw right after the acknowledgement. */
  seen: number;
}

interface FeedOptions {
  ports: number[];
  keys: Keys;
  probes: Probes;
  amiss(seen: string): void;
}

/** Feeds two new people at a time, each call until it is answered, and checks that the next check sees them. */
export function startFeed({ ports, keys, probes, amiss }: FeedOptions) {
  const fed: Fed = { acknowledged: [], calls: 0, again: 0, seen: 0 };
  const state = { isRunning: true };
  const loop = async () => {
    while (state.isRunning) {
      const number = fed.calls++;
      const people = [0, 1].map((i) => `fed.${number}.${i}@fed.example`);
      const lines = people.map((email, i) =>
        JSON.stringify({
          source: 'feed',
          record_id: `${number}-${i}`,
          name: `Fedora Quill${number}${'ab'[i]}`,
          emails: [email],
        }),
      );
      const { revision, isLinked } = await untilTaken(`${lines.join('\n')}\n`, number);
      fed.acknowledged.push(...people);
      if (isLinked) for (const email of people) await see(email, revision, number);
      await pause(100);
    }
  };
  async function untilTaken(body: string, number: number) {
    for (let tries = 0; !probes.isOver; tries++) {
      const told = await ask(ports[(number + tries) % ports.length] ?? 0, {
        path: '/admin/v1/records',
        headers: { 'content-type': 'application/x-ndjson', 'x-api-key': keys.admin },
        body,
      }).catch(() => null);
      if (told?.status === 200)
        return {
          revision: String(told.headers['bonafide-revision'] ?? ''),
          isLinked: JSON.parse(told.text).linked === true,
        };
      if (told && told.status !== 503 && told.status !== 504) amiss(`the feed was answered ${told.status}`);
      fed.again++;
      await pause(100);
    }
    throw OVER;
  }
  /** Searches for a record on the other server, with the revision of its call. */
  async function see(email: string, revision: string, number: number): Promise<void> {
    const asked = {
      path: '/v1/validate',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.check, 'bonafide-revision': revision },
      body: JSON.stringify({ name: 'Fedora Quill', emails: [email] }),
    };
    const { text } = await untilChecked(ports[(number + 1) % ports.length] ?? 0, asked, probes);
    if (isFound(text)) fed.seen++;
    else amiss('a check with the revision of a record did not see the record');
  }
  const running = loop();
  return {
    async stop() {
      state.isRunning = false;
      await running;
      return fed;
    },
  };
}

/** Returns true if a check found the e-mail on record. */
const isFound = (text: string): boolean =>
  / Match/.test(JSON.parse(text).input_validation?.email?.match_status ?? '');

/** Imports one of two states of a source again and again, as a command. */
export function startImporter({
  env,
  folder,
  dataDir,
}: {
  env: Record<string, string>;
  folder: string;
  dataDir: string;
}) {
  const imports = { done: 0, failed: 0, longestMs: 0 };
  const state = { isRunning: true };
  const files = [0, 1].map((variant) => {
    const file = join(folder, `variant-${variant}.jsonl`);
    const lines = Array.from({ length: 200 }, (_, i) =>
      JSON.stringify({
        source: 'imp',
        record_id: String(i),
        name: `Imogen Porter${i}`,
        emails: [`imp.${i}.${variant}@imp.example`],
      }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
  const loop = async () => {
    for (let number = 0; state.isRunning; number++) {
      const begun = performance.now();
      const { code } = await launch(
        ['graph', 'import', files[number % 2] ?? '', '--data-dir', dataDir, '--json'],
        { env },
      ).ended;
      imports.longestMs = Math.max(imports.longestMs, performance.now() - begun);
      if (code === 0) imports.done++;
      else {
        imports.failed++;
        number--;
      }
      await pause(500);
    }
  };
  const running = loop();
  return {
    async stop() {
      state.isRunning = false;
      await running;
      return imports;
    },
  };
}
