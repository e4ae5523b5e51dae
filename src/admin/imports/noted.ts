// What the audit log says of an import.
import { sourcesNoted } from '../../people/erase/receipt.ts';
import { sourceFromFileName } from '../../import/read.ts';
import type { ImportView } from './import.ts';

/** Counts and sources; the name of the file is not kept. */
export function noted({ name, reading, found }: ImportView) {
  const sources = (found?.sources ?? []).map(({ source }) => source);
  const { target, detail } = sourcesNoted(
    sources,
    reading.source === undefined ? [sourceFromFileName(name)] : [],
  );
  return { target, detail: { ...found?.became, ...detail } };
}
