// What explains a verdict: on or off, by which model, and whether that answers.
import { useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct, useLoad } from '../api/use.ts';
import { Select } from '../parts/form.tsx';
import { Badge, Bones, Card, Note, PageHead, Trouble } from '../parts/parts.tsx';
import { msText } from '../parts/text.ts';
import { toast } from '../parts/toast.tsx';
import type { Tone } from '../parts/tone.ts';
import { Failures } from './failures.tsx';

interface Feature {
  feature: string;
  on: boolean;
  plugin: string;
  model: string;
  label: string;
  fallback: string | null;
  deadline_ms: number;
  breaker: 'closed' | 'open' | 'half_open';
}

interface Features {
  features: Feature[];
  plugins: { kind: string; name: string; version: string }[];
}

interface Diagnosis {
  feature: string;
  model: string;
  ok: boolean;
  ms: number;
  says: string;
}

const ABOUT: Record<string, { title: string; does: string; shown: string }> = {
  trust_enhancement: {
    title: 'Narrative',
    does: 'Says in sentences what the result means, and what to do.',
    shown: 'scores, match flags, counts, history in days, the intent',
  },
  fraud_detection: {
    title: 'Fraud patterns',
    does: 'Looks for patterns in the match flags, and in how the caller’s own calls come.',
    shown: 'scores, match flags, counts, the intent; of the caller’s calls only counts and times',
  },
  name_matching: {
    title: 'Comparison of names',
    does: 'Compares the submitted name with the one on record.',
    shown: 'the two names, and what the name engine says of them',
  },
};

const BREAKER: Record<Feature['breaker'], [Tone, string]> = {
  closed: ['good', 'answers are asked for'],
  open: ['bad', 'skipped for a while: it kept failing'],
  half_open: ['care', 'tried again with one call'],
};

export function FeaturesPage() {
  const loaded = useLoad<Features>('/admin/v1/features');
  const [changed, setChanged] = useState<Features | null>(null);
  const [found, setFound] = useState<Record<string, Diagnosis>>({});
  const features = changed ?? loaded.data;
  return (
    <>
      <PageHead
        title="AI features"
        about="They explain a verdict after it was reached, and can change nothing of it. None of them sees a submitted e-mail, phone or address."
      />
      <Trouble problem={loaded.problem} again={loaded.again} />
      {features ? (
        features.features.map((one) => (
          <FeatureCard
            key={one.feature}
            of={one}
            models={modelsOf(features)}
            found={found[one.feature]}
            onChanged={setChanged}
            onFound={(one) => setFound((before) => ({ ...before, [one.feature]: one }))}
          />
        ))
      ) : loaded.problem ? null : (
        <Bones lines={9} />
      )}
      <Failures titleOf={(feature) => ABOUT[feature]?.title ?? feature} />
      {features ? (
        <Card title="Plugins that are loaded" flush>
          <div class="scroll" role="region" aria-label="Plugins, as a table" tabIndex={0}>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Gives</th>
                  <th scope="col" class="end">
                    Version
                  </th>
                </tr>
              </thead>
              <tbody>
                {features.plugins.map(({ kind, name, version }) => (
                  <tr key={kind + name}>
                    <td>
                      <bdi>{name}</bdi>
                    </td>
                    <td>a {kind}</td>
                    <td class="end number">
                      <bdi>{version}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      ) : null}
    </>
  );
}

/** The models that are in use somewhere, and the rules: others are set up on the machine. */
const modelsOf = ({ features }: Features): string[] => [
  ...new Set(['rules', ...features.map(({ model }) => model)]),
];

interface CardProps {
  of: Feature;
  models: string[];
  found: Diagnosis | undefined;
  onChanged(features: Features): void;
  onFound(diagnosis: Diagnosis): void;
}

function FeatureCard({ of, models, found, onChanged, onFound }: CardProps) {
  const { title = of.feature, does = '', shown = '' } = ABOUT[of.feature] ?? {};
  const act = useAct();
  const turn = () =>
    void act.run(async () => {
      onChanged(await post<Features>(`/admin/v1/features/${of.feature}/${of.on ? 'off' : 'on'}`));
      toast(`${title} is ${of.on ? 'off' : 'on'}.`);
    });
  const use = (model: string) =>
    void act.run(async () => {
      onChanged(await post<Features>(`/admin/v1/features/${of.feature}/use`, { model }));
      toast(`${title} asks ${model} now.`);
    });
  const test = () =>
    void act.run(async () => {
      const { items } = await post<{ items: Diagnosis[] }>('/admin/v1/features/test', {
        features: [of.feature],
      });
      for (const one of items) onFound(one);
    });
  const [tone, words] = BREAKER[of.breaker];
  return (
    <Card
      title={title}
      about={does}
      end={
        <>
          <button
            type="button"
            class="button small"
            disabled={act.busy || !of.on}
            onClick={test}
            aria-label={`Test ${title}`}
          >
            Test
          </button>
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={of.on}
            aria-label={title}
            disabled={act.busy}
            onClick={turn}
          >
            <span aria-hidden="true" />
            {of.on ? 'On' : 'Off'}
          </button>
        </>
      }
    >
      <Trouble problem={act.problem} />
      {found ? (
        <Note tone={found.ok ? 'good' : 'bad'}>
          {found.says}{' '}
          <span class="faint">
            {found.model}, {msText(found.ms)}
          </span>
        </Note>
      ) : null}
      <div class="feature">
        <Select
          label="Model"
          value={of.model}
          options={models.map((model): [string, string] => [
            model,
            model === 'rules' ? 'rules (no model)' : model,
          ])}
          change={use}
          hint={models.length === 1 ? 'Others are set up on the machine: bonafide features use.' : undefined}
        />
        <dl class="facts">
          <dt>Answers as</dt>
          <dd>
            <bdi>{of.label}</bdi>
          </dd>
          <dt>If it fails</dt>
          <dd>{of.fallback ?? 'the block says so'}</dd>
          <dt>Deadline</dt>
          <dd>{msText(of.deadline_ms)}</dd>
          <dt>Breaker</dt>
          <dd>
            <Badge tone={tone}>{of.breaker.replace('_', ' ')}</Badge> <span class="small soft">{words}</span>
          </dd>
          <dt>Is shown</dt>
          <dd>{shown}</dd>
        </dl>
      </div>
    </Card>
  );
}
