// Where the records come from, and taking all of one source out.
import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Empty } from '../parts/parts.tsx';
import { count, dayText, plural } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';

export interface Source {
  source: string;
  records: number;
  first_seen: string | null;
  last_seen: string | null;
}

export function Sources({ items, onGone }: { items: Source[]; onGone(): void }) {
  const [asked, ask] = useState<Source | null>(null);
  if (items.length === 0)
    return (
      <Empty title="No records yet">
        <p>Import a file, here or on the machine.</p>
      </Empty>
    );
  const all = items.reduce((sum, { records }) => sum + records, 0);
  return (
    <>
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
              <th scope="col" class="wide">
                To
              </th>
              <th scope="col">
                <span class="unseen">Take out</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((one) => (
              <Row key={one.source} of={one} all={all} remove={() => ask(one)} />
            ))}
          </tbody>
        </table>
      </div>
      {asked ? <Remove of={asked} close={() => ask(null)} onGone={onGone} /> : null}
    </>
  );
}

const Row = ({
  of: { source, records, first_seen: first, last_seen: last },
  all,
  remove,
}: {
  of: Source;
  all: number;
  remove(): void;
}) => (
  <tr>
    <td class="name">
      <bdi>{source}</bdi>
    </td>
    <td class="end number">{count(records)}</td>
    <td class="wide" style={{ width: '30%' }}>
      <span class="meter" aria-hidden="true">
        <i style={{ width: `${(records / all) * 100}%` }} />
      </span>
    </td>
    <td class="wide number">{first ? dayText(first) : '–'}</td>
    <td class="wide number">{last ? dayText(last) : '–'}</td>
    <td class="end">
      <button type="button" class="button small quiet" aria-label={`Take out ${source}`} onClick={remove}>
        Take out
      </button>
    </td>
  </tr>
);

function Remove({ of: { source, records }, close, onGone }: { of: Source; close(): void; onGone(): void }) {
  const act = useAct();
  const remove = async () => {
    await post('/admin/v1/graph/sources/remove', { source });
    toast(
      <>
        <bdi>{source}</bdi> is out of the graph.
      </>,
    );
    onGone();
  };
  return (
    <Confirm
      title={
        <>
          Take <bdi>{source}</bdi> out?
        </>
      }
      yes="Take it out"
      act={act}
      does={remove}
      close={close}
    >
      <p>
        {plural(records, 'record')} of <bdi>{source}</bdi> {records === 1 ? 'goes' : 'go'} out of the graph.
        This cannot be undone: to have them again, import the file again. Who is to be forgotten for good is
        forgotten under <i>People</i>.
      </p>
    </Confirm>
  );
}
