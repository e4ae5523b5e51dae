// Limits of pending operations of the store's thread.
import { expect, it, onTestFinished } from 'vitest';
import { openStoreWorker } from '../../src/admin/store-worker.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';

function open() {
  const file = `${freshFolder()}/store.db`;
  openSqliteStore({ file }).close();
  const worker = openStoreWorker({ place: { file }, settings: {} as never });
  onTestFinished(() => worker.close());
  const poll = (owner: string, times: number) =>
    Array.from({ length: times }, () => worker.run('jobs.list', { owner, limit: 1 }, owner));
  const count = async (calls: Promise<unknown>[]) => {
    const settled = await Promise.allSettled(calls);
    const codes = settled.map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason.code));
    expect(codes.filter((code) => code !== 'ok' && code !== 'overloaded')).toEqual([]);
    return codes.filter((code) => code === 'ok').length;
  };
  return { worker, poll, count };
}

it('one caller that polls its jobs leaves room for others, and all callers for the operator', async () => {
  const { worker, poll, count } = open();
  const first = poll('a', 100);
  const others = ['b', 'c', 'd'].flatMap((owner) => poll(owner, 100));
  const operator = Array.from({ length: 16 }, () => worker.run('plans.list', { limit: 1 }, 'op'));
  expect(await Promise.all([first, others, operator].map(count))).toEqual([16, 32, 16]);
  expect(await count(poll('a', 100))).toBe(16);
});

it('the progress of jobs and entries of the audit log are always accepted', async () => {
  const { worker, poll, count } = open();
  const polls = ['a', 'b', 'c'].flatMap((owner) => poll(owner, 16));
  const operator = Array.from({ length: 30 }, () => worker.run('plans.list', { limit: 1 }, 'op'));
  const lease = { lease: 'l', leaseMs: 1000 };
  const progress = [
    worker.run('jobs.take', lease, ''),
    worker.run('jobs.renew', { id: 'x', ...lease }, ''),
    worker.run('jobs.release', null, ''),
    worker.run('note', { act: 'backup.create', target: 'x', detail: {} }, 'op'),
  ];
  expect(await Promise.all([polls, operator, progress].map(count))).toEqual([48, 16, 4]);
});
