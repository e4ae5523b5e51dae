import { checkOnce } from '../app.js';
import { BonafideError } from '../errors.js';
import { ProblemError } from '../http/problems.js';
import { COMMON, configOf, defineCommand, everyValue, print, table } from './kit.js';
export default defineCommand({
    meta: { name: 'check', description: 'Check one person against the graph, without a server' },
    args: {
        ...COMMON,
        name: { type: 'string', description: "The person's full name", required: true },
        email: { type: 'string', description: 'An email address; up to 5 times' },
        phone: { type: 'string', description: 'A phone number; up to 5 times' },
        address: { type: 'string', description: 'An address on one line; up to 5 times' },
        region: { type: 'string', description: 'Country of numbers without a country code (default US)' },
    },
    examples: [
        'check --name "Jane Doe" --email jane@example.com --phone "+1 415 555 0100"',
        'check --name "Jane Doe" --address "1 Main Street, Springfield, IL 62701" --json',
    ],
    async run({ args, rawArgs }) {
        const config = await configOf(args, { region: args.region });
        const every = (option) => everyValue(rawArgs, option);
        const body = {
            name: args.name,
            emails: every('email'),
            phones: every('phone'),
            addresses: every('address').map((street) => ({ street })),
        };
        const { verdict, response } = await checkOnce(config, body).catch((error) => {
            throw error instanceof ProblemError ? inFlags(error) : error;
        });
        print(args, response, card(verdict));
    },
});
/** A problem of the request, said in the options of this command. */
function inFlags({ problem }) {
    const [first] = problem.errors ?? [];
    const [, field = '', index = '0'] = /^\/([a-z]+)(?:\/(\d+))?/.exec(first?.pointer ?? '') ?? [];
    const option = { name: 'name', emails: 'email', phones: 'phone', addresses: 'address' }[field];
    const which = option && option !== 'name' ? ` (number ${Number(index) + 1})` : '';
    const text = first ? first.detail : problem.detail;
    return new BonafideError('invalid_arguments', option ? `--${option}${which}: ${text}` : text);
}
const MARKS = { primary: '+', secondary: '+', different: '!', unverified: '-' };
const WORDS = {
    primary: 'primary match',
    secondary: 'secondary match',
    different: 'another identity',
    unverified: 'no matching record',
};
function card(verdict) {
    const { score, band, confidence, message, summary, insights, dominant, history } = verdict;
    const rows = [
        row('name', verdict.name),
        ...verdict.emails.map((value) => row('email', value)),
        ...verdict.phones.map((value) => row('phone', value)),
        ...verdict.addresses.map((value) => row('address', { ...value, input: oneLine(value.input) })),
    ];
    const seen = history.firstSeen === null ? [] : [`Seen ${day(history.firstSeen)} to ${day(history.lastSeen)}`];
    const identity = dominant === null ? [] : [`Identity ${dominant}`];
    // The message's sentence is the summary's first: a reader needs it once.
    const sentence = message.slice(message.indexOf(': ') + 2);
    const more = summary.slice(sentence.length).trim();
    return [
        `${score} / 100  ${band}, confidence ${confidence}${verdict.catfish ? ', possible catfish' : ''}`,
        message,
        '',
        table(rows),
        '',
        ...(more === '' ? [] : [more]),
        ...insights.filter((text) => text !== summary).map((text) => `* ${text}`),
        ...[...identity, ...seen].join('. ').split('\n').filter(Boolean),
    ].join('\n');
}
function row(label, { input, status, identity }) {
    const words = status === 'different' ? `${WORDS[status]} (${identity})` : WORDS[status];
    return [MARKS[status], label, words, input];
}
const oneLine = (address) => Object.values(address).filter(Boolean).join(', ');
const day = (time) => (time === null ? 'now' : new Date(time).toISOString().slice(0, 10));
