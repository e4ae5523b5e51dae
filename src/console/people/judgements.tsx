// What was judged about who is who, the latest first, and back.
import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import { Confirm } from '../parts/dialog.tsx';
import { List } from '../parts/list.tsx';
import { Badge, Card, Empty, Time } from '../parts/parts.tsx';
import { count } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import type { Judgement } from './types.ts';

export function Judgements() {
  const { data, problem, loading, again } = useLoad<{ items: Judgement[] }>('/admin/v1/graph/judgements');
  const [undoing, setUndoing] = useState<Judgement | null>(null);
  const act = useAct();
  const undo = async (id: number) => {
    await post(`/admin/v1/graph/judgements/${id}/undo`);
    toast('The judgement is undone: evidence decides again.');
    again();
  };
  return (
    <Card
      flush
      title="Judgements"
      about="What people said about who is who. It stands above what linking finds, until it is undone."
    >
      <List
        label="Judgements"
        pages={{ items: data?.items.toReversed() ?? null, problem, loading, more: null, again }}
        keyOf={({ id }) => String(id)}
        empty={
          <Empty title="Nothing judged">
            <p>Split or join from an identity, under People.</p>
          </Empty>
        }
        columns={[
          { head: 'No.', end: true, cell: ({ id }) => count(id) },
          {
            head: 'What',
            cell: ({ kind, undone }) => (
              <Badge tone={undone ? 'none' : 'accent'}>{undone ? `${kind}, undone` : kind}</Badge>
            ),
          },
          { head: 'Records', wide: true, end: true, cell: ({ records }) => records.join(' from ') },
          { head: 'Why', name: true, cell: ({ why }) => <bdi>{why || '–'}</bdi> },
          { head: 'Who', wide: true, name: true, cell: ({ who }) => <bdi>{who}</bdi> },
          { head: 'When', wide: true, cell: ({ time }) => <Time at={time} /> },
        ]}
        actions={(one) =>
          one.undone ? null : (
            <button
              type="button"
              class="button quiet small"
              aria-label={`Undo judgement ${one.id}`}
              onClick={() => setUndoing(one)}
            >
              Undo
            </button>
          )
        }
      />
      {undoing ? (
        <Confirm
          title={`Undo judgement ${undoing.id}?`}
          yes="Undo it"
          act={act}
          does={() => undo(undoing.id)}
          close={() => (act.clear(), setUndoing(null))}
        >
          <p>Earlier judgements, the sources and the evidence decide again who is who.</p>
        </Confirm>
      ) : null}
    </Card>
  );
}
