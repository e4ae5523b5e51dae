// Servers that share a store must have the same secret.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { computeStoreSecretCheckValue } from '../../../src/graph/encryption/fingerprints.ts';
import { loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { openStoreAtLocation, updateSecretCheckValueOfSharedStore } from '../../../src/store/open.ts';
import { freshApp, PEOPLE } from '../../kit/app.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const WRONG = expect.objectContaining({ code: 'wrong_secret' });
const [ONE, OTHER] = ['a1', 'b2'].map((byte) => computeStoreSecretCheckValue(byte.repeat(32)));

describe.skipIf(isWithoutPostgres('one secret for a store'))('a shared store', () => {
  const postgres = sharedPostgres();
  const place = async () => ({ url: await (await postgres()).database() });
  type At = Awaited<ReturnType<typeof place>>;
  const opens = (at: At, check = '', claims = false) => openStoreAtLocation(at, { check, claims }).close();
  const serves = (at: At, check: string | undefined) => opens(at, check, true);

  it('takes the secret of its first server, and refuses servers and commands with another secret', async () => {
    const at = await place();
    opens(at, OTHER);
    serves(at, ONE);
    serves(at, ONE);
    opens(at, ONE);
    expect(() => serves(at, OTHER)).toThrow(WRONG);
    expect(() => opens(at, OTHER)).toThrow(WRONG);
    const store = openStoreAtLocation(at);
    onTestFinished(() => store.close());
    updateSecretCheckValueOfSharedStore(at, store, OTHER ?? '');
    serves(at, OTHER);
    expect(() => serves(at, ONE)).toThrow(WRONG);
  });

  it('refuses to start a server with another secret, and its commands', async () => {
    const { url } = await place();
    const settings = { store: `url=${url}` };
    const { folder } = await freshApp({ settings });
    const people = PEOPLE.slice(0, 1);
    await expect(freshApp({ people, settings })).rejects.toEqual(WRONG);
    const config = join(freshFolder(), 'bonafide.config.json');
    writeFileSync(config, JSON.stringify({ store: { url } }));
    const list = (dataDir: string) => runHere(['keys', 'list', '--config', config, '--data-dir', dataDir]);
    const another = freshFolder();
    loadOrCreateSecret(another);
    const refused = await list(another);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The secret of this server differs'),
    ]);
    expect((await list(folder)).code).toBe(0);
    expect((await list(freshFolder())).code).toBe(0);
    const doctor = await runHere(['doctor', '--json', '--config', config, '--data-dir', another]);
    const findings = JSON.parse(doctor.stdout) as { check: string; state: string }[];
    expect(findings.find(({ check }) => check === 'store')?.state).toBe('bad');
  });

  it('takes the new secret after the graph got one', async () => {
    const at = await place();
    const folder = freshFolder();
    const [config, records] = ['config.json', 'people.jsonl'].map((name) => join(freshFolder(), name));
    writeFileSync(config ?? '', JSON.stringify({ store: at, graph: { keep: 'sealed' } }));
    writeFileSync(records ?? '', `${JSON.stringify(PEOPLE[0])}\n`);
    const run = async (...args: string[]) =>
      expect(await runHere([...args, '--yes', '--config', config ?? '', '--data-dir', folder])).toMatchObject(
        {
          code: 0,
        },
      );
    await run('graph', 'import', records ?? '');
    const before = computeStoreSecretCheckValue(loadOrCreateSecret(folder));
    serves(at, before);
    await run('graph', 'rekey');
    serves(at, computeStoreSecretCheckValue(loadOrCreateSecret(folder)));
    expect(() => serves(at, before)).toThrow(WRONG);
  });
});
