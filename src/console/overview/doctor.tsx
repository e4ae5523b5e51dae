// What `doctor` says of the installation: asked for by hand, since it reads all databases.
import { useEffect } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import { Badge, Bones, Card, Time, Trouble } from '../parts/parts.tsx';
import type { Tone } from '../parts/tone.ts';

interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  todo: string | null;
}

interface Doctor {
  at_work: boolean;
  last: { time: string; items: Finding[] } | null;
}

const PATH = '/admin/v1/doctor';
const LOOK_EVERY_MS = 800;
const TONES: Record<Finding['state'], Tone> = { ok: 'good', warning: 'care', bad: 'bad' };

export function DoctorCard() {
  const { data, problem, again } = useLoad<Doctor>(PATH);
  const act = useAct();
  const atWork = data?.at_work ?? false;
  useEffect(() => {
    if (!atWork) return;
    const timer = setInterval(again, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [atWork]);
  const examine = () => void act.run(async () => (await post(PATH), again()));
  return (
    <Card
      title="The installation"
      about={
        data?.last ? (
          <>
            Looked at <Time at={data.last.time} />.
          </>
        ) : (
          'Folder, secret, databases, backups: nobody has looked since the server began.'
        )
      }
      flush={Boolean(data?.last)}
      end={
        <button type="button" class="button small" disabled={act.busy || atWork} onClick={examine}>
          {atWork ? 'Looking…' : 'Look now'}
        </button>
      }
    >
      <Trouble problem={problem ?? act.problem} again={again} />
      {data?.last ? <Findings items={data.last.items} /> : atWork ? <Bones lines={3} /> : null}
    </Card>
  );
}

const Findings = ({ items }: { items: Finding[] }) => (
  <div class="scroll" role="region" aria-label="The installation, as a table" tabIndex={0}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">State</th>
          <th scope="col">Found</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ check, state, says, todo }, i) => (
          <tr key={i}>
            <td>{check}</td>
            <td>
              <Badge tone={TONES[state]}>{state}</Badge>
            </td>
            <td class="name">
              {says}
              {todo === null ? null : <div class="small soft">{todo}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
