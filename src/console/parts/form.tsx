// Fields with their names, hints and what is wrong with them.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  wrong?: string | undefined;
  children(props: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean | undefined;
  }): ComponentChildren;
}

export function Field({ label, hint, wrong, children }: FieldProps) {
  const id = useId();
  const told = [hint === undefined ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-wrong`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': told || undefined,
        'aria-invalid': wrong === undefined ? undefined : true,
      })}
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong === undefined ? null : (
        <span class="wrong" id={`${id}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  change(value: string): void;
  hint?: ComponentChildren;
  wrong?: string | undefined;
  placeholder?: string;
  type?: 'text' | 'password' | 'search';
  required?: boolean;
  mono?: boolean;
  autocomplete?: string;
  maxLength?: number;
}

export const TextField = ({
  label,
  value,
  change,
  hint,
  wrong,
  mono,
  autocomplete = 'off',
  ...rest
}: TextFieldProps) => (
  <Field label={label} hint={hint} wrong={wrong}>
    {(props) => (
      <input
        {...({ ...props, ...rest } as object)}
        class={`input ${mono ? 'mono' : ''}`}
        dir="auto"
        value={value}
        autocomplete={autocomplete}
        spellcheck={false}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface SelectProps<K extends string> {
  label: string;
  value: K;
  options: readonly (readonly [NoInfer<K>, string])[];
  change(value: NoInfer<K>): void;
  hint?: ComponentChildren;
  wrong?: string | undefined;
}

export const Select = <K extends string>({ label, value, options, change, hint, wrong }: SelectProps<K>) => (
  <Field label={label} hint={hint} wrong={wrong}>
    {(props) => (
      <select
        {...props}
        class="input"
        value={value}
        onChange={(event) => change(event.currentTarget.value as K)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface ChoiceProps<K extends string> {
  label: string;
  unseen?: boolean;
  value: K;
  options: readonly (readonly [NoInfer<K>, string])[];
  change(value: NoInfer<K>): void;
}

/** One of a few, all in sight. */
export function Choice<K extends string>({ label, unseen = false, value, options, change }: ChoiceProps<K>) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={unseen ? 'unseen' : 'label'} style={unseen ? undefined : { marginBottom: '5px' }}>
        {label}
      </legend>
      <div class="choice">
        {options.map(([key, text]) => (
          <label key={key}>
            <input
              type="radio"
              name={name}
              value={key}
              checked={key === value}
              onChange={() => change(key)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export const Tick = ({
  label,
  value,
  change,
  hint,
}: {
  label: ComponentChildren;
  value: boolean;
  change(value: boolean): void;
  hint?: string;
}) => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={(event) => change(event.currentTarget.checked)} />
    <span>
      {label}
      {hint === undefined ? null : (
        <span class="hint" style={{ display: 'block' }}>
          {hint}
        </span>
      )}
    </span>
  </label>
);
