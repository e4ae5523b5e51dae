import type { Looks } from '../../../admin/graph/looks.ts';
import type { ImportView, Reading } from '../../../admin/imports/import.ts';
import { FILE_BODY, writeBytes } from '../../body.ts';
import * as IMPORTS from '../../openapi/operations/admin/imports.ts';
import { at } from '../route.ts';
import type { AdminRoute } from '../route.ts';

export const IMPORT_ROUTES: AdminRoute[] = [
  at(IMPORTS.TAKE, async ({ query: { name = '' }, event }, { machine }) => {
    const { id, file } = machine.uploads.room();
    const bytes = await writeBytes(event, file, FILE_BODY);
    return viewOf(await machine.imports({ act: 'take', id, file, name: name.trim() || 'file', bytes }));
  }),
  at(IMPORTS.LIST, async (_, { machine }) => {
    const { items, refused } = await machine.sent();
    const { found } = await machine.graph.look('applied');
    return { items: items.map(viewOf), undo: undoView(found), refused: failedView(refused) };
  }),
  at(IMPORTS.SHOW, async ({ id }, { machine }) => viewOf(await machine.imports({ act: 'look', id }))),
  at(IMPORTS.READ, async ({ id, body }, { machine }) =>
    viewOf(await machine.imports({ act: 'read', id, reading: readingOf(body) })),
  ),
  at(IMPORTS.START, async ({ id, body, actor }, { machine }) =>
    viewOf(await machine.imports({ act: 'start', id, reading: readingOf(body), actor })),
  ),
  at(IMPORTS.DROP, async ({ id }, { machine }) => viewOf(await machine.imports({ act: 'drop', id }))),
];

type Asked = Pick<Reading, 'map' | 'source' | 'region' | 'dates' | 'replace'> & {
  keep_companies?: boolean | undefined;
  allow_return?: boolean | undefined;
};

/** A source of blanks is none. */
const readingOf = ({ keep_companies, allow_return, source, ...rest }: Asked): Reading => ({
  ...rest,
  source: source?.trim() || undefined,
  keepCompanies: keep_companies,
  allowReturn: allow_return,
});

const readingView = ({ keepCompanies, allowReturn, ...rest }: Reading) => ({
  ...rest,
  keep_companies: keepCompanies,
  allow_return: allowReturn,
});

function undoView(applied: Looks['applied']) {
  if (!applied) return null;
  const { at, added, replaced, removed } = applied;
  return { at: new Date(at).toISOString(), added, replaced, removed };
}

function viewOf({ found, failed, reading, ...view }: ImportView) {
  const rest = { ...view, reading: readingView(reading) };
  if (!found) return { ...rest, found, failed: failedView(failed) };
  const { aside, same, ...told } = found;
  const shown = {
    ...told,
    companies: aside.company,
    guests: aside.placeholder,
    merged: same.merged,
    shared_ids: same.shared,
  };
  return { ...rest, found: shown, failed: failedView(failed) };
}

const failedView = (failed: ImportView['failed']) => failed && { code: failed.code, detail: failed.message };
