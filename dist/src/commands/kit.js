// What the commands share: how one is defined, what --data-dir and --json mean, how things are printed.
import { defineCommand as cittyCommand } from 'citty';
import { loadConfig } from '../config.js';
import { BonafideError } from '../errors.js';
import { loadNameTables } from '../names/index.js';
export function defineCommand(command) {
    return cittyCommand(command);
}
/** Options that every command has. */
export const COMMON = {
    'data-dir': {
        type: 'string',
        description: 'Folder of the databases and the secret (BONAFIDE_DATA_DIR; default data/local)',
        valueHint: 'folder',
    },
    config: { type: 'string', description: 'Settings file (default bonafide.config.*)', valueHint: 'file' },
    json: { type: 'boolean', description: 'Print JSON for scripts' },
};
/** The option of the commands that load feature plugins. */
export const PLUGINS = {
    plugins: {
        type: 'string',
        description: 'Folders with feature plugins of your own (BONAFIDE_PLUGINS)',
        valueHint: 'folders',
    },
};
/** The settings, with what this command line says over them. The operator's own name tables are in use from here on. */
export async function configOf(args, flags = {}, defaultDataDir) {
    const config = await loadConfig({
        file: args.config,
        flags: { dataDir: args['data-dir'], ...flags },
        defaultDataDir,
    });
    for (const file of config.nameTables)
        loadNameTables(file);
    return config;
}
/** Prints to standard output: JSON with --json, the text else. */
export function print(args, data, text) {
    process.stdout.write(args.json ? `${JSON.stringify(data)}\n` : `${text}\n`);
}
/** Every value of an option that may be repeated, in order: citty itself keeps only the last. */
export function everyValue(rawArgs, option) {
    const values = [];
    for (let i = 0; i < rawArgs.length && rawArgs[i] !== '--'; i++) {
        const arg = rawArgs[i];
        if (arg === `--${option}`)
            values.push(rawArgs[++i] ?? '');
        else if (arg.startsWith(`--${option}=`))
            values.push(arg.slice(option.length + 3));
    }
    return values;
}
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** `24h`, `30m`, `7d`, `0s` as milliseconds. Throws invalid_arguments. */
export function duration(text, option) {
    const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    if (!unit)
        throw new BonafideError('invalid_arguments', `--${option} must be a time such as 30m, 24h or 7d.`);
    return Number(count) * UNITS[unit];
}
/** Rows of words in columns, two spaces apart. */
export function table(rows) {
    const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i].length)));
    return rows
        .map((row) => row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd())
        .join('\n');
}
