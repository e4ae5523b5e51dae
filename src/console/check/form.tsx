// The form of a check: one name, and up to five values of each kind.
import { useId, useState } from 'preact/hooks';
import type { Broken } from '../api/ask.ts';
import { Choice, Select, TextField, Tick } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Paste } from './paste/field.tsx';
import { EMPTY, MOST, NO_ADDRESS } from './request.ts';
import type { Address, Asked, Draft } from './request.ts';

export const INTENTS = [
  ['general', 'General'],
  ['online-dating', 'Online dating'],
  ['buying-or-selling', 'Buying or selling'],
  ['sending-money', 'Sending money'],
  ['suspected-scam', 'Suspected scam'],
  ['reconnecting', 'Reconnecting'],
] as const;

interface FormProps {
  draft: Draft;
  change(draft: Draft): void;
  submit(): void;
  busy: boolean;
  /** Who is signed in may not check people. */
  mayNot: boolean;
  /** What the server found wrong, and what it was said of. */
  broken: Broken[];
  asked: Asked | null;
}

export function CheckForm({ draft, change, submit, busy, mayNot, broken, asked }: FormProps) {
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    change({ ...EMPTY, explained: draft.explained });
  };
  const set = (part: Partial<Draft>) => change({ ...draft, ...part });
  const wrongOf = (list: 'emails' | 'phones' | 'addresses', place: number): string | undefined => {
    const at = asked?.places[list].indexOf(place) ?? -1;
    return at < 0 ? undefined : broken.find(({ pointer }) => pointer.startsWith(`/${list}/${at}`))?.detail;
  };
  return (
    <form
      class="card"
      aria-label="A person to check"
      noValidate
      onSubmit={(event) => (event.preventDefault(), submit())}
    >
      <div class="row apart">
        <h2>Who is it said to be?</h2>
        <button type="button" class="button quiet small" onClick={clear}>
          Clear
        </button>
      </div>
      <Paste key={cleared} onFound={set} />
      <TextField
        label="Name"
        value={draft.name}
        change={(name) => set({ name })}
        required
        maxLength={200}
        wrong={broken.find(({ pointer }) => pointer === '/name')?.detail}
      />
      <Texts
        label="E-mail"
        many="E-mails"
        type="email"
        values={draft.emails}
        change={(emails) => set({ emails })}
        wrongOf={(i) => wrongOf('emails', i)}
      />
      <Texts
        label="Phone"
        many="Phones"
        type="tel"
        values={draft.phones}
        change={(phones) => set({ phones })}
        wrongOf={(i) => wrongOf('phones', i)}
      />
      <Addresses
        values={draft.addresses}
        change={(addresses) => set({ addresses })}
        wrongOf={(i) => wrongOf('addresses', i)}
      />
      <Select
        label="Intent"
        value={draft.intent}
        options={INTENTS}
        change={(intent) => set({ intent })}
        hint="Sets the tone of the narrative, never the score."
      />
      <Choice
        label="Explain it"
        value={draft.explained}
        options={[
          ['score', 'Score only'],
          ['narrative', 'Narrative'],
          ['enhanced', 'Everything'],
        ]}
        change={(explained) => set({ explained })}
      />
      {draft.explained === 'enhanced' ? (
        <div class="stack tight">
          <Tick label="Narrative" value={draft.trust} change={(trust) => set({ trust })} />
          <Tick label="Fraud patterns" value={draft.fraud} change={(fraud) => set({ fraud })} />
          <Tick label="Comparison of names" value={draft.names} change={(names) => set({ names })} />
        </div>
      ) : null}
      <div class="check-bar">
        <button class="button primary" disabled={busy || mayNot || draft.name.trim() === ''}>
          {busy ? 'Checking…' : 'Check'}
        </button>
      </div>
    </form>
  );
}

interface ListProps<T> {
  values: T[];
  change(values: T[]): void;
  wrongOf(place: number): string | undefined;
}

const replaced = <T,>(values: T[], at: number, value: T) => values.map((one, i) => (i === at ? value : one));

