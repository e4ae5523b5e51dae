// Form of a check: one name, and up to five e-mails, phones and addresses.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ApiProblem } from '../app/api.ts';
import { Button } from '../components/button.tsx';
import { Checkbox, RadioGroup, Select, TextField } from '../components/form.tsx';
import { PasteField } from './paste-field.tsx';
import {
  type AddressFields,
  type CheckForm,
  EMPTY_ADDRESS,
  EMPTY_CHECK_FORM,
  type ValueListName,
  MAX_VALUES_PER_KIND,
} from './request.ts';

const INTENTS = {
  general: 'General',
  'online-dating': 'Online dating',
  'buying-or-selling': 'Buying or selling',
  'sending-money': 'Sending money',
  'suspected-scam': 'Suspected scam',
  reconnecting: 'Reconnecting',
};

/** Checkboxes for the AI features: request field and label. */
const FEATURES = [
  ['include_trust_enhancement', 'Narrative'],
  ['include_fraud_detection', 'Fraud detection'],
  ['include_name_matching', 'Name comparison'],
] as const;

interface PersonFormProps {
  form: CheckForm;
  onChange(form: CheckForm): void;
  submit(): void;
  isRunning: boolean;
  canCheck: boolean;
  errors: ApiProblem['errors'];
}

export function PersonForm({ form, onChange, submit, isRunning, canCheck, errors }: PersonFormProps) {
  const [clearCount, setClearCount] = useState(0);
  const set = (part: Partial<CheckForm>) => onChange({ ...form, ...part });
  const clear = () => {
    setClearCount(clearCount + 1);
    onChange({ ...EMPTY_CHECK_FORM, explanation: form.explanation });
  };
  const list = <L extends ValueListName>(name: L) => ({
    values: form[name],
    onChange: (values: CheckForm[L]) => set({ [name]: values }),
    errorOf: (index: number) => errors.find(({ pointer }) => pointer.startsWith(`/${name}/${index}`))?.detail,
  });
  return (
    <form
      class="card"
      aria-label="Person to check"
      noValidate
      onSubmit={(event) => (event.preventDefault(), submit())}
    >
      <div class="row apart">
        <h2>Person to check</h2>
        <Button quiet small onClick={clear}>
          Clear
        </Button>
      </div>
      <PasteField key={clearCount} onFill={set} />
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        required
        maxLength={200}
        error={errors.find(({ pointer }) => pointer === '/name')?.detail}
      />
      <TextInputs legend="E-mails" label="E-mail" inputMode="email" {...list('emails')} />
      <TextInputs legend="Phones" label="Phone" inputMode="tel" {...list('phones')} />
      <AddressInputs {...list('addresses')} />
      <Select
        label="Intent"
        value={form.intent}
        options={INTENTS}
        onChange={(intent) => set({ intent })}
        hint="Changes the wording of the narrative, never the score."
      />
      <RadioGroup
        label="AI explanation"
        value={form.explanation}
        options={{ none: 'None', narrative: 'Narrative', all: 'All features' }}
        onChange={(explanation) => set({ explanation })}
      />
      {form.explanation === 'all' ? (
        <div class="stack tight">
          {FEATURES.map(([field, label]) => (
            <Checkbox key={field} label={label} value={form[field]} onChange={(on) => set({ [field]: on })} />
          ))}
        </div>
      ) : null}
      <div class="check-bar">
        <Button primary disabled={isRunning || !canCheck || form.name.trim() === ''}>
          {isRunning ? 'Checking…' : 'Check'}
        </Button>
      </div>
    </form>
  );
}

interface ListProps<T> {
  values: T[];
  onChange(values: T[]): void;
  errorOf(place: number): string | undefined;
}

interface TextInputsProps extends ListProps<string> {
  legend: string;
  label: string;
  inputMode: 'email' | 'tel';
}

const TextInputs = ({ legend, label, inputMode, ...list }: TextInputsProps) => (
  <fieldset class="field">
    <legend class="label">{legend}</legend>
    <ValueList {...list} label={label} empty="">
      {({ name, set, ...rest }) => <Input label={name} inputMode={inputMode} onChange={set} {...rest} />}
    </ValueList>
  </fieldset>
);

const ADDRESS_PARTS: [keyof AddressFields, name: string, placeholder: string][] = [
  ['street', 'street', 'Street and number, or the whole address'],
  ['street2', 'unit', 'Unit, floor (optional)'],
  ['city', 'city', 'City'],
  ['state', 'state', 'State'],
  ['zip', 'ZIP', 'ZIP'],
  ['country', 'country', 'Country'],
];

const AddressInputs = (list: ListProps<AddressFields>) => (
  <fieldset class="field">
    <legend class="label">Addresses</legend>
    <ValueList {...list} label="Address" empty={EMPTY_ADDRESS}>
      {({ name, value, set, ...rest }) => (
        <div class="address">
          {ADDRESS_PARTS.map(([part, partName, placeholder]) => (
            <Input
              key={part}
              label={`${name}: ${partName}`}
              placeholder={placeholder}
              value={value[part]}
              onChange={(text) => set({ ...value, [part]: text })}
              {...(part === 'street' ? rest : {})}
            />
          ))}
        </div>
      )}
    </ValueList>
  </fieldset>
);

interface ValueListProps<T> extends ListProps<T> {
  label: string;
  empty: T;
  children(value: {
    name: string;
    value: T;
    error: string | undefined;
    errorId: string;
    set(value: T): void;
  }): ComponentChildren;
}

/** Input fields for up to five values of one kind, with buttons to add and remove values. */
function ValueList<T>({ label, empty, values, onChange, errorOf, children }: ValueListProps<T>) {
  const id = useId();
  return (
    <div class="stack tight">
      {values.map((value, place) => {
        const name = values.length > 1 ? `${label} ${place + 1}` : label;
        const error = errorOf(place);
        const errorId = `${id}-${place}`;
        const set = (next: T) => onChange(values.with(place, next));
        return (
          <div key={place} class="stack tight">
            <div class="value-line">
              <div class="grow">{children({ name, value, error, errorId, set })}</div>
              {values.length > 1 ? (
                <Button
                  quiet
                  icon="close"
                  label={`Remove ${name}`}
                  onClick={() => onChange(values.toSpliced(place, 1))}
                />
              ) : null}
            </div>
            {error === undefined ? null : (
              <span class="error" id={errorId}>
                {error}
              </span>
            )}
          </div>
        );
      })}
      {values.length < MAX_VALUES_PER_KIND ? (
        <div>
          <Button quiet small icon="plus" onClick={() => onChange([...values, empty])}>
            Add {label.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface InputProps {
  label: string;
  value: string;
  onChange(text: string): void;
  placeholder?: string;
  inputMode?: 'email' | 'tel';
  error?: string | undefined;
  errorId?: string;
}

const Input = ({ label, onChange, error, errorId, ...attributes }: InputProps) => (
  <input
    {...attributes}
    class="input"
    type="text"
    dir="auto"
    autocomplete="off"
    spellcheck={false}
    aria-label={label}
    aria-invalid={error === undefined ? undefined : true}
    aria-describedby={error === undefined ? undefined : errorId}
    onInput={(event) => onChange(event.currentTarget.value)}
  />
);
