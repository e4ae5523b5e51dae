import { BonafideError } from '../errors.js';
import { createKey, listKeys, revokeKey, rotateKey } from '../store/sqlite/keys.js';
import { openStore, storeFile } from '../store/sqlite/open.js';
import { COMMON, configOf, defineCommand, duration, print, table } from './kit.js';
const SCOPES = ['validate', 'raw', 'admin'];
const ID = {
    id: { type: 'positional', description: 'The key, as `keys list` shows it: key_…', required: true },
};
async function withStore(args, work) {
    const { dataDir } = await configOf(args);
    const store = openStore({ file: storeFile(dataDir) });
    try {
        return work(store);
    }
    finally {
        store.close();
    }
}
const create = defineCommand({
    meta: { name: 'create', description: 'Make an API key; it is shown once' },
    args: {
        ...COMMON,
        name: { type: 'string', description: 'What the key is for', required: true },
        scopes: {
            type: 'string',
            description: 'Words of validate, raw, admin, with commas',
            default: 'validate',
        },
        test: { type: 'boolean', description: 'A bf_test_ key' },
        expires: {
            type: 'string',
            description: 'Time until it ends, such as 90d (default never)',
            valueHint: 'time',
        },
    },
    examples: ['keys create --name shop', 'keys create --name audit --scopes validate,raw --expires 90d'],
    run: ({ args }) => withStore(args, (store) => {
        const now = Date.now();
        const name = args.name.trim();
        if (name === '' || name.length > 100)
            throw wrong('--name must have 1 to 100 characters.');
        const expires = args.expires === undefined ? null : now + duration(args.expires, 'expires');
        const made = createKey(store, { name, scopes: scopesOf(args.scopes), test: args.test, expires }, now);
        show(args, made);
    }),
});
const list = defineCommand({
    meta: { name: 'list', description: 'List the keys' },
    args: COMMON,
    examples: ['keys list', 'keys list --json'],
    run: ({ args }) => withStore(args, (store) => {
        const keys = listKeys(store);
        const now = Date.now();
        const rows = keys.map((key) => [
            key.id,
            `${key.prefix}…`,
            key.name,
            key.scopes.join(','),
            state(key, now),
        ]);
        const text = keys.length === 0 ? 'There are no keys. Make one: bonafide keys create --name NAME' : table(rows);
        print(args, keys.map(view), text);
    }),
});
const revoke = defineCommand({
    meta: { name: 'revoke', description: 'Refuse a key from now on, and the key it replaced' },
    args: { ...ID, ...COMMON },
    examples: ['keys revoke key_4fJ2kQx81LmZ'],
    run: ({ args }) => withStore(args, (store) => {
        const key = revokeKey(store, args.id, Date.now());
        print(args, view(key), `${key.id} (${key.name}) is revoked.`);
    }),
});
const rotate = defineCommand({
    meta: { name: 'rotate', description: 'Replace a key; the old one stays valid for a time of grace' },
    args: {
        ...ID,
        ...COMMON,
        grace: {
            type: 'string',
            description: 'How long the old key stays valid',
            default: '24h',
            valueHint: 'time',
        },
    },
    examples: ['keys rotate key_4fJ2kQx81LmZ', 'keys rotate key_4fJ2kQx81LmZ --grace 7d'],
    run: ({ args }) => withStore(args, (store) => {
        const made = rotateKey(store, { id: args.id, graceMs: duration(args.grace, 'grace') }, Date.now());
        show(args, made, `${made.old.id} stays valid until ${time(made.old.expires)}.`);
    }),
});
export default defineCommand({
    meta: { name: 'keys', description: 'Make, list, revoke and rotate API keys' },
    subCommands: { create, list, revoke, rotate },
    examples: ['keys create --name shop', 'keys list'],
});
function show(args, { key, info }, also = '') {
    const text = `${key}\n\n${info.id} (${info.name}), scopes ${info.scopes.join(', ')}. It is shown only now. ${also}`;
    print(args, { key, ...view(info) }, text.trimEnd());
}
const wrong = (text) => new BonafideError('invalid_arguments', text);
function scopesOf(text) {
    const words = [...new Set(text.split(',').map((word) => word.trim()))];
    if (words.every((word) => SCOPES.includes(word)))
        return words;
    throw wrong(`--scopes takes words of ${SCOPES.join(', ')}, with commas.`);
}
const time = (at) => (at === null ? null : new Date(at).toISOString());
function view({ created, expires, revoked, rotatedTo, ...key }) {
    return {
        ...key,
        created: time(created),
        expires: time(expires),
        revoked: time(revoked),
        rotated_to: rotatedTo,
    };
}
function state({ revoked, expires, rotatedTo }, now) {
    if (revoked !== null)
        return `revoked ${time(revoked)}`;
    if (expires !== null && expires <= now)
        return `expired ${time(expires)}`;
    if (expires === null)
        return 'valid';
    return `valid until ${time(expires)}${rotatedTo ? `, replaced by ${rotatedTo}` : ''}`;
}
