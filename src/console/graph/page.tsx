// What checks look people up in: its size, where it comes from, a file into it, and who is in it.
import { useLoad } from '../api/use.ts';
import { goQuery, useRoute } from '../app/route.ts';
import { Bones, Card, Note, PageHead, Tabs, Time, Trouble } from '../parts/parts.tsx';
import { compact } from '../parts/text.ts';
import { Judgements } from '../people/judgements.tsx';
import { People } from '../people/people.tsx';
import { Import } from './import.tsx';
import { Sources } from './sources.tsx';
import { SurveyCard } from './survey.tsx';
import type { Source } from './sources.tsx';

interface Graph {
  records: number;
  identities: number;
  unlinked: number;
  linked_at: string | null;
  settled: boolean;
  warnings: string[];
  counted: string;
}

const TABS = [
  ['contents', 'Contents'],
  ['people', 'People'],
  ['judgements', 'Judgements'],
] as const;
type Tab = (typeof TABS)[number][0];

export function GraphPage() {
  const { query } = useRoute();
  const tab = (TABS.find(([name]) => name === query.get('tab'))?.[0] ?? 'contents') as Tab;
  return (
    <>
      <PageHead
        title="Graph"
        about="The records that checks look people up in. E-mails, phones and addresses are kept as fingerprints only: this page cannot show them either."
      />
      <Tabs
        label="What the graph holds, people in it, and judgements"
        tabs={TABS}
        chosen={tab}
        choose={(next) => goQuery({ tab: next === 'contents' ? null : next, identity: null })}
      >
        {tab === 'people' ? <People /> : tab === 'judgements' ? <Judgements /> : <Contents />}
      </Tabs>
    </>
  );
}

function Contents() {
  const graph = useLoad<Graph>('/admin/v1/graph');
  const sources = useLoad<{ items: Source[] }>('/admin/v1/graph/sources');
  const again = () => {
    graph.again();
    sources.again();
  };
  return (
    <div class="stack loose">
      <Trouble problem={graph.problem} again={graph.again} />
      {(graph.data?.warnings ?? []).map((text) => (
        <Note key={text} tone="care">
          {text}
        </Note>
      ))}
      {graph.data ? (
        <Sizes of={graph.data} counting={graph.loading} />
      ) : graph.problem ? null : (
        <Bones lines={3} />
      )}
      <Import onDone={again} />
      <Card
        title="Sources"
        flush
        end={
          <button type="button" class="button small" onClick={again}>
            Refresh
          </button>
        }
      >
        {sources.problem ? (
          <Trouble problem={sources.problem} again={sources.again} />
        ) : sources.data && !sources.loading ? (
          <Sources items={sources.data.items} onGone={again} />
        ) : (
          <Bones lines={4} />
        )}
      </Card>
      <SurveyCard />
    </div>
  );
}

const Sizes = ({
  of: { records, identities, unlinked, linked_at: linked, settled, counted },
  counting,
}: {
  of: Graph;
  /** Something has changed since: these figures may be wrong. */
  counting: boolean;
}) => (
  <>
    <div class="tiles" aria-busy={counting}>
      <Tile what="Records" figure={counting ? '…' : compact(records)} />
      <Tile what="Identities" figure={counting ? '…' : compact(identities)} />
      <Tile
        what="Records an identity"
        figure={counting ? '…' : identities === 0 ? '–' : (records / identities).toFixed(2)}
      />
      <Tile what="Not linked yet" figure={counting ? '…' : compact(unlinked)} />
    </div>
    <p class="small soft" hidden={counting}>
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
