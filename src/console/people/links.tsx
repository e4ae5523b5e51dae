// Why the records of an identity are one person: the match weight of each pair, as a drawing and as a table.
import { useState } from 'preact/hooks';
import { getJson } from '../app/api.ts';
import { useAction } from '../app/hooks.ts';
import type { IdentityLinks, IdentityRecord } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote, Note } from '../components/feedback.tsx';
import { formatNumber, formatSigned, formatCount } from '../components/format.ts';
import { Card } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import {
  describeLinkRole,
  type MarkedLink,
  markSpanningTreeLinks,
  listPointsOnEllipse,
} from './link-graph.ts';

const MAX_RECORDS = 8;

export function LinksCard({ identity, records }: { identity: number; records: IdentityRecord[] }) {
  const compared = records.slice(0, MAX_RECORDS);
  const [links, setLinks] = useState<MarkedLink[] | null>(null);
  const { isRunning, problem, run } = useAction();
  const compare = () =>
    run(async () => {
      const answer = await getJson<IdentityLinks>(`/admin/v1/graph/identities/${identity}/links`);
      setLinks(markSpanningTreeLinks(answer.links));
    });
  return (
    <Card
      title="Links"
      about="Match weight of each pair of records: 3 bits are odds of 8 to 1 that two records are one person. Reads every record of the graph."
      end={
        records.length === 1 ? null : (
          <Button small disabled={isRunning} onClick={compare}>
            {isRunning ? 'Comparing…' : `Compare ${formatCount(compared.length, 'record')}`}
          </Button>
        )
      }
    >
      {records.length > compared.length ? (
        <Note>
          Only the first {MAX_RECORDS} of {formatNumber(records.length)} records are compared. For other
          pairs, run <code>bonafide graph why</code> on the server.
        </Note>
      ) : null}
      {records.length === 1 ? <p class="soft">The identity has one record and no links.</p> : null}
      <ErrorNote problem={problem} />
      {links ? (
        <>
          <Drawing recordCount={compared.length} links={links} />
          <LinkTable records={compared} links={links} />
        </>
      ) : null}
    </Card>
  );
}

const WIDTH = 400;
const HEIGHT = 300;
/**
 * Maximum number of records for which a drawing shows the weights of all required links. With more records, only the strongest and weakest
 * weight fit.
 */
const MAX_LABELLED = 5;

function Drawing({ recordCount, links }: { recordCount: number; links: MarkedLink[] }) {
  const points = listPointsOnEllipse(recordCount, WIDTH, HEIGHT);
  const at = (i: number) => points[i] ?? { x: 0, y: 0 };
  return (
    <svg
      class="links"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Links of ${formatCount(recordCount, 'record')}. The table below contains the same data.`}
    >
      {links.toReversed().map((link) => {
        const { x: x1, y: y1 } = at(link.a);
        const { x: x2, y: y2 } = at(link.b);
        return <line key={`${link.a} ${link.b}`} class={classOf(link)} {...{ x1, y1, x2, y2 }} />;
      })}
      {points.map(({ x, y }, i) => (
        <g key={i} transform={`translate(${x} ${y})`}>
          <circle r="17" />
          <text class="node" dy="5">
            {i + 1}
          </text>
        </g>
      ))}
      {links
        .filter(({ isRequired, mark }) => mark || (isRequired && recordCount <= MAX_LABELLED))
        .map((link) => {
          // The label is before the middle of its line, because lines cross in the middle.
          const [from, to] = [at(link.a), at(link.b)];
          const [x, y] = [from.x + (to.x - from.x) * 0.4, from.y + (to.y - from.y) * 0.4];
          return (
            <text key={`${link.a} ${link.b}`} class={`weight ${link.mark ?? ''}`} x={x} y={y} dy="5">
              {formatSigned(link.bits ?? 0)}
            </text>
          );
        })}
    </svg>
  );
}

function classOf({ bits, conflict, needed, mark, isRequired }: MarkedLink): string {
  if (conflict || bits === null) return 'never';
  return `${bits < needed ? 'weak' : ''} ${mark ?? (isRequired ? 'required' : '')}`;
}

const formatBits = (bits: number | null): string => (bits === null ? 'never' : formatSigned(bits));

const LinkTable = ({ records, links }: { records: IdentityRecord[]; links: MarkedLink[] }) => (
  <Table
    label="Links"
    rows={links}
    columns={[
      {
        head: 'Records',
        isRowHead: true,
        cell: ({ a, b }) => (
          <span title={[records[a], records[b]].map((record) => record?.record_id ?? '').join(' – ')}>
            {a + 1} and {b + 1}
          </span>
        ),
      },
      { head: 'Bits', end: true, cell: ({ bits }) => formatBits(bits) },
      {
        head: 'Link',
        cell: (link) => (link.mark ? <b>{describeLinkRole(link)}</b> : describeLinkRole(link)),
      },
      {
        head: 'Evidence',
        cell: ({ evidence }) => (
          <details class="evidence">
            <summary>{formatCount(evidence.length, 'reason')}</summary>
            <ul class="small">
              {evidence.map(({ bits, what }, i) => (
                <li key={i}>
                  <span class="number">{formatBits(bits)}</span> <bdi>{what}</bdi>
                </li>
              ))}
            </ul>
          </details>
        ),
      },
    ]}
  />
);
