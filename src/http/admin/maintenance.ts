// Doctor and backups.
import * as v from 'valibot';
import {
  boolean,
  list,
  namedObject,
  object,
  nullable,
  pageSchema,
  string,
  timestamp,
  integer,
  oneOf,
} from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const finding = object(
  {
    check: string('What was looked at.'),
    state: oneOf(['ok', 'warning', 'bad'], 'How it is.'),
    says: string('What was found.'),
    todo: nullable(v.string(), 'What to do; null for nothing.'),
  },
  'A finding.',
);

export const doctorSchema = namedObject(
  'Doctor',
  {
    at_work: boolean('A look is at work.'),
    last: nullable(
      object({ time: timestamp('When it was begun.'), items: list(finding, 'In order.') }, 'The last look.'),
      'Null where nobody looked since the server began.',
    ),
  },
  'What the installation stands on.',
);

const backup = object(
  {
    name: string('Its file’s name, in the folder of the settings.'),
    time: timestamp('When it was begun.'),
    bytes: integer('Its size.'),
    encrypted: boolean('It takes a passphrase to read it.'),
  },
  'A backup.',
);

const askedFields = {
  name: string('The file that it becomes.'),
  started: timestamp('When it was begun.'),
  ended: nullable(timestamp(''), 'When it ended; null while it is at work.'),
  ok: boolean('It is made, read back and compared.'),
};

export const requestedBackupSchema = namedObject('AskedBackup', askedFields, 'A backup that was asked for.');

export const backupPageSchema = namedObject(
  'Backups',
  {
    ...pageSchema('BackupPage', backup, '').entries,
    last: nullable(
      requestedBackupSchema,
      'The one that this server was asked for last; null where none was.',
    ),
  },
  'The backups in the folder of the settings, the newest first.',
);

export const MAINTENANCE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET doctor', 'showDoctor', {
    summary: 'What doctor found',
    about: 'The last look at everything that the installation stands on. `bonafide doctor`.',
    answers: doctorSchema,
    handle: (_, service) => service.diagnose(false),
  }),
  adminRoute('POST doctor', 'examine', {
    summary: 'Have doctor look',
    about: 'Begins a look, which reads all databases and changes nothing; ask for it until none is at work.',
    answers: doctorSchema,
    status: 202,
    handle: (_, service) => service.diagnose(true),
  }),
  adminRoute('GET backups', 'listBackups', {
    summary: 'The backups',
    about: 'Those in the folder of the setting `backup`; without the setting there are none.',
    query: PAGING,
    answers: backupPageSchema,
    handle: ({ query }, service) => service.listBackups(query),
  }),
  adminRoute('POST backups', 'backUp', {
    of: 'backup',
    summary: 'Back up now',
    about:
      'Begins a backup into the folder of the setting `backup`, under a name of its own, encrypted and kept as the setting says; 404 without the setting. Where one is at work it is told. `last` of the list tells when it is there. `bonafide backup`.',
    answers: requestedBackupSchema,
    status: 202,
    handle: ({ now, actor }, service) => service.startBackup(now, actor),
  }),
];
