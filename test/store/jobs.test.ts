// Jobs in the store: leases, progress, and what is deleted, on each engine.
import { expect, test } from 'vitest';
import {
  createJobCipher,
  deleteJobLinesOfForgottenPeople,
  type JobLine,
  toJobJson,
} from '../../src/jobs/job.ts';
import { createAccount } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { listEvents } from '../../src/store/events/events.ts';
import {
  countJobsByState,
  createJob,
  deleteJob,
  findJob,
  hasDueOrExpiredJob,
  hasLeasedJob,
  iterateRequestsByJob,
  listJobs,
  moveJobsToAccount,
  type NewJob,
  readJobResults,
  reencryptStoredJobs,
  releaseJobsOfEndedServers,
  renewJobLease,
  replaceJobParts,
  saveJobProgress,
  leaseNextJob,
} from '../../src/store/serving/jobs.ts';
import type { Store } from '../../src/store/store.ts';
import { freshStore, onEngines } from './engines.ts';

const NOW = 1_790_000_000_000;

const add = (store: Store, over: Partial<NewJob> = {}, now = NOW) =>
  createJob(
    store,
    {
      id: 'job_a',
      owner: 'acc_a',
      key: null,
      endpoint: 'validate',
      total: 3,
      details: Buffer.from('d'),
      requests: [
        { first: 0, lines: 2, sealed: Buffer.from('r0') },
        { first: 2, lines: 1, sealed: Buffer.from('r2') },
      ],
      print: null,
      ...over,
    },
    now,
  );
const PROGRESS = { id: 'job_a', lease: 'host-1.x', failed: 0, next: NOW, end: null, spentKeys: [] };
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

