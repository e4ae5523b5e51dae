// Questions of an import in a terminal.
import { afterEach, expect, test, vi } from 'vitest';
import { requireColumnConfirmation } from '../../../src/commands/graph/import/confirm.ts';
import type { ColumnMappingReport } from '../../../src/import/input/plan.ts';

const asked = vi.hoisted(() => vi.fn<(message: string, options: object) => Promise<boolean>>());
vi.mock('../../../src/commands/helpers/terminal.ts', () => ({ askYesNo: asked }));
afterEach(() => void vi.restoreAllMocks());

const plan = (fields: (string | null)[]) =>
  ({
    input: 'people.csv',
    columns: fields.map((field) => ({ header: 'x', field, group: '', guessed: false, examples: [] })),
    unusedNames: [],
    unusedDates: [],
    more: 0,
    sources: null,
    map: '',
  }) as unknown as ColumnMappingReport;

test.each([
  [['record_id', 'email'], 'No column holds names. Import with these columns?', false],
  [['record_id', 'name'], 'Import with these columns?', true],
])(
  'an import of %j is asked about, and Enter means yes only with names',
  async (fields, message, initialValue) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    asked.mockResolvedValue(true);
    await requireColumnConfirmation(plan(fields), { ask: true, quiet: false });
    expect(asked).toHaveBeenLastCalledWith(message, { initialValue });
    asked.mockResolvedValue(false);
    await expect(requireColumnConfirmation(plan(fields), { ask: true, quiet: false })).rejects.toThrow(
      'Nothing was imported from people.csv',
    );
  },
);

test.each([
  [['given', 'email'], 'no column holds family names'],
  [['family', 'email'], 'no column holds given names'],
  [['given', 'family'], null],
  [['name', 'given'], null],
])('columns %j are shown with the missing part of the names first', async (fields, missing) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await requireColumnConfirmation(plan(fields), { ask: false, quiet: false });
  const [text] = write.mock.calls[0] ?? [];
  expect(text).toMatch(missing === null ? /^people\.csv: field of/ : `people.csv: ${missing}`);
});

test('of two columns of ids, the preview says when the second is used, and how many columns are not shown', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const two = { ...plan(['record_id', 'record_id', 'name', null]), more: 2 };
  for (const [i, header] of ['Id', 'AccountId', 'Name', 'Note'].entries())
    Object.assign(two.columns[i] ?? {}, { header });
  await requireColumnConfirmation({ ...two, note: '' }, { ask: false, quiet: false });
  const lines = String(write.mock.calls[0]?.[0]).trim().split('\n');
  expect(lines.slice(1, -1).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Id', 'record_id'],
    ['AccountId', 'record_id (only in rows without Id)'],
    ['Name', 'name'],
    ['Note', '-'],
    ['… and 2 more unused fields'],
  ]);
});
