// What is in a file, and what became of it.
import { Note } from '../parts/parts.tsx';
import { count, plural } from '../parts/text.ts';
import type { Found } from './imports.ts';
import { asideOf, emptyText, grouped, listed } from './words.ts';

/** What was read, before anything of it is in the graph. */
export const Told = ({ found, bytes }: { found: Found; bytes: number }) => (
  <div class="stack tight">
    <p>
      {emptyText(found, bytes)}
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
      {[...found.learnt.map(grouped), ...asideOf(found)].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <Unusable found={found} />
  </div>
);

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

export function Became({ found }: { found: Found }) {
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
    </>
  );
}
