// AI features: on or off, their models, tests and recent failures.
import { useState } from 'preact/hooks';
import { postJson } from '../app/api.ts';
import { reloadAllResources, useAction, useResource } from '../app/hooks.ts';
import type { AiFeature, FeatureFailures, FeatureSettings, FeatureTestResults } from '../app/types.ts';
import { Button, RefreshButton } from '../components/button.tsx';
import { ErrorNote, LoadedResource, Note, showToast } from '../components/feedback.tsx';
import { Select } from '../components/form.tsx';
import { formatDuration } from '../components/format.ts';
import { Badge, Card, DefinitionList, PageHeader, RelativeTime } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';

const TEXTS: Record<AiFeature['feature'], { title: string; about: string; sent: string }> = {
  trust_enhancement: {
    title: 'Narrative',
    about: 'Explains the result in sentences and recommends next steps.',
    sent: 'scores, match flags, counts, days of history, intent',
  },
  fraud_detection: {
    title: 'Fraud detection',
    about: 'Looks for fraud patterns in the match flags and in the call rate of the API client.',
    sent: 'scores, match flags, counts, intent; times and counts of the client’s calls',
  },
  name_matching: {
    title: 'Name comparison',
    about: 'Compares the submitted name with the name on record.',
    sent: 'both names, and the result of the name engine',
  },
};

const BREAKER = {
  closed: ['good', 'closed', 'calls are sent'],
  open: ['bad', 'open', 'paused after repeated failures'],
  half_open: ['care', 'half open', 'one call is sent as a test'],
} as const;

export default function FeaturesPage() {
  const settings = useResource<FeatureSettings>('/admin/v1/features');
  return (
    <>
      <PageHeader
        title="AI features"
        about="AI features explain a result after it is final and cannot change it. They never receive submitted e-mails, phones or addresses."
      />
      <LoadedResource resource={settings} lines={9}>
        {({ features, models, plugins }) => (
          <>
            {features.map((feature) => (
              <FeatureCard
                key={feature.feature}
                feature={feature}
                models={toModelOptions(features, models)}
              />
            ))}
            <FailuresCard />
            <PluginsCard plugins={plugins} />
          </>
        )}
      </LoadedResource>
    </>
  );
}

/** Returns the options of a select field for models: the configured models, and all models that a feature uses. */
function toModelOptions(features: AiFeature[], models: string[]): Record<string, string> {
  const names = [...models, ...features.map(({ model }) => model)];
  return { ...Object.fromEntries(names.map((name) => [name, name])), rules: 'Rules (no model)' };
}

function FeatureCard({ feature, models }: { feature: AiFeature; models: Record<string, string> }) {
  const { title, about } = TEXTS[feature.feature];
  const [test, setTest] = useState<FeatureTestResults['items'][number] | null>(null);
  const { isRunning, problem, run } = useAction();
  const change = (action: string, body: object, message: string) =>
    run(async () => {
      await postJson(`/admin/v1/features/${feature.feature}/${action}`, body);
      reloadAllResources();
      showToast(message);
    });
  const runTest = () =>
    run(async () => {
      const body = { features: [feature.feature] };
      const { items } = await postJson<FeatureTestResults>('/admin/v1/features/test', body);
      setTest(items[0] ?? null);
    });
  return (
    <Card
      title={title}
      about={about}
      end={
        <>
          <Button small disabled={isRunning || !feature.on} label={`Test ${title}`} onClick={runTest}>
            Test
          </Button>
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={feature.on}
            aria-label={title}
            disabled={isRunning}
            onClick={() =>
              void change(feature.on ? 'off' : 'on', {}, `${title} turned ${feature.on ? 'off' : 'on'}.`)
            }
          >
            <span aria-hidden="true" />
            {feature.on ? 'On' : 'Off'}
          </button>
        </>
      }
    >
      <ErrorNote problem={problem} />
      {feature.problem === null ? null : <Note tone="bad">{feature.problem}</Note>}
      {test ? (
        <Note tone={test.ok ? 'good' : 'bad'}>
          {test.says}{' '}
          <span class="faint">
            {test.model}, {formatDuration(test.ms)}
          </span>
        </Note>
      ) : null}
      <div class="feature">
        <ModelField
          title={title}
          feature={feature}
          models={models}
          isDisabled={isRunning}
          apply={(model) => change('use', { model }, `${title} uses ${model}.`)}
        />
        <FeatureFacts feature={feature} />
      </div>
    </Card>
  );
}

