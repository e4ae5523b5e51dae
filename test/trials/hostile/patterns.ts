// Collects the regular expressions of the source, and proves them linear: RECHECK=…/node_modules/recheck node test/trials/hostile/patterns.ts
// prints the proved ones for test/fixtures/patterns.txt (recheck 4.5.0, MIT; some minutes).
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { readSources } from '../../kit/arrows.ts';

/** A regular expression literal with a quantifier. Other patterns take constant time at each position. */
export interface Pattern {
  file: string;
  text: string;
  source: string;
  flags: string;
}

export function collectPatterns(): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const { file, text } of readSources(fileURLToPath(new URL('../../..', import.meta.url)), [
    'src',
    'plugins',
  ])) {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      const source = regex?.pattern;
      if (regex && source !== undefined && /[*+?{]/.test(source.replaceAll(/\\[pP]\{/g, ''))) {
        const { flags } = regex;
        patterns.set(`/${source}/${flags}`, { file, text: `/${source}/${flags}`, source, flags });
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  }
  return [...patterns.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

if (process.env.RECHECK !== undefined) {
  const { checkSync } = createRequire(import.meta.url)(process.env.RECHECK) as {
    checkSync(source: string, flags: string, options: object): { status: string; checker: string };
  };
  const searched: string[] = [];
  for (const { text, source, flags } of collectPatterns()) {
    const { status, checker } = checkSync(source, flags, { timeout: 8000 });
    if (status !== 'safe') continue;
    if (checker === 'automaton') process.stdout.write(`${text}\n`);
    else searched.push(text);
  }
  process.stdout.write(`# Searched for attacks without success, as no automaton can express them:\n`);
  process.stdout.write(`${searched.join('\n')}\n`);
}
