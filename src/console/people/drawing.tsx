// An identity's records as a small graph, and the same as a table.
import { plural, signed } from '../parts/text.ts';
import { linkWords, placesOf } from './links.ts';
import type { Marked } from './links.ts';
import type { RecordName } from './types.ts';

const WIDTH = 400;
const HEIGHT = 300;
/** With more records there is room for the weights of two links; the table has all. */
const MOST_TAGGED = 5;

interface LinksProps {
  /** The records, numbered from 1 as in the list beside. */
  records: RecordName[];
  links: Marked[];
}

const bitsText = (bits: number | null): string => (bits === null ? 'never' : signed(bits));

/** Records are numbers in it, so that no name can be too long for it. */
export function Drawing({ records, links }: LinksProps) {
  const places = placesOf(records.length, WIDTH, HEIGHT);
  const at = (i: number) => places[i] ?? { x: 0, y: 0 };
  return (
    <svg
      class="links"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${plural(records.length, 'record')} and what links them; the table below tells the same`}
    >
      {links.toReversed().map((link) => {
        const [from, to] = [at(link.a), at(link.b)];
        return (
          <line
            key={`${link.a} ${link.b}`}
            class={classOf(link)}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        );
      })}
      {records.map((_, i) => (
        <g key={i} transform={`translate(${at(i).x} ${at(i).y})`}>
          <circle r="17" />
          <text class="node" dy="5">
            {i + 1}
          </text>
        </g>
      ))}
      {links
        .filter(({ holds, mark }) => mark || (holds && records.length <= MOST_TAGGED))
        .map((link) => (
          <Weight key={`${link.a} ${link.b}`} link={link} from={at(link.a)} to={at(link.b)} />
        ))}
    </svg>
  );
}

interface Place {
  x: number;
  y: number;
}

const TAG = 11;

function Weight({ link, from, to }: { link: Marked; from: Place; to: Place }) {
  const text = `${link.mark ? `${link.mark} ` : ''}${signed(link.why.bits ?? 0)}`;
  const wide = text.length * 7.2 + 12;
  const { x, y } = tagPlace(from, to);
  const within = Math.min(Math.max(x, wide / 2 + 2), WIDTH - wide / 2 - 2);
  return (
    <g transform={`translate(${within} ${Math.min(Math.max(y, TAG + 1), HEIGHT - TAG - 1)})`}>
      <rect class={`tag ${link.mark ?? ''}`} x={-wide / 2} y={-TAG} width={wide} height={2 * TAG} rx={TAG} />
      <text class={`tag ${link.mark ?? ''}`} dy="4.5">
        {text}
      </text>
    </g>
  );
}

/** Less than half way, where lines that cross in the middle leave room; beside a short line, on its outer side. */
function tagPlace(from: Place, to: Place): Place {
  const short = Math.hypot(to.x - from.x, to.y - from.y) < 120;
  const part = short ? 0.5 : 0.4;
  const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
  const [outX, outY] = [x - WIDTH / 2, y - HEIGHT / 2];
  const out = short ? 26 / Math.max(1, Math.hypot(outX, outY)) : 0;
  return { x: x + outX * out, y: y + outY * out };
}

function classOf({ why: { bits, conflict, needed }, mark, holds }: Marked): string {
  if (conflict || bits === null) return 'never';
  return `${bits < needed ? 'weak' : ''} ${mark ?? (holds ? 'holds' : 'spare')}`;
}

export const LinkTable = ({ records, links }: LinksProps) => (
  <div class="scroll" role="region" aria-label="Links, as a table" tabIndex={0}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Records</th>
          <th scope="col" class="end">
            Bits
          </th>
          <th scope="col">The link</th>
          <th scope="col">For and against</th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr key={`${link.a} ${link.b}`}>
            <th scope="row" class="number">
              <span title={titleOf(records, link)}>
                {link.a + 1} and {link.b + 1}
              </span>
            </th>
            <td class="end number">{bitsText(link.why.bits)}</td>
            <td>{link.mark ? <b>{linkWords(link)}</b> : linkWords(link)}</td>
            <td class="evidence">
              <details>
                <summary>{plural(link.why.evidence.length, 'reason')}</summary>
                <ul class="small">
                  {link.why.evidence.map(({ bits, what }, i) => (
                    <li key={i}>
                      <span class="number">{bitsText(bits)}</span> <bdi>{what}</bdi>
                    </li>
                  ))}
                </ul>
              </details>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const titleOf = (records: RecordName[], { a, b }: Marked): string =>
  [records[a], records[b]].map((record) => record?.record_id ?? '').join(' – ');
