// What checks look people up in: its size, where it comes from, and a file into it.
import { useLoad } from '../api/use.ts';
import { Bones, Card, Empty, Note, PageHead, Time, Trouble } from '../parts/parts.tsx';
import { compact, count, dayText } from '../parts/text.ts';
import { Import } from './import.tsx';

interface Graph {
  records: number;
  identities: number;
  unlinked: number;
  linked_at: string | null;
  settled: boolean;
  warnings: string[];
  counted: string;
}

interface Source {
  source: string;
  records: number;
  first_seen: string | null;
  last_seen: string | null;
}

export function GraphPage() {
  const graph = useLoad<Graph>('/admin/v1/graph');
  const sources = useLoad<{ items: Source[] }>('/admin/v1/graph/sources');
  const again = () => {
    graph.again();
    sources.again();
  };
  return (
    <>
      <PageHead
        title="Graph"
        about="The records that checks look people up in. E-mails, phones and addresses are kept as fingerprints only: this page cannot show them either."
      >
        <button type="button" class="button" onClick={again}>
          Refresh
        </button>
      </PageHead>
      <Trouble problem={graph.problem} again={graph.again} />
      {(graph.data?.warnings ?? []).map((text) => (
        <Note key={text} tone="care">
          {text}
        </Note>
      ))}
      {graph.data ? <Sizes of={graph.data} /> : graph.problem ? null : <Bones lines={3} />}
      <Import onDone={again} />
      <Card title="Sources" flush>
        {sources.problem ? (
          <Trouble problem={sources.problem} again={sources.again} />
        ) : sources.data ? (
          <Sources items={sources.data.items} />
        ) : (
          <Bones lines={4} />
        )}
      </Card>
      <Note>
        Finding and forgetting a person, and why two records are one identity: on the machine,{' '}
        <code>bonafide graph find</code>, <code>graph forget</code>, <code>graph why</code> and{' '}
        <code>graph show</code>.
      </Note>
    </>
  );
}

const Sizes = ({
  of: { records, identities, unlinked, linked_at: linked, settled, counted },
}: {
  of: Graph;
}) => (
  <>
    <div class="tiles">
      <Tile what="Records" figure={compact(records)} />
      <Tile what="Identities" figure={compact(identities)} />
      <Tile what="Records an identity" figure={identities === 0 ? '–' : (records / identities).toFixed(2)} />
      <Tile what="Not linked yet" figure={compact(unlinked)} />
    </div>
    <p class="small soft">
      Linked <Time at={linked} />,{' '}
      {settled
        ? 'with the identities that linking everything anew would give'
        : 'and about to be linked anew'}
      . Counted <Time at={counted} />.
    </p>
  </>
);

const Tile = ({ what, figure }: { what: string; figure: string }) => (
  <div class="card tile">
    <span class="what">{what}</span>
    <span class="figure">{figure}</span>
  </div>
);

function Sources({ items }: { items: Source[] }) {
  if (items.length === 0)
    return (
      <Empty title="No records yet">
        <p>Import a file, here or on the machine.</p>
      </Empty>
    );
  const most = Math.max(...items.map(({ records }) => records));
  return (
    <div class="scroll" role="region" aria-label="Sources, as a table" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" class="end">
              Records
            </th>
            <th scope="col" class="wide">
              Share
            </th>
            <th scope="col" class="wide">
              From
            </th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ source, records, first_seen: first, last_seen: last }) => (
            <tr key={source}>
              <td class="name">
                <bdi>{source}</bdi>
              </td>
              <td class="end number">{count(records)}</td>
              <td class="wide" style={{ width: '30%' }}>
                <span class="meter" aria-hidden="true">
                  <i style={{ width: `${(records / most) * 100}%` }} />
                </span>
              </td>
              <td class="wide number">{first ? dayText(first) : '–'}</td>
              <td class="number">{last ? dayText(last) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
