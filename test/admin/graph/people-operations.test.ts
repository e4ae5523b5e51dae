import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PEOPLE_OPERATIONS } from '../../../src/admin/graph/people-operations.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, strangers } from '../../kit/graphs/graph.ts';

test('compact erases the store once, also if that fails', async () => {
  const folder = freshFolder();
  await importRows(folder, [strangers(3)]);
  const eraseDeletedRows = vi.fn<(force?: boolean) => boolean>(() => false);
  const watchEraser = { deleteRows: () => ({ watches: 0, job_lines: 0 }), eraseDeletedRows };
  const context = { dataDir: folder, region: 'US', actor: 'key', now: Date.UTC(2026, 0, 2), watchEraser };
  const compacted = await operate(folder, (graph) => PEOPLE_OPERATIONS.compact(graph, undefined, context));
  expect(compacted.result).toEqual({ completed: null, logsEmpty: false });
  expect(eraseDeletedRows.mock.calls).toEqual([[true]]);
});

test('a forgetting that removes nothing keeps the undo of the last import', async () => {
  const folder = freshFolder();
  const file = join(freshFolder(), 'people.jsonl');
  writeFileSync(file, '{"record_id":"1","source":"s","name":"Otto Stay","emails":["otto@stay.example"]}\n');
  await runHere(['graph', 'import', file, '--data-dir', folder]);
  const context = { dataDir: folder, region: 'US', actor: 'key', now: Date.UTC(2026, 0, 2) };
  await operate(folder, async (graph) => {
    const forget = (request: Parameters<typeof PEOPLE_OPERATIONS.forget>[1]) =>
      PEOPLE_OPERATIONS.forget(graph, request, context);
    const canUndo = async () => (await graph.records.lastAppliedImport()) !== null;
    expect(await forget({ again: true, confirm: 0 })).toMatchObject({ result: { records: 0 } });
    expect(await forget({ olderThanMs: 1e12, confirm: 0 })).toMatchObject({ result: { records: 0 } });
    await expect(forget({ emails: ['otto@stay.example'], confirm: 2 })).rejects.toThrow('"confirm"');
    await expect(forget({ identities: [99], confirm: 1 })).rejects.toMatchObject({ code: 'not_found' });
    const kept = {
      code: 'not_found',
      message: expect.stringContaining('`bonafide graph forget` with --yes'),
    };
    await expect(forget({ emails: ['gerda@repl.example'] })).rejects.toMatchObject(kept);
    await expect(forget({ emails: ['gerda@repl.example'], confirm: 1 })).rejects.toMatchObject(kept);
    expect(await canUndo()).toBe(true);
  });
});
