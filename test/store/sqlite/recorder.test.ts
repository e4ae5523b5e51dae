import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCallRecorder } from '../../../src/store/serving/recorder.ts';
import { startCallRecorder, createSharedWriterConnectFunction } from '../../../src/store/sqlite/engine.ts';
import { toLowestRequestId } from '../../../src/platform/request-id.ts';
import { findCallOfApiKeyChain } from '../../../src/store/call-log.ts';
import { createClockWithoutJumps, removeOldCalls } from '../../../src/store/serving/writer-statements.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { sampleCall } from '../../kit/call.ts';
import { freshFolder } from '../../kit/folder.ts';

function fresh() {
  const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
  const recorder = startCallRecorder(store);
  onTestFinished(async () => {
    await recorder.close();
    store.close();
  });
  return { store, recorder };
}

/** Returns the counted and logged calls, as another process reads them. */
function committed(file: string) {
  const db = new Database(file, { readonly: true });
  const one = (sql: string) => db.prepare(sql).pluck().get();
  const counts = {
    usage: one('SELECT ifnull(sum(calls), 0) FROM usage'),
    rows: one('SELECT count(*) FROM calls'),
  };
  db.close();
  return counts;
}

describe('a recorded call', () => {
  it('is on disk, counted and streamed, when its promise resolves', async () => {
    const { store, recorder } = fresh();
    for (let i = 1; i <= 20; i++) {
      await recorder.write(sampleCall());
      expect(committed(store.file)).toEqual({ usage: i, rows: i });
    }
  });

  it('shares its commit with other calls, and none is lost or counted twice', async () => {
    const { store, recorder } = fresh();
    for (let wave = 0; wave < 20; wave++) {
      const calls = Array.from({ length: 200 }, (_, i) =>
        recorder.write(sampleCall({ keyId: `key_${i % 7}` })),
      );
      await (wave % 2 === 0 ? Promise.all(calls) : calls[0]);
    }
    await recorder.close();
    expect(committed(store.file)).toEqual({ usage: 4000, rows: 4000 });
  });

  it('stores the last outcome that its own chain of keys reported, and counts nothing', async () => {
    const { store, recorder } = fresh();
    const call = sampleCall({ keyId: 'a' });
    await recorder.write(call);
    const told = { keyId: 'a', requestId: call.requestId, isGenuine: true };
    const outcome = () => findCallOfApiKeyChain(store, 'a', call.requestId)?.outcome;
    await recorder.recordOutcome({ ...told, keyId: 'b' });
    expect(outcome()).toBeNull();
    await recorder.recordOutcome(told);
    expect(outcome()).toBe(true);
    const both = [recorder.recordOutcome({ ...told, isGenuine: false }), recorder.write(sampleCall())];
    await Promise.all(both);
    expect(outcome()).toBe(false);
    expect(committed(store.file)).toEqual({ usage: 2, rows: 2 });
  });

  it('waits for another process that writes, instead of failing', async () => {
    const { store, recorder } = fresh();
    await recorder.write(sampleCall());
    const other = new Database(store.file);
    other.exec('BEGIN IMMEDIATE');
    const done: string[] = [];
    setTimeout(() => {
      done.push('the other');
      other.exec('COMMIT');
    }, 300);
    await recorder.write(sampleCall());
    done.push('the call');
    expect(done).toEqual(['the other', 'the call']);
    other.close();
  });

  it('is refused if another process writes for too long', async () => {
    const { store } = fresh();
    const recorder = startCallRecorder({ file: store.file, waitMs: 20 });
    await recorder.write(sampleCall());
    const other = new Database(store.file);
    other.exec('BEGIN IMMEDIATE');
    await expect(recorder.write(sampleCall())).rejects.toMatchObject({ code: 'database_busy' });
    other.close();
    await recorder.write(sampleCall());
    await recorder.close();
    expect(committed(store.file)).toEqual({ usage: 2, rows: 2 });
  });

  it('of a batch that cannot be committed is refused with the whole batch, and the next batch is committed', async () => {
    const { store, recorder } = fresh();
    const call = sampleCall();
    await recorder.write(call);
    const results = await Promise.allSettled([recorder.write(call), recorder.write(sampleCall())]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(recorder.isHealthy()).toBe(false);
    await recorder.write(sampleCall());
    expect(recorder.isHealthy()).toBe(true);
    expect(committed(store.file)).toEqual({ usage: 2, rows: 2 });
  });

  it('after closing is refused; closing commits pending calls', async () => {
    const { store, recorder } = fresh();
    const calls = Array.from({ length: 300 }, () => recorder.write(sampleCall()));
    await Promise.all([recorder.close(), ...calls]);
    expect(committed(store.file)).toEqual({ usage: 300, rows: 300 });
    await expect(recorder.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('calls that are older than the retention time', () => {
  it('are removed, and monthly counts stay', async () => {
    const { store, recorder } = fresh();
    const old = Date.now() - 90 * 86_400_000;
    let made = 0;
    const at = (time: number) => sampleCall({ time, requestId: `${toLowestRequestId(time)}${made++}` });
    const calls = Array.from({ length: 1200 }, (_, i) => at(old - 1_200_000 + i * 1000));
    await Promise.all([...calls, at(old + 60_000), at(Date.now())].map((call) => recorder.write(call)));
    const db = openSqliteStore({ file: store.file });
    const remove = (before: number) => removeOldCalls(db.raw, before);
    expect([remove(old), remove(old), remove(old), remove(old)]).toEqual([500, 500, 200, 0]);
    db.close();
    expect(committed(store.file)).toEqual({ usage: 1202, rows: 2 });
  });

  it('are all removed by a running recorder', async () => {
    const { store, recorder } = fresh();
    const old = Date.now() - 86_400_000;
    const calls = Array.from({ length: 1200 }, (_, i) =>
      sampleCall({ time: old, requestId: `${toLowestRequestId(old)}${i}` }),
    );
    await Promise.all(calls.map((call) => recorder.write(call)));
    recorder.removeOld({ maxAgeMs: 3_600_000, now: Date.now() });
    await expect.poll(() => committed(store.file)).toEqual({ usage: 1200, rows: 0 });
  });
});

describe('a clock that jumps ahead', () => {
  const DAY = 86_400_000;
  const now = Date.UTC(2026, 10, 1);
  const kept = async (...days: number[]) => {
    const { store, recorder } = fresh();
    const calls = days.map((day) => {
      const time = now + day * DAY;
      return sampleCall({ time, requestId: `${toLowestRequestId(time)}${day}` });
    });
    await Promise.all(calls.map((call) => recorder.write(call)));
    const db = openSqliteStore({ file: store.file });
    onTestFinished(() => db.close());
    const clock = createClockWithoutJumps(db.raw);
    return (day: number, up = 0) => (clock(now + day * DAY, up * DAY) - now) / DAY;
  };

  it('removes at most one day too much, also if calls arrived since', async () => {
    expect((await kept(-50, -1, 0))(400)).toBe(1);
    expect((await kept(-50, -1, 0, 400))(400.5)).toBe(1);
  });

  it('is trusted after a day, also by a server that keeps running', async () => {
    expect((await kept(-50, 0, 400))(402)).toBe(401);
    const idle = await kept(-50, 0);
    expect([idle(3, 0), idle(5, 2), idle(400, 399)]).toEqual([1, 3, 400]);
  });

  it('is not distrusted if calls arrive every day, or if there are none', async () => {
    expect((await kept(-2, -1.01, 0))(0)).toBeCloseTo(0, 1);
    expect((await kept())(0)).toBe(0);
  });
});

describe('a writer that dies', () => {
  it('fails its pending calls, and another writer takes over', async () => {
    const { store, recorder } = fresh();
    await recorder.write(sampleCall());
    // The file is no longer a store: the next writer cannot open it, so the pending calls must fail.
    const dying = startCallRecorder({ file: `${store.file}-gone/none.db` });
    writeFileSync(`${store.file}-gone`, '');
    await expect(dying.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(dying.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(dying.isHealthy()).toBe(false);
    await dying.close();
  });
});

describe('a missing store file', () => {
  it('is not created by a writer that starts', async () => {
    const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
    store.close();
    rmSync(store.file);
    const recorder = startCallRecorder({ file: store.file });
    await expect(recorder.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
    await recorder.close();
    expect(existsSync(store.file)).toBe(false);
  });
});

describe('a full disk', () => {
  it('refuses calls with one clear error, and keeps accepted calls', () => {
    const folder = freshFolder();
    openSqliteStore({ file: `${folder}/store.db` }).close();
    const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    // A limit on file size simulates a full disk: it needs no privileges, and SQLite fails at the same
    // place.
    const script = `
      const { startCallRecorder } = await import(${at('../../../src/store/sqlite/engine.ts')});
      const { sampleCall } = await import(${at('../../kit/call.ts')});
      const recorder = startCallRecorder({ file: ${JSON.stringify(`${folder}/store.db`)} });
      let accepted = 0, refused = [];
      for (let i = 0; i < 400 && refused.length < 3; i++) {
        await Promise.all(Array.from({ length: 20 }, () => recorder.write(sampleCall()).then(() => accepted++, (error) => refused.push(error.code + ' ' + error.message))));
      }
      await recorder.close();
      console.log(JSON.stringify({ accepted, refused: [...new Set(refused)] }));`;
    writeFileSync(`${folder}/child.mjs`, script);
    const child = spawnSync(
      'bash',
      ['-c', 'ulimit -f 256; exec "$0" "$1"', process.execPath, `${folder}/child.mjs`],
      {
        encoding: 'utf8',
      },
    );
    const { accepted, refused } = JSON.parse(child.stdout);
    expect(accepted).toBeGreaterThan(0);
    expect(refused).toEqual([
      `disk_full The file ${folder}/store.db cannot be written: the disk is full. Free some space and try again.`,
    ]);
    expect(committed(`${folder}/store.db`)).toEqual({ usage: accepted, rows: accepted });
  });
});

describe('recorders of several threads', () => {
  it('write through one writer, and continue when another recorder closes', async () => {
    const { store, recorder } = fresh();
    const others = [1, 2].map(() =>
      createCallRecorder(createSharedWriterConnectFunction(recorder.shareWriter)),
    );
    const all = [recorder, ...others];
    await Promise.all(Array.from({ length: 300 }, (_, i) => all[i % 3]?.write(sampleCall())));
    expect(committed(store.file)).toEqual({ usage: 300, rows: 300 });
    const last = others[0]?.write(sampleCall());
    await others[0]?.close();
    await last;
    await others[1]?.write(sampleCall());
    await recorder.write(sampleCall());
    expect(committed(store.file)).toEqual({ usage: 303, rows: 303 });
    await others[1]?.close();
  });

  it('say that a call may have been counted only if the writer ended with it', async () => {
    const recorder = createCallRecorder(
      createSharedWriterConnectFunction((port) => port.once('message', () => port.close())),
    );
    const error = async () => (await recorder.write(sampleCall()).catch((thrown) => thrown)).details;
    expect(await error()).toEqual({ mayBeCounted: true });
    expect(await error()).toEqual({});
    await recorder.close();
  });

  it('fail when the writer ends, and count nothing that it did not commit', async () => {
    const { store, recorder } = fresh();
    const other = createCallRecorder(createSharedWriterConnectFunction(recorder.shareWriter));
    await other.write(sampleCall());
    expect(other.isHealthy()).toBe(true);
    await recorder.close();
    await expect(other.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(other.isHealthy()).toBe(false);
    await expect(other.write(sampleCall())).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(committed(store.file)).toEqual({ usage: 1, rows: 1 });
    await other.close();
  });
});
