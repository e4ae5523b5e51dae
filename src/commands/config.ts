// bonafide config show | check | schema
import { fileSchema, readConfig, shown } from '../config.ts';
import { COMMON, defineCommand, print, table } from './command.ts';
import { requireUsable } from './config/usable.ts';

const show = defineCommand({
  meta: { name: 'show', description: 'Every setting, its value and where it came from; secrets are hidden' },
  args: COMMON,
  examples: ['config show', 'config show --config /etc/bonafide/bonafide.config.yaml'],
  async run({ args }) {
    const { config, origin } = await readConfig({ file: args.config, flags: { dataDir: args['data-dir'] } });
    const rows = shown(config, origin);
    const text = ({ value }: (typeof rows)[number]) =>
      value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
    print(
      args,
      Object.fromEntries(rows.map(({ setting, value, from }) => [setting, { value, from }])),
      table([['setting', 'value', 'from'], ...rows.map((row) => [row.setting, text(row), row.from])]),
    );
  },
});

const check = defineCommand({
  meta: {
    name: 'check',
    description: 'Whether the settings can be used, and the files that they name are there',
  },
  args: COMMON,
  examples: ['config check'],
  async run({ args }) {
    const { config } = await readConfig({ file: args.config, flags: { dataDir: args['data-dir'] } });
    requireUsable(config);
    print(args, { ok: true }, 'The settings are in order.');
  },
});

const schema = defineCommand({
  meta: { name: 'schema', description: 'The schema of the settings file (JSON Schema), for editors' },
  args: COMMON,
  examples: ['config schema > bonafide.schema.json'],
  async run() {
    process.stdout.write(`${JSON.stringify(await fileSchema(), null, 2)}\n`);
  },
});

export default defineCommand({
  meta: { name: 'config', description: 'Look at the settings' },
  subCommands: { show, check, schema },
});
