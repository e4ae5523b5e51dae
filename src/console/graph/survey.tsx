// The whole graph in counts: asked for by hand, since every record is read for it.
import { useState } from 'preact/hooks';
import { get } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { Card, Time, Trouble } from '../parts/parts.tsx';
import { count, percent } from '../parts/text.ts';

interface Counted {
  of: number;
  count: number;
}

interface Survey {
  sizes: Counted[];
  years: { year: number | null; records: number }[];
  shares: { email: Counted[]; phone: Counted[]; address: Counted[] };
  having: Record<'name' | 'birth_date' | 'email' | 'phone' | 'address', number>;
  identities: number;
  error_rates: { name: number | null; birth_date: number | null; one_address: number | null };
  counted: string;
}

export function SurveyCard() {
  const [survey, setSurvey] = useState<Survey | null>(null);
  const act = useAct();
  const look = () => void act.run(async () => setSurvey(await get<Survey>('/admin/v1/graph/survey')));
  return (
    <Card
      title="The whole graph"
      about={
        survey ? (
          <>
            Counted <Time at={survey.counted} />.
          </>
        ) : (
          'How large identities are, how fresh the records, which values are shared, and what linking measured. Every record is read for it.'
        )
      }
      end={
        <button type="button" class="button small" disabled={act.busy} onClick={look}>
          {act.busy ? 'Counting…' : 'Count'}
        </button>
      }
    >
      <Trouble problem={act.problem} />
      {survey ? <Shown of={survey} /> : null}
    </Card>
  );
}

type Bin = [label: string, low: number, high: number];
const SIZES: Bin[] = [
  ['1 record', 1, 1],
  ['2', 2, 2],
  ['3', 3, 3],
  ['4 to 9', 4, 9],
  ['10 to 49', 10, 49],
  ['50 and more', 50, Infinity],
];
const SHARES: Bin[] = [
  ['1 identity', 1, 1],
  ['2', 2, 2],
  ['3 to 7', 3, 7],
  ['8 to 24', 8, 24],
  ['25 and more', 25, Infinity],
];

const binned = (counts: Counted[], bins: Bin[]): Row[] =>
  bins.map(([label, low, high]) => [
    label,
    counts.reduce((sum, { of, count }) => sum + (of >= low && of <= high ? count : 0), 0),
  ]);

const Shown = ({ of: { sizes, years, shares, having, identities, error_rates: rates } }: { of: Survey }) => (
  <div class="survey">
    <Bars title="Identities by their records" rows={binned(sizes, SIZES)} />
    <Bars
      title="Records by the year they were last seen"
      rows={years.map(({ year, records }) => [year === null ? 'no date' : String(year), records])}
    />
    <Bars title="E-mails by who shares them" rows={binned(shares.email, SHARES)} />
    <Bars title="Phones by who shares them" rows={binned(shares.phone, SHARES)} />
    <Bars title="Addresses by who shares them" rows={binned(shares.address, SHARES)} />
    <Bars
      title="Identities that have"
      most={identities}
      rows={[
        ['a name', having.name],
        ['an e-mail', having.email],
        ['a phone', having.phone],
        ['an address', having.address],
        ['a birth date', having.birth_date],
      ]}
    />
    <section class="all">
      <h3>What linking measured</h3>
      <dl class="facts">
        <dt>Names of one person that differ</dt>
        <dd>{rateText(rates.name)}</dd>
        <dt>Birth dates of one person that differ</dt>
        <dd>{rateText(rates.birth_date)}</dd>
        <dt>Records at one address that are one person’s</dt>
        <dd>{rateText(rates.one_address)}</dd>
      </dl>
    </section>
  </div>
);

const rateText = (rate: number | null) => (rate === null ? 'too few to tell' : percent(rate));

type Row = [label: string, count: number];

function Bars({ title, rows, most }: { title: string; rows: Row[]; most?: number }) {
  const whole = most ?? Math.max(1, ...rows.map(([, figure]) => figure));
  return (
    <section>
      <h3>{title}</h3>
      <table class="table">
        <tbody>
          {rows.map(([label, figure]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td style={{ width: '45%' }}>
                <span class="meter" aria-hidden="true">
                  <i style={{ width: `${(figure / Math.max(1, whole)) * 100}%` }} />
                </span>
              </td>
              <td class="end number">{count(figure)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
