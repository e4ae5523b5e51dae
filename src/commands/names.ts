// Command `bonafide names compare`: the similarity of two names of people.
import { compareNames, loadOperatorNameTable, type NameComparison } from '../names/index.ts';
import { defineArgument, defineFlag, defineOption, createUsageError } from './helpers/arguments.ts';
import { defineCommandWithoutCommonOptions, defineCommandGroup } from './helpers/command.ts';

/** Formats a name comparison: the result, the words of both names side by side, an explanation, and hints for a reviewer. */
export function formatNameComparison(a: string, b: string, result: NameComparison): string {
  const widthA = Math.max(a.length, ...result.alignment.map((row) => row.a.length), 5) + 2;
  const widthB = Math.max(b.length, ...result.alignment.map((row) => row.b.length), 5) + 2;
  const verdict = result.same ? 'could be one person' : 'different people, judged by the names';
  return [
    `${verdict}: ${Math.round(result.confidence)} of 100, ${result.variation}`,
    '',
    `  ${a.padEnd(widthA)}${b.padEnd(widthB)}`,
    ...result.alignment.map(
      (row) => `  ${(row.a || '-').padEnd(widthA)}${(row.b || '-').padEnd(widthB)}${formatRelation(row)}`,
    ),
    '',
    result.explanation,
    ...result.concerns.map((concern) => `! ${concern}`),
  ].join('\n');
}

const formatRelation = ({ relation, quality }: NameComparison['alignment'][number]) =>
  relation === 'missing' ? relation : `${relation} ${quality.toFixed(2)}`;

const compare = defineCommandWithoutCommonOptions('Compare two names, word by word', {
  args: {
    a: defineArgument('A name, in quotation marks'),
    b: defineArgument('Another name, in quotation marks'),
    json: defineFlag('Print the comparison as JSON'),
    tables: defineOption('File with your own name table, in addition to the built-in tables'),
  },
  examples: ['names compare "Jane Quimby" "J. Quimby"'],
  run(args) {
    if (!/\p{L}/u.test(args.a) || !/\p{L}/u.test(args.b))
      throw createUsageError('Give two names in quotation marks. Each name needs at least one letter.');
    if (args.tables) loadOperatorNameTable(args.tables);
    const result = compareNames(args.a, args.b);
    const text = args.json ? JSON.stringify(result, null, 2) : formatNameComparison(args.a, args.b, result);
    process.stdout.write(`${text}\n`);
  },
});

export const namesCommands = defineCommandGroup('Compare names of people', {
  subCommands: { compare },
  examples: ['names compare "Jane Quimby" "J. Quimby"'],
});
