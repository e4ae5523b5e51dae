// The last calls that a model did not answer.
import { useLoad } from '../api/use.ts';
import { Bones, Card, Time, Trouble } from '../parts/parts.tsx';

interface Failure {
  time: string;
  feature: string;
  model: string;
  code: string;
}

export function Failures({ titleOf }: { titleOf(feature: string): string }) {
  const { data, problem, again } = useLoad<{ items: Failure[] }>('/admin/v1/features/failures');
  const none = data?.items.length === 0;
  return (
    <Card
      title="Last failures"
      about={none ? 'None since the server began.' : 'Since the server began, 50 at most.'}
      flush={!none}
      end={
        <button type="button" class="button small" onClick={again}>
          Refresh
        </button>
      }
    >
      <Trouble problem={problem} again={again} />
      {data ? (
        none ? null : (
          <Table items={data.items} titleOf={titleOf} />
        )
      ) : problem ? null : (
        <Bones lines={2} />
      )}
    </Card>
  );
}

const Table = ({ items, titleOf }: { items: Failure[]; titleOf(feature: string): string }) => (
  <div class="scroll" role="region" aria-label="Failures, as a table" tabIndex={0}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Feature</th>
          <th scope="col">Model</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ time, feature, model, code }, i) => (
          <tr key={i}>
            <td>
              <Time at={time} />
            </td>
            <td>{titleOf(feature)}</td>
            <td class="name">
              <bdi>{model}</bdi>
            </td>
            <td>{code === 'fallback' ? 'the rules answered in its place' : code}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
