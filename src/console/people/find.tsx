// Whose records hold a value. What is looked for goes in a body, and never into the address of the page.
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/ask.ts';
import { useAct } from '../api/use.ts';
import { goQuery } from '../app/route.ts';
import { Select, TextField } from '../parts/form.tsx';
import { Badge, Card, Empty, Note, Trouble } from '../parts/parts.tsx';
import { capital, count, plural } from '../parts/text.ts';
import type { Found } from './types.ts';

const KINDS = [
  ['emails', 'E-mail'],
  ['phones', 'Phone'],
  ['names', 'Name'],
  ['addresses', 'Address'],
  ['number', 'Number'],
] as const;
type Kind = (typeof KINDS)[number][0];

const SHOWN = 50;

export const lookAt = (identity: number | null) => goQuery({ identity: identity?.toString() ?? null });

/** @param changes how often what may have been found was changed: it is looked for again */
export function Find({ changes }: { changes: number }) {
  const [kind, setKind] = useState<Kind>('emails');
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const act = useAct();
  const value = text.trim();
  const wrong = kind === 'number' && value !== '' && !/^[1-9]\d{0,14}$/.test(value);
  const asked = useRef<Partial<Record<Kind, string[]>> | null>(null);
  const ask = () =>
    act.run(async () => {
      setFound(null);
      setFound(await post<Found>('/admin/v1/graph/find', asked.current));
    });
  const find = () => {
    if (kind === 'number') return lookAt(Number(value));
    asked.current = { [kind]: [value] };
    void ask();
  };
  useEffect(() => {
    if (changes > 0 && asked.current) void ask();
  }, [changes]);
  return (
    <Card title="Find a person" about="Whose records hold a value, as it would stand in a record.">
      <form
        class="find"
        aria-label="A person to find"
        noValidate
        onSubmit={(event) => (event.preventDefault(), find())}
      >
        <Select label="By" value={kind} options={KINDS} change={setKind} />
        <TextField
          label={kind === 'number' ? 'The identity’s number' : 'Value'}
          value={text}
          change={setText}
          maxLength={300}
          wrong={wrong ? 'A number, as in “Different Identity Match (ID 12)”.' : undefined}
        />
        <button class="button primary" disabled={act.busy || value === '' || wrong}>
          {act.busy ? 'Looking…' : 'Find'}
        </button>
      </form>
      <Trouble problem={act.problem} />
      {found ? <People found={found} /> : null}
    </Card>
  );
}

function People({ found: { people, more } }: { found: Found }) {
  if (people.length === 0)
    return (
      <Empty title="Nobody on record">
        <p>No record holds it.</p>
      </Empty>
    );
  return (
    <>
      <div class="scroll" role="region" aria-label="People found, as a table" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Identity</th>
              <th scope="col">Names</th>
              <th scope="col" class="wide">
                Agrees by
              </th>
              <th scope="col" class="end wide">
                Records
              </th>
              <th scope="col" class="actions">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.slice(0, SHOWN).map(({ identity, names, has, records }) => (
              <tr key={identity}>
                <td class="number">{identity}</td>
                <td class="name">
                  <Names names={names} />
                </td>
                <td class="wide">
                  {[...new Set(has.map(({ how }) => how))].map((how) => (
                    <Badge key={how}>{capital(how.replaceAll('_', ' '))}</Badge>
                  ))}
                </td>
                <td class="end number wide">{count(records.length)}</td>
                <td class="actions">
                  <button
                    type="button"
                    class="button quiet small"
                    aria-label={`Look at identity ${identity}`}
                    onClick={() => lookAt(identity)}
                  >
                    Look
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {people.length > SHOWN || more > 0 ? (
        <Note tone="care">
          {plural(Math.max(0, people.length - SHOWN) + more, 'more person', 'more people')} of the same. Look
          for something that fewer have.
        </Note>
      ) : null}
    </>
  );
}

const FEW = 4;

export const Names = ({ names }: { names: string[] }) => (
  <>
    {names.length === 0 ? <span class="faint">without a name</span> : null}
    {names.slice(0, FEW).map((name) => (
      <div key={name}>
        <bdi>{name}</bdi>
      </div>
    ))}
    {names.length > FEW ? (
      <details>
        <summary>{count(names.length - FEW)} more</summary>
        {names.slice(FEW).map((name) => (
          <div key={name}>
            <bdi>{name}</bdi>
          </div>
        ))}
      </details>
    ) : null}
  </>
);
