// Statistics of the whole graph. Every record is read for them, so they are calculated only on demand.
import { useState } from 'preact/hooks';
import { getJson } from '../app/api.ts';
import { useAction } from '../app/hooks.ts';
import type { GraphSurvey } from '../app/types.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote } from '../components/feedback.tsx';
import { formatNumber, formatPercent } from '../components/format.ts';
import { Card, DefinitionList, ProportionBar, RelativeTime } from '../components/layout.tsx';

export function GraphStatisticsCard() {
  const [survey, setSurvey] = useState<GraphSurvey | null>(null);
  const { isRunning, problem, run } = useAction();
  return (
    <Card
      title="Graph statistics"
      about={
        survey ? (
          <>
            Calculated <RelativeTime at={survey.counted} />.
          </>
        ) : (
          'Sizes of identities, age of records, shared values and error rates of linking. Reads every record.'
        )
      }
      end={
        <Button
          small
          disabled={isRunning}
          onClick={() => run(async () => setSurvey(await getJson('/admin/v1/graph/survey')))}
        >
          {isRunning ? 'Calculating…' : 'Calculate'}
        </Button>
      }
    >
      <ErrorNote problem={problem} />
      {survey ? <Statistics survey={survey} /> : null}
    </Card>
  );
}

type Bar = [label: string, count: number];
type Range = [label: string, low: number, high: number];

const SIZES: Range[] = [
  ['1 record', 1, 1],
  ['2', 2, 2],
  ['3', 3, 3],
  ['4 to 9', 4, 9],
  ['10 to 49', 10, 49],
  ['50 and more', 50, Infinity],
];
const SHARES: Range[] = [
  ['1 identity', 1, 1],
  ['2', 2, 2],
  ['3 to 7', 3, 7],
  ['8 to 24', 8, 24],
  ['25 and more', 25, Infinity],
];

const groupCounts = (counts: GraphSurvey['sizes'], ranges: Range[]): Bar[] =>
  ranges.map(([label, low, high]) => [
    label,
    counts.reduce((sum, { of: size, count }) => sum + (size >= low && size <= high ? count : 0), 0),
  ]);

function Statistics({ survey }: { survey: GraphSurvey }) {
  const { sizes, years, shares, having, identities, error_rates: rates } = survey;
  const charts: [title: string, bars: Bar[]][] = [
    ['Identities by number of records', groupCounts(sizes, SIZES)],
    [
      'Records by year last seen',
      years.map(({ year, records }) => [year === null ? 'no date' : String(year), records]),
    ],
    ['E-mails by number of identities', groupCounts(shares.email, SHARES)],
    ['Phones by number of identities', groupCounts(shares.phone, SHARES)],
    ['Addresses by number of identities', groupCounts(shares.address, SHARES)],
  ];
  return (
    <div class="survey">
      {charts.map(([title, bars]) => (
        <BarChart
          key={title}
          title={title}
          bars={bars}
          most={Math.max(1, ...bars.map(([, count]) => count))}
        />
      ))}
      <BarChart
        title="Identities with"
        most={Math.max(1, identities)}
        bars={[
          ['a name', having.name],
          ['an e-mail', having.email],
          ['a phone', having.phone],
          ['an address', having.address],
          ['a birth date', having.birth_date],
        ]}
      />
      <section class="all">
        <h3>Error rates measured by linking</h3>
        <DefinitionList
          items={[
            ['Same person, different names', formatRate(rates.name)],
            ['Same person, different birth dates', formatRate(rates.birth_date)],
            ['Same address, same person', formatRate(rates.one_address)],
          ]}
        />
      </section>
    </div>
  );
}

const formatRate = (rate: number | null) => (rate === null ? 'not enough data' : formatPercent(rate));

interface BarChartProps {
  title: string;
  bars: Bar[];
  most: number;
}

const BarChart = ({ title, bars, most }: BarChartProps) => (
  <section>
    <h3>{title}</h3>
    <table class="table">
      <tbody>
        {bars.map(([label, count]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td style={{ width: '45%' }}>
              <ProportionBar share={count / most} />
            </td>
            <td class="end number">{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
