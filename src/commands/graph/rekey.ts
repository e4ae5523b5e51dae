// bonafide graph rekey: a new secret for the graph.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { enginesOf, DEFAULT_GRAPH } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { holdingText } from '../../evaluate/report/words.ts';
import { storeSecretCheck } from '../../graph/encryption/fingerprints.ts';
import { loadSecret, parseSecret } from '../../graph/encryption/secret.ts';
import { graphFile } from '../../graph/sqlite/open.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { replaceFile } from '../../platform/files.ts';
import { rekey } from '../../people/rekey.ts';
import { updateSharedSecret } from '../../store/open.ts';
import { recordAction } from '../shared/open.ts';
import { COMMON_OPTIONS, loadSettings, defineCommand, print } from '../shared/command.ts';
import { confirmOrThrow, recordsProgressBar } from '../shared/terminal.ts';

export const rekeyCommand = defineCommand({
  meta: {
    name: 'rekey',
    description: 'Give the graph a new secret: all of it or nothing; the server must be stopped',
  },
  args: {
    to: {
      type: 'string',
      description:
        'The file that the new secret is read from, or written to where there is none: needed where it comes from BONAFIDE_SECRET',
      valueHint: 'file',
    },
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
    ...COMMON_OPTIONS,
  },
  examples: ['graph rekey', 'graph rekey --to /etc/bonafide/secret.new --yes'],
  async run({ args }) {
    const config = await loadSettings(args);
    const { dataDir, secret, graph = DEFAULT_GRAPH } = config;
    if (!enginesOf(graph).includes('sqlite'))
      throw new BonafideError(
        'invalid_arguments',
        enginesOf(graph).includes('postgres')
          ? 'A graph in PostgreSQL gets a new secret in files: stop what uses it, bring it back with bonafide migrate-to sqlite --only graph, rekey it there, and move it into an empty database. The page PostgreSQL tells how.'
          : 'Only the embedded graph (sqlite) has a secret of its own.',
      );
    if (!existsSync(graphFile(dataDir)))
      throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}: import records first.`);
    const ownFile = secret === undefined;
    if (!ownFile && args.to === undefined)
      throw new BonafideError(
        'invalid_arguments',
        'The secret comes from BONAFIDE_SECRET: say with --to FILE where the new one goes, and set the variable to it afterwards.',
      );
    await confirmOrThrow(
      'Give the graph a new secret? Backups of before need the secret of before.',
      args.yes === true,
    );
    const next = nextSecret(dataDir, args.to);
    const bar = recordsProgressBar(args.json === true, 'a new secret');
    const onProgress = ({ phase, done }: { phase: string; done: number }) =>
      bar.show({ phase: phase === 'publishing' ? phase : 'linking', records: 0, done });
    const options = {
      dataDir,
      secret: loadSecret(dataDir, secret),
      next,
      ownFile,
      onProgress,
    };
    const done = await rekey(options).finally(bar.stop);
    const noted = { act: 'graph.rekey', target: '', detail: { ...done } } as const;
    recordAction(config, noted, (store, place) => updateSharedSecret(place, store, storeSecretCheck(next)));
    const lines = [
      `${holdingText(done)} ${done.records === 1 ? 'is' : 'are'} under a new secret, with the numbers that they had`,
      ...(ownFile ? [] : [`set BONAFIDE_SECRET to what ${args.to} holds before anything else is run`]),
      'backups of before open with the secret of before only; keep a copy of the new one apart from the databases',
    ];
    print(args, done, lines.join('\n'));
  },
});

/** A file that is there has it, so that a run that was cut short can be run again. */
function nextSecret(dataDir: string, file: string | undefined): string {
  if (file === undefined) return randomBytes(32).toString('hex');
  refuseOwnFile(dataDir, file);
  if (existsSync(file)) return parseSecret(readFileSync(file, 'utf8'), file);
  const secret = randomBytes(32).toString('hex');
  replaceFile(file, `${secret}\n`);
  return secret;
}
