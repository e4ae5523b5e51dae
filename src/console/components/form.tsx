import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import type { ApiProblem } from '../app/api.ts';
import { Button } from './button.tsx';
import { findFieldError } from './format.ts';

/** Errors of the server about form fields. Each field shows its own error, and adds its name to `shownAtField`. */
export const FieldErrorsContext = createContext({
  errors: [] as ApiProblem['errors'],
  shownAtField: new Set<string>(),
});

export function useFormValues<T extends object>(initial: T) {
  const [values, setValues] = useState(initial);
  const field = <K extends keyof T & string>(name: K) => ({
    name,
    value: values[name],
    onChange: (value: T[K]) => setValues((before) => ({ ...before, [name]: value })),
  });
  return { values, field };
}

interface LabelProps {
  label: ComponentChildren;
  name?: string | undefined;
  hint?: ComponentChildren;
  error?: string | undefined;
}

interface FieldProps extends LabelProps {
  /** Renders the input element. The attributes connect it to its label, hint and error. */
  children(attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean | undefined;
  }): ComponentChildren;
}

export function Field({ label, name, hint, error, children }: FieldProps) {
  const id = useId();
  const { errors, shownAtField } = useContext(FieldErrorsContext);
  if (name) shownAtField.add(name);
  const shownError = error ?? findFieldError(errors, name);
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = shownError === undefined ? undefined : `${id}-error`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': [hintId, errorId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': shownError === undefined ? undefined : true,
      })}
      <FieldText class="hint" id={hintId} text={hint} />
      <FieldText class="error" id={errorId} text={shownError} />
    </div>
  );
}

const FieldText = (props: { class: string; id: string | undefined; text: ComponentChildren }) =>
  props.text === undefined ? null : (
    <span class={props.class} id={props.id}>
      {props.text}
    </span>
  );

interface TextFieldProps extends LabelProps {
  value: string;
  onChange(value: string): void;
  placeholder?: string;
  type?: 'text' | 'password' | 'month' | 'datetime-local' | 'range';
  required?: boolean;
  isMono?: boolean;
  /** Values that the browser suggests while the user types. */
  suggestions?: readonly string[];
  maxLength?: number;
  min?: string;
  max?: string;
}

export const TextField = ({
  label,
  name,
  hint,
  error,
  onChange,
  isMono,
  suggestions,
  ...attributes
}: TextFieldProps) => (
  <Field {...{ label, name, hint, error }}>
    {(fieldAttributes) => (
      <>
        <input
          {...({
            ...fieldAttributes,
            ...attributes,
            ...(suggestions ? { list: `${fieldAttributes.id}-list` } : {}),
          } as object)}
          class={`input ${isMono ? 'mono' : ''}`}
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {suggestions ? (
          <datalist id={`${fieldAttributes.id}-list`}>
            {suggestions.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        ) : null}
      </>
    )}
  </Field>
);

export const toSelectOptionLabelsById = (entries: { id: string; name: string }[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ id, name }) => [id, name]));

interface ChoiceProps<K extends string> {
  label: string;
  value: K;
  /** Label of each option, by value, in display order. */
  options: Record<NoInfer<K>, string>;
  onChange(value: NoInfer<K>): void;
}

export const Select = <K extends string>({
  value,
  options,
  onChange,
  ...field
}: ChoiceProps<K> & LabelProps) => (
  <Field {...field}>
    {(attributes) => (
      <select
        {...attributes}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as K)}
      >
        {(Object.entries(options) as [K, string][]).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export function RadioGroup<K extends string>({
  label,
  isLabelHidden = false,
  value,
  options,
  onChange,
}: ChoiceProps<K> & { isLabelHidden?: boolean }) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={isLabelHidden ? 'visually-hidden' : 'label'}>{label}</legend>
      <div class="choice">
        {(Object.entries(options) as [K, string][]).map(([key, text]) => (
          <label key={key}>
            <input
              type="radio"
              name={name}
              value={key}
              checked={key === value}
              onChange={() => onChange(key)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  value: boolean;
  onChange(value: boolean): void;
  hint?: string;
}

export const Checkbox = ({ label, value, onChange, hint }: CheckboxProps) => (
  <label class="checkbox">
    <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>
      {label}
      {hint === undefined ? null : <span class="hint">{hint}</span>}
    </span>
  </label>
);

interface CheckboxesProps<K extends string> {
  label: string;
  name: string;
  value: readonly K[];
  /** Label of each option, by value, in display order. */
  options: Record<K, string>;
  onChange(value: K[]): void;
}

export const Checkboxes = <K extends string>({ label, value, options, onChange }: CheckboxesProps<K>) => (
  <fieldset class="field">
    <legend class="label">{label}</legend>
    <div class="row wrap">
      {(Object.entries(options) as [K, string][]).map(([key, text]) => (
        <Checkbox
          key={key}
          label={text}
          value={value.includes(key)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...value, key] : value.filter((other) => other !== key))
          }
        />
      ))}
    </div>
  </fieldset>
);

interface FileButtonProps {
  /** Name of the file input for screen readers. */
  label: string;
  primary?: boolean;
  disabled?: boolean;
  onFile(file: File): void;
  children: ComponentChildren;
}

export function FileButton({ label, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

interface DropZoneProps {
  /** Name of the file input for screen readers. */
  label: string;
  disabled?: boolean;
  onFile(file: File): void;
}

/** Area to which a file can be dragged, with a button for choosing one. */
export function DropZone({ label, disabled = false, onFile }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file && !disabled) onFile(file);
      }}
    >
      <p>Drag a file here, or</p>
      <FileButton label={label} disabled={disabled} onFile={onFile}>
        Choose file
      </FileButton>
    </div>
  );
}