function Texts({
  label,
  many,
  type,
  values,
  change,
  wrongOf,
}: ListProps<string> & { label: string; many: string; type: 'email' | 'tel' }) {
  const id = useId();
  return (
    <fieldset class="field">
      <legend class="label" style={{ marginBottom: '5px' }}>
        {many}
      </legend>
      <div class="stack tight">
        {values.map((value, i) => {
          const wrong = wrongOf(i);
          return (
            <div key={i} class="stack tight">
              <div class="value-line">
                <input
                  class="input"
                  type="text"
                  inputMode={type === 'email' ? 'email' : 'tel'}
                  dir="auto"
                  autocomplete="off"
                  spellcheck={false}
                  aria-label={values.length > 1 ? `${label} ${i + 1}` : label}
                  aria-invalid={wrong === undefined ? undefined : true}
                  aria-describedby={wrong === undefined ? undefined : `${id}-${i}`}
                  value={value}
                  onInput={(event) => change(replaced(values, i, event.currentTarget.value))}
                />
                {values.length > 1 ? (
                  <RemoveButton
                    what={`${label} ${i + 1}`}
                    remove={() => change(values.filter((_, at) => at !== i))}
                  />
                ) : null}
              </div>
              {wrong === undefined ? null : (
                <span class="wrong" id={`${id}-${i}`}>
                  {wrong}
                </span>
              )}
            </div>
          );
        })}
        {values.length < MOST ? (
          <AddButton what={label.toLowerCase()} add={() => change([...values, ''])} />
        ) : null}
      </div>
    </fieldset>
  );
}

const PARTS: [keyof Address, string][] = [
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP'],
  ['country', 'Country'],
];

function Addresses({ values, change, wrongOf }: ListProps<Required<Address>>) {
  return (
    <div class="field">
      {values.map((value, i) => {
        const wrong = wrongOf(i);
        const set = (part: Partial<Address>) => change(replaced(values, i, { ...value, ...part }));
        const name = values.length > 1 ? `Address ${i + 1}` : 'Address';
        return (
          <fieldset key={i} class="field">
            <legend class="label" style={{ marginBottom: '5px' }}>
              {name}
            </legend>
            <div class="address">
              <div class="value-line">
                <input
                  class="input"
                  dir="auto"
                  autocomplete="off"
                  aria-label={`${name}: street`}
                  placeholder="Street and number"
                  aria-invalid={wrong === undefined ? undefined : true}
                  value={value.street}
                  onInput={(event) => set({ street: event.currentTarget.value })}
                />
                {values.length > 1 ? (
                  <RemoveButton what={name} remove={() => change(values.filter((_, at) => at !== i))} />
                ) : null}
              </div>
              <input
                class="input"
                dir="auto"
                autocomplete="off"
                aria-label={`${name}: flat or unit`}
                placeholder="Flat, unit (optional)"
                value={value.street2}
                onInput={(event) => set({ street2: event.currentTarget.value })}
              />
              <div class="place">
                {PARTS.map(([part, word]) => (
                  <input
                    key={part}
                    class="input"
                    dir="auto"
                    autocomplete="off"
                    aria-label={`${name}: ${word}`}
                    placeholder={word}
                    value={value[part]}
                    onInput={(event) => set({ [part]: event.currentTarget.value })}
                  />
                ))}
              </div>
              {wrong === undefined ? null : <span class="wrong">{wrong}</span>}
            </div>
          </fieldset>
        );
      })}
      {values.length < MOST ? <AddButton what="address" add={() => change([...values, NO_ADDRESS])} /> : null}
    </div>
  );
}

const AddButton = ({ what, add }: { what: string; add(): void }) => (
  <div>
    <button type="button" class="button quiet small" onClick={add}>
      <Icon name="plus" /> Add {/^[aeiou]/.test(what) ? 'an' : 'a'} {what}
    </button>
  </div>
);

const RemoveButton = ({ what, remove }: { what: string; remove(): void }) => (
  <button
    type="button"
    class="button icon quiet"
    aria-label={`Remove ${what}`}
    title="Remove"
    onClick={remove}
  >
    <Icon name="close" />
  </button>
);
