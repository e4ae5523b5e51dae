import * as schema from '../../../schema/admin/graph/imports.ts';
import { FILE_BODY } from '../../../body.ts';
import { administrative } from './parts.ts';

const shared = { answers: schema.importView, errors: ['graph_unavailable'] as ['graph_unavailable'] };
const one = { ...shared, of: 'import' } as const;
const examples = {
  plain: { summary: 'As the file tells', value: {} },
  said: { summary: 'With a source and its region', value: { source: 'shop', region: 'DE' } },
};

export const TAKE = administrative({
  ...shared,
  method: 'POST',
  path: 'graph/imports',
  id: 'sendFile',
  summary: 'Send a file of records',
  about: `Up to ${FILE_BODY.kib / 1024} MiB (\`application/octet-stream\`), within half a minute. It is read, and nothing of it is in the graph: ask for it until it is \`ready\`. It is kept for an hour, privately, until it is imported or dropped. Larger files: \`bonafide graph import\`.`,
  query: { name: schema.fileName },
  own: { schema: schema.fileBytes, kind: FILE_BODY },
  examples: {
    csv: {
      summary: 'Two people',
      value: 'id,name,email\n1,Ada Quill,ada@example.com\n2,Ben Osei,ben@example.com\n',
    },
  },
  status: 201,
});

export const LIST = administrative({
  method: 'GET',
  path: 'graph/imports',
  id: 'listImports',
  summary: 'What is being imported',
  about:
    'The files that were sent, with how far each is; the import that `graph/import/undo` takes back; and why none can be imported, if so.',
  answers: schema.importsView,
  errors: ['graph_unavailable', 'graph_timeout'],
});

export const SHOW = administrative({
  ...one,
  method: 'GET',
  path: 'graph/imports/:id',
  id: 'showImport',
  summary: 'How an import stands',
  about: 'How the file was read, or how far it is imported, and what became of it.',
});

export const READ = administrative({
  ...one,
  method: 'POST',
  path: 'graph/imports/:id/read',
  id: 'readImport',
  summary: 'Read a file in another way',
  about: 'Nothing of it is in the graph. `bonafide graph import --dry-run`.',
  body: schema.importReading,
  examples,
});

export const START = administrative({
  ...one,
  method: 'POST',
  path: 'graph/imports/:id/start',
  id: 'startImport',
  summary: 'Import a file',
  about:
    'It goes on when this is answered, and is there as a whole or not at all. `graph/import/undo` takes it back. `bonafide graph import`.',
  body: schema.importReading,
  examples,
});

export const DROP = administrative({
  ...one,
  method: 'POST',
  path: 'graph/imports/:id/drop',
  id: 'dropImport',
  summary: 'Drop a file',
  about:
    'An import that is at work is stopped, and changes nothing; where that came too late, it answers `done` and stays.',
});
