// An identity: its names, its records, what holds them together, and what can be done about it.
import { useState } from 'preact/hooks';
import { get } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import { Badge, Bones, Card, Note, Time, Trouble } from '../parts/parts.tsx';
import { count, dayText, plural } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import { lookAt, Names } from './find.tsx';
import { Forget } from './forget.tsx';
import { Join, Split } from './judge.tsx';
import { saveJson } from '../parts/save.ts';
import { referenceOf } from './types.ts';
import type { Card as Identity, Judged, Receipt, RecordName } from './types.ts';
import { Weigh } from './weigh.tsx';

interface IdentityProps {
  number: number;
  onForgotten(receipt: Receipt): void;
  onJudged(): void;
}

export function IdentityView({ number, onForgotten, onJudged }: IdentityProps) {
  const path = `/admin/v1/graph/identities/${number}`;
  const { data, problem, again } = useLoad<Identity>(path);
  const [came, setCame] = useState<Judged | null>(null);
  const judged = (what: Judged) => {
    setCame(what);
    onJudged();
    toast(`Judged: ${plural(what.identities.length, 'identity', 'identities')} now.`);
    const [first] = what.identities;
    if (first !== undefined && !what.identities.includes(number)) lookAt(first);
    else again();
  };
  if (problem) return <Trouble problem={problem} again={again} />;
  if (!data) return <Bones lines={6} />;
  const set = data.records.map(referenceOf).join('\n');
  return (
    <>
      {came?.identities.includes(data.identity) ? <Came judged={came} number={data.identity} /> : null}
      {data.merged_from === null ? null : (
        <Note>
          Identity {data.merged_from} is one with this one now, which has the number {data.identity}.
        </Note>
      )}
      <About identity={data} path={path} onJudged={judged} onForgotten={onForgotten} />
      <Records key={set} records={data.records} onJudged={judged} />
      <Weigh key={`${set} weighed`} records={data.records} />
    </>
  );
}

const Came = ({ judged: { id, identities }, number }: { judged: Judged; number: number }) => (
  <Note tone="good">
    Judgement {id}: the records are of{' '}
    {identities.map((one, i) => (
      <span key={one}>
        {i > 0 ? ', ' : ''}
        {one === number ? (
          `identity ${one}`
        ) : (
          <a href={`/console/graph?tab=people&identity=${one}`}>identity {one}</a>
        )}
      </span>
    ))}{' '}
    now. It can be undone under Judgements.
  </Note>
);

interface AboutProps {
  identity: Identity;
  path: string;
  onJudged(judged: Judged): void;
  onForgotten(receipt: Receipt): void;
}

function About({ identity: { identity, ...card }, path, onJudged, onForgotten }: AboutProps) {
  const [open, setOpen] = useState<'join' | 'forget' | null>(null);
  const close = () => setOpen(null);
  const act = useAct();
  const save = () => act.run(async () => saveJson(`identity-${identity}.json`, await get(`${path}/export`)));
  return (
    <Card
      title={`Identity ${identity}`}
      end={
        <>
          <button type="button" class="button small" disabled={act.busy} onClick={() => void save()}>
            Export
          </button>
          <button type="button" class="button small" onClick={() => setOpen('join')}>
            Join with…
          </button>
          <button type="button" class="button small danger" onClick={() => setOpen('forget')}>
            Forget…
          </button>
        </>
      }
    >
      <Trouble problem={act.problem} />
      <dl class="facts">
        <dt>Names</dt>
        <dd>
          <Names names={card.names} />
        </dd>
        <dt>First seen</dt>
        <dd>{card.first_seen ? dayText(card.first_seen) : '–'}</dd>
        <dt>Last seen</dt>
        <dd>
          <Time at={card.last_seen} none="–" />
        </dd>
      </dl>
      {open === 'join' ? <Join identity={identity} close={close} onJudged={onJudged} /> : null}
      {open === 'forget' ? <Forget identity={identity} close={close} onForgotten={onForgotten} /> : null}
    </Card>
  );
}

const SHOWN = 200;

function Records({ records, onJudged }: { records: RecordName[]; onJudged(judged: Judged): void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [splitting, setSplitting] = useState(false);
  const picked = records.filter((record) => chosen.has(referenceOf(record)));
  const pick = (name: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <Card
      flush
      title="Records"
      about={records.length > 1 ? 'Tick those that are somebody else’s, and split them off.' : undefined}
      end={
        <button
          type="button"
          class="button small"
          disabled={picked.length === 0 || picked.length === records.length}
          onClick={() => setSplitting(true)}
        >
          Split off {picked.length > 0 ? plural(picked.length, 'record') : '…'}
        </button>
      }
    >
      <div class="scroll" role="region" aria-label="Records, as a table" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Record</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {records.slice(0, SHOWN).map((record, i) => (
              <tr key={referenceOf(record)}>
                <td>
                  <label class="check number">
                    <input
                      type="checkbox"
                      aria-label={`Record ${i + 1} is somebody else’s`}
                      checked={chosen.has(referenceOf(record))}
                      onChange={() => pick(referenceOf(record))}
                    />
                    {i + 1}
                  </label>
                </td>
                <td class="name">
                  <bdi>{record.record_id}</bdi>
                </td>
                <td class="name">
                  <Badge>
                    <bdi>{record.source}</bdi>
                  </Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {records.length > SHOWN ? (
        <p class="more small soft">and {count(records.length - SHOWN)} more</p>
      ) : null}
      {splitting ? <Split records={picked} close={() => setSplitting(false)} onJudged={onJudged} /> : null}
    </Card>
  );
}