onEngines(() => {
  test('a job shows no negative time after the clock was set back', () => {
    const { job } = add(freshStore());
    const details = { name: null, columns: [] };
    expect(toJobJson({ ...job, started: NOW }, details, NOW - 3_600_000).seconds).toBe(0);
    expect(toJobJson({ ...job, started: NOW, ended: NOW - 3_600_000 }, details, NOW).seconds).toBe(0);
  });

  test('lines of two people who are forgotten at the same time stay deleted', () => {
    const store = freshStore();
    const secret = 'a1'.repeat(32);
    const { seal, open } = createJobCipher(secret);
    const lines = ['Ann', 'Bob', 'Eve'].map((name, i) => ({
      line: i + 1,
      reference: null,
      request: { name },
    }));
    const requests = [{ first: 0, lines: 3, sealed: seal(lines) }];
    add(store, { details: seal({ name: 'people.csv', columns: [] }), requests });
    const forget = (name: string, change: (replace: () => Uint8Array[]) => void) => {
      const isTheirs = (request: Record<string, unknown>) => request['name'] === name;
      return deleteJobLinesOfForgottenPeople(store, { secret, isTheirs, now: NOW, change });
    };
    forget('Ann', (replaceAnn) => {
      // Another process forgets Bob before the transaction of this one.
      expect(forget('Bob', (replaceBob) => replaceBob())).toBe(1);
      replaceAnn();
    });
    const [job] = iterateRequestsByJob(store);
    const left = job!.parts.flatMap(({ sealed }) => open<JobLine[]>(sealed));
    expect(left.map(({ request }) => request?.['name'] ?? null)).toEqual([null, null, 'Eve']);
  });

  test('a job is taken by one server, goes on where it was, and its end is an event', () => {
    const store = freshStore();
    add(store);
    expect([hasDueOrExpiredJob(store.raw, NOW), hasLeasedJob(store.raw)]).toEqual([true, false]);
    const task = leaseNextJob(store, { lease: 'host-1.x', leaseMs: 1000 }, NOW);
    expect(task).toMatchObject({
      key: null,
      owner: 'acc_a',
      job: { state: 'running', done: 0, started: NOW },
    });
    expect(text(task?.requests?.sealed)).toBe('r0');
    expect(leaseNextJob(store, { lease: 'host-2.y', leaseMs: 1000 }, NOW + 999)).toBeNull();
    renewJobLease(store, { id: 'job_a', lease: 'host-1.x', leaseMs: 1000 }, NOW + 500);
    expect(hasDueOrExpiredJob(store.raw, NOW + 1200)).toBe(false);
    const first = { ...PROGRESS, first: 0, lines: 2, failed: 1, sealed: Buffer.from('a0') };
    expect(saveJobProgress(store, { ...first, lease: 'host-2.y' }, NOW)).toBe(false);
    expect(saveJobProgress(store, first, NOW)).toBe(true);
    expect(saveJobProgress(store, first, NOW)).toBe(false);

    const next = leaseNextJob(store, { lease: 'host-2.y', leaseMs: 1000 }, NOW);
    expect([next?.job.done, next?.job.failed, text(next?.requests?.sealed)]).toEqual([2, 1, 'r2']);
    expect(hasLeasedJob(store.raw)).toBe(true);
    releaseJobsOfEndedServers(store, (lease) => lease === 'host-2.y', NOW);
    expect(leaseNextJob(store, { lease: 'host-3.z', leaseMs: 1000 }, NOW)?.job.done).toBe(2);
    const end = { state: 'finished' as const, problem: null, keepMs: 5000 };
    const last = {
      ...PROGRESS,
      lease: 'host-3.z',
      first: 2,
      lines: 1,
      sealed: Buffer.from('a2'),
      next: null,
      end,
    };
    expect(saveJobProgress(store, last, NOW + 10)).toBe(true);
    const job = findJob(store, { id: 'job_a', owner: 'acc_a' }, NOW + 11);
    expect(job).toMatchObject({
      state: 'finished',
      done: 3,
      failed: 1,
      ended: NOW + 10,
      expires: NOW + 5010,
    });
    expect(readJobResults(store, { id: 'job_a', from: 0 }).map(({ sealed }) => text(sealed))).toEqual([
      'a0',
      'a2',
    ]);
    expect(readJobResults(store, { id: 'job_a', from: 2 })).toHaveLength(1);
    expect(countJobsByState(store.raw)).toEqual({ finished: 1 });
    const { events } = listEvents(store.raw, { owner: 'acc_a', after: null, limit: 5 });
    expect(events).toMatchObject([{ type: 'job.finished', job_id: 'job_a', done: 3 }]);

    expect(findJob(store, { id: 'job_a', owner: 'acc_a' }, NOW + 5010)).toBeNull();
    expect(hasDueOrExpiredJob(store.raw, NOW + 5010)).toBe(true);
    expect(leaseNextJob(store, { lease: 'l', leaseMs: 1 }, NOW + 5010)).toBeNull();
    expect(countJobsByState(store.raw)).toEqual({});
  });

  test('an Idempotency-Key names one job of its owner', () => {
    const store = freshStore();
    const print = {
      key: Buffer.from('k'),
      jobKey: Buffer.from('j'),
      request: Buffer.from('r'),
      expires: NOW + 9,
    };
    expect(add(store, { print }).isReplay).toBe(false);
    expect(add(store, { print, id: 'job_b' })).toMatchObject({ isReplay: true, job: { id: 'job_a' } });
    const other = { ...print, request: Buffer.from('s') };
    for (const jobKey of [print.jobKey, Buffer.from('i')])
      expect(() => add(store, { print: { ...other, jobKey }, id: 'job_b' })).toThrow(
        expect.objectContaining({ code: 'idempotency_mismatch' }),
      );
    expect(deleteJob(store, { id: 'job_a', owner: 'acc_a' }, NOW)).toMatchObject({ id: 'job_a' });
    for (const retry of [print, { ...print, key: Buffer.from('other API key') }]) {
      const { job, isReplay } = add(store, { print: retry, id: 'job_b' }, NOW + 8);
      expect([job.id, job.state, isReplay]).toEqual(['job_a', 'cancelled', true]);
    }
    expect(() => add(store, { print: other, id: 'job_b' }, NOW + 8)).toThrow('Idempotency-Key');
    expect(add(store, { print, id: 'job_b' }, NOW + 9)).toMatchObject({ isReplay: false });
  });

  test('jobs belong to their owner, move with its keys, and are deleted with their lines', () => {
    const store = freshStore();
    add(store, { owner: 'key_a' });
    add(store, { owner: 'key_a', id: 'job_b' }, NOW + 1);
    const list = (owner: string, after?: [number, string]) =>
      listJobs(store, { owner, after, limit: 5 }, NOW + 2).map(({ id }) => id);
    expect([list('key_a'), list('acc_b'), list('key_a', [NOW + 1, 'job_b'])]).toEqual([
      ['job_b', 'job_a'],
      [],
      ['job_a'],
    ]);
    moveJobsToAccount(store.raw, 'key_a', 'acc_b');
    expect([list('key_a'), list('acc_b')]).toEqual([[], ['job_b', 'job_a']]);
    expect(deleteJob(store, { id: 'job_a', owner: 'key_a' }, NOW)).toBeNull();
    expect(deleteJob(store, { id: 'job_a', owner: 'acc_b' }, NOW)).toMatchObject({ id: 'job_a' });
    const requests = () =>
      [...iterateRequestsByJob(store)].map(({ job, parts }) => [
        job,
        ...parts.map(({ sealed }) => text(sealed)),
      ]);
    expect(requests()).toEqual([['job_b', 'r0', 'r2']]);
    const part = { job: 'job_b', kind: 'request' as const, first: 2, sealed: Buffer.from('new') };
    reencryptStoredJobs(store.raw, (sealed) => Buffer.from(`${text(sealed)}!`));
    expect(requests()).toEqual([['job_b', 'r0!', 'r2!']]);
    replaceJobParts(store, [part], { changeResults: () => [], changeDetails: (details) => details }, NOW);
    expect(requests()).toEqual([['job_b', 'r0!', 'new']]);
  });

  test('a job continues after the clock was set back, however far', () => {
    const store = freshStore();
    add(store);
    leaseNextJob(store, { lease: 'host-1.x', leaseMs: 15_000 }, NOW);
    const before = NOW - 31 * 86_400_000;
    expect(hasDueOrExpiredJob(store.raw, before)).toBe(true);
    expect(leaseNextJob(store, { lease: 'host-2.y', leaseMs: 15_000 }, before)?.job.id).toBe('job_a');
    expect(leaseNextJob(store, { lease: 'host-3.z', leaseMs: 15_000 }, before)).toBeNull();
  });

  test('the checks of a job are those of the newest key of its chain', () => {
    const store = freshStore();
    const account = createAccount(store, { name: 'Shop' }, NOW).id;
    const { info } = createKey(store, { name: 'shop', scopes: ['validate'], account }, NOW);
    add(store, { key: info.id, owner: account });
    expect(leaseNextJob(store, { lease: 'l', leaseMs: 1 }, NOW)?.key).toBe(info.id);
  });
});
