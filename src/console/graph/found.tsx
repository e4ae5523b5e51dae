// What is in a file, and what became of it.
import { Note } from '../parts/parts.tsx';
import { count, plural } from '../parts/text.ts';
import type { Found } from './imports.ts';

/** What was read, before anything of it is in the graph. */
export const Told = ({ found }: { found: Found }) => (
  <div class="stack tight">
    <p>
      {plural(found.read, 'record')} can be used
      {found.rejected > 0 ? `, ${count(found.rejected)} cannot` : ''}.
      {found.sources.length > 0 ? (
        <>
          {' '}
          Of {found.sources.length === 1 ? 'the source' : 'the sources'}{' '}
          <bdi>{found.sources.map(({ source }) => source).join(', ')}</bdi>.
        </>
      ) : null}
    </p>
    <ul class="bullets small soft">
      {[...found.learnt, ...asideOf(found)].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <Unusable found={found} />
  </div>
);

/** Those of which there are any: `1 company and 3 guests and tests`. */
const listed = (...counts: [count: number, one: string, many: string][]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => plural(count, one, many))
    .join(' and ');

function asideOf({ companies, guests, others, merged, shared_ids: shared }: Found): string[] {
  return [
    companies + guests > 0
      ? `left out as no people: ${listed([companies, 'company', 'companies'], [guests, 'guest or test', 'guests and tests'])}`
      : '',
    others > 0 ? `rows that name somebody else too, whose name and address are left out: ${others}` : '',
    merged > 0 ? `rows with the id of another one, merged with it: ${merged}` : '',
    shared > 0 ? `ids that stand for several people, each with a record of their own: ${shared}` : '',
  ].filter((text) => text !== '');
}

function Unusable({ found: { rejected, dropped, unusable } }: { found: Found }) {
  if (rejected + dropped === 0) return null;
  const more = rejected + dropped - unusable.length;
  return (
    <details>
      <summary>
        {listed([rejected, 'record', 'records'], [dropped, 'value', 'values'])} that cannot be used
      </summary>
      <ul class="bullets small" style={{ paddingTop: '8px' }}>
        {unusable.map(({ line, whole, reason }, i) => (
          <li key={i}>
            Line {line}, {whole ? 'record' : 'value'}: {reason}
          </li>
        ))}
        {more > 0 ? <li>and {count(more)} more</li> : null}
      </ul>
    </details>
  );
}

export function Became({ found, undo, busy }: { found: Found; undo(): void; busy: boolean }) {
  const { became } = found;
  if (!became) return null;
  const { added, replaced, removed, barred } = became;
  return (
    <>
      <Note tone="good">
        {plural(added, 'record')} {added === 1 ? 'is' : 'are'} new in the graph
        {replaced > 0 ? `, ${count(replaced)} took the place of earlier ones` : ''}
        {removed > 0 ? `, ${count(removed)} are gone` : ''}. Checks see them.
        {barred > 0 ? ` ${count(barred)} were forgotten once, and are kept out.` : ''}
      </Note>
      <Unusable found={found} />
      <div class="row wrap">
        <button type="button" class="button danger" disabled={busy} onClick={undo}>
          Undo the import
        </button>
        <span class="hint">What it added goes, and what it replaced comes back: until the next import.</span>
      </div>
    </>
  );
}
