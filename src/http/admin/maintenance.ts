// Doctor and backups.
import * as v from 'valibot';
import { flag, list, named, object, orNull, pageOf, text, time, whole, word } from '../schema/parts.ts';
import { adminRoute, PAGING } from './route.ts';
import type { AdminDeps } from './route.ts';
import type { Route } from '../openapi/operation.ts';

const finding = object(
  {
    check: text('What was looked at.'),
    state: word(['ok', 'warning', 'bad'], 'How it is.'),
    says: text('What was found.'),
    todo: orNull(v.string(), 'What to do; null for nothing.'),
  },
  'A finding.',
);

export const doctor = named(
  'Doctor',
  {
    at_work: flag('A look is at work.'),
    last: orNull(
      object({ time: time('When it was begun.'), items: list(finding, 'In order.') }, 'The last look.'),
      'Null where nobody looked since the server began.',
    ),
  },
  'What the installation stands on.',
);

const backup = object(
  {
    name: text('Its file’s name, in the folder of the settings.'),
    time: time('When it was begun.'),
    bytes: whole('Its size.'),
    encrypted: flag('It takes a passphrase to read it.'),
  },
  'A backup.',
);

const askedFields = {
  name: text('The file that it becomes.'),
  started: time('When it was begun.'),
  ended: orNull(time(''), 'When it ended; null while it is at work.'),
  ok: flag('It is made, read back and compared.'),
};

export const askedBackup = named('AskedBackup', askedFields, 'A backup that was asked for.');

export const backups = named(
  'Backups',
  {
    ...pageOf('BackupPage', backup, '').entries,
    last: orNull(askedBackup, 'The one that this server was asked for last; null where none was.'),
  },
  'The backups in the folder of the settings, the newest first.',
);

export const MAINTENANCE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('GET doctor', 'showDoctor', {
    summary: 'What doctor found',
    about: 'The last look at everything that the installation stands on. `bonafide doctor`.',
    answers: doctor,
    handle: (_, service) => service.diagnose(false),
  }),
  adminRoute('POST doctor', 'examine', {
    summary: 'Have doctor look',
    about: 'Begins a look, which reads all databases and changes nothing; ask for it until none is at work.',
    answers: doctor,
    status: 202,
    handle: (_, service) => service.diagnose(true),
  }),
  adminRoute('GET backups', 'listBackups', {
    summary: 'The backups',
    about: 'Those in the folder of the setting `backup`; without the setting there are none.',
    query: PAGING,
    answers: backups,
    handle: ({ query }, service) => service.listBackups(query),
  }),
  adminRoute('POST backups', 'backUp', {
    of: 'backup',
    summary: 'Back up now',
    about:
      'Begins a backup into the folder of the setting `backup`, under a name of its own, encrypted and kept as the setting says; 404 without the setting. Where one is at work it is told. `last` of the list tells when it is there. `bonafide backup`.',
    answers: askedBackup,
    status: 202,
    handle: ({ now, actor }, service) => service.startBackup(now, actor),
  }),
];
