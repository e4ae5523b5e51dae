import type { Route } from '../openapi/operation.ts';
import { createNotFoundProblemError } from '../problems.ts';
import * as s from '../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from './route.ts';

const finding = s.object('Result of one check.', {
  check: s.string('What was checked.'),
  state: s.oneOf(['ok', 'warning', 'bad'], 'Result of the check.'),
  says: s.string('What was found.'),
  todo: s.nullableString('What to do; null for nothing.'),
});
export const doctorReportSchema = s.openApiObject('Doctor', 'State of the installation.', {
  at_work: s.boolean('True while a diagnosis is running.'),
  last: s.nullable(
    s.object('The last diagnosis.', {
      time: s.timestamp('When it was started.'),
      items: s.list(finding, 'In order.'),
    }),
    'Null if none was made since the server started.',
  ),
});

const backup = s.object('A backup.', {
  name: s.string('Name of its file, in the folder of the setting `backup`.'),
  time: s.timestamp('When it was started.'),
  bytes: s.integer('Size of the file.'),
  encrypted: s.boolean('True if a passphrase is needed to read it.'),
});
const requestedBackupSchema = s.openApiObject('AskedBackup', 'A backup that was requested over HTTP.', {
  name: s.string('Name of its file.'),
  started: s.timestamp('When it was started.'),
  ended: s.nullableTimestamp('When it ended; null while it is running.'),
  ok: s.boolean('True if it was made, read back and compared.'),
});
const backupPageSchema = s.openApiObject(
  'Backups',
  'Backups in the folder of the setting `backup`, newest first.',
  {
    ...s.createPageSchema('BackupPage', backup, '').entries,
    last: s.nullable(
      requestedBackupSchema,
      'The last backup that was requested of this server; null if none was.',
    ),
  },
);

const NO_BACKUP_FOLDER =
  'This server has no folder for backups. Set `backup` in its settings, such as BONAFIDE_BACKUP=every=24h,to=/backups, and restart it.';

export const MAINTENANCE_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('GET doctor', 'showDoctor', {
    summary: 'Show the last diagnosis',
    about: 'The last check of everything that the installation needs.',
    command: 'doctor',
    answers: doctorReportSchema,
    handle: (_, service) => service.diagnose(false),
  }),
  declareAdminRoute('POST doctor', 'examine', {
    summary: 'Run a diagnosis',
    about: 'Reads all databases and changes nothing. Poll `GET doctor` until `at_work` is false.',
    answers: doctorReportSchema,
    status: 202,
    handle: (_, service) => service.diagnose(true),
  }),
  declareAdminRoute('GET backups', 'listBackups', {
    summary: 'List backups',
    about: 'Backups in the folder of the setting `backup`; an empty list without the setting.',
    query: s.PAGING_PARAMETERS,
    answers: backupPageSchema,
    handle: ({ query }, service) => service.listBackups(query),
  }),
  declareAdminRoute('POST backups', 'backUp', {
    noun: 'backup',
    summary: 'Start a backup',
    about:
      'Writes a backup with a new name into the folder of the setting `backup`, encrypted and kept as the setting says; 404 without the setting. If a backup is running, the answer is that one. `last` of the list tells when it is done.',
    command: 'backup',
    answers: requestedBackupSchema,
    status: 202,
    async handle({ now, actor }, service) {
      const started = await service.startBackup(now, actor);
      if (started === null) throw createNotFoundProblemError(NO_BACKUP_FOLDER);
      return started;
    },
  }),
];