interface ModelFieldProps {
  title: string;
  feature: AiFeature;
  /** Label of each AI model, by its name in the settings. */
  models: Record<string, string>;
  isDisabled: boolean;
  /** Changes the model of the feature. Resolves to false if that failed. */
  apply(model: string): Promise<boolean>;
}

/** Select field for the model of a feature. Only the button applies the choice, because each press of an arrow key changes the field. */
function ModelField({ title, feature, models, isDisabled, apply }: ModelFieldProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? feature.model;
  return (
    <form
      class="row form-line"
      onSubmit={(event) => {
        event.preventDefault();
        void apply(model).then((isApplied) => isApplied && setChosen(null));
      }}
    >
      <div class="grow">
        <Select
          label="Model"
          value={model}
          options={models}
          onChange={setChosen}
          hint={
            Object.keys(models).length === 1 ? 'Add models on the server: bonafide features use.' : undefined
          }
        />
      </div>
      <Button disabled={isDisabled || model === feature.model} label={`Apply model of ${title}`}>
        Apply
      </Button>
    </form>
  );
}

function FeatureFacts({ feature }: { feature: AiFeature }) {
  const [tone, state, about] = BREAKER[feature.breaker];
  return (
    <DefinitionList
      items={[
        ['Answered by', `plugin ${feature.plugin}`],
        [
          'Model plugin',
          <>
            {feature.model_plugin}
            {feature.address === null ? null : (
              <>
                {' '}
                at <code class="anywhere">{feature.address}</code>
              </>
            )}
          </>,
        ],
        ['Name in answers', <bdi>{feature.label}</bdi>],
        ['Fallback', feature.fallback ?? 'none, the block contains an error'],
        ['Timeout', formatDuration(feature.deadline_ms)],
        [
          'Circuit breaker',
          <>
            <Badge tone={tone}>{state}</Badge> <span class="small soft">{about}</span>
          </>,
        ],
        ['Data sent', TEXTS[feature.feature].sent],
      ]}
    />
  );
}

function FailuresCard() {
  const failures = useResource<FeatureFailures>('/admin/v1/features/failures');
  const isEmpty = failures.data?.items.length === 0;
  return (
    <Card
      title="Recent failures"
      about={isEmpty ? 'None since the server started.' : 'The newest 50 since the server started.'}
      flush={!isEmpty}
      end={<RefreshButton onClick={failures.reload} />}
    >
      <LoadedResource resource={failures} lines={2}>
        {({ items }) =>
          items.length === 0 ? null : (
            <Table
              label="Recent failures"
              rows={items}
              columns={[
                { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
                { head: 'Feature', cell: ({ feature }) => TEXTS[feature].title },
                { head: 'Model', name: true, cell: ({ model }) => <bdi>{model}</bdi> },
                { head: 'Error', cell: ({ code }) => (code === 'fallback' ? 'rules used instead' : code) },
              ]}
            />
          )
        }
      </LoadedResource>
    </Card>
  );
}

const PluginsCard = ({ plugins }: Pick<FeatureSettings, 'plugins'>) => (
  <Card title="Loaded plugins" flush>
    <Table
      label="Loaded plugins"
      rows={plugins}
      columns={[
        { head: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
        { head: 'Type', cell: ({ kind }) => kind },
        { head: 'Version', end: true, cell: ({ version }) => <bdi>{version}</bdi> },
      ]}
    />
  </Card>
);
