// bonafide names compare A B: how two names stand to each other, for a person to read.
import { defineCommand } from 'citty';
import { BonafideError } from '../errors.js';
import { compareNames, loadNameTables } from '../names/index.js';
/** The comparison as lines of text: the verdict, the words side by side, what a reviewer should look at. */
export function formatComparison(a, b, result) {
    const width = Math.max(a.length, ...result.alignment.map((row) => row.a.length), 5) + 2;
    const middle = Math.max(b.length, ...result.alignment.map((row) => row.b.length), 5) + 2;
    const lines = [
        `${result.same ? 'could be one person' : 'two people, as far as the names tell'}: ${Math.round(result.confidence)} of 100, ${result.variation}`,
        '',
        `  ${a.padEnd(width)}${b.padEnd(middle)}`,
        ...result.alignment.map((row) => `  ${(row.a || '-').padEnd(width)}${(row.b || '-').padEnd(middle)}${mark(row)}`),
        '',
        result.explanation,
        ...result.concerns.map((concern) => `! ${concern}`),
    ];
    return lines.join('\n');
}
function mark(row) {
    return row.relation === 'missing' ? 'missing' : `${row.relation} ${row.quality.toFixed(2)}`;
}
const compare = defineCommand({
    meta: { name: 'compare', description: 'Compare two names and show word by word what agrees' },
    args: {
        a: { type: 'positional', description: 'One name, in quotation marks', required: true },
        b: { type: 'positional', description: 'The other name, in quotation marks', required: true },
        json: { type: 'boolean', description: 'Print the comparison as JSON', default: false },
        tables: { type: 'string', description: 'A name table of your own, added to the shipped ones' },
    },
    run({ args }) {
        if (!/\p{L}/u.test(args.a) || !/\p{L}/u.test(args.b)) {
            throw new BonafideError('invalid_arguments', 'Give two names, each with at least one letter, in quotation marks.');
        }
        if (args.tables)
            loadNameTables(args.tables);
        const result = compareNames(args.a, args.b);
        console.log(args.json ? JSON.stringify(result, null, 2) : formatComparison(args.a, args.b, result));
    },
});
export default defineCommand({
    meta: { name: 'names', description: 'Compare names of people' },
    subCommands: { compare },
});
