import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Note } from '../components/feedback.tsx';
import { Field } from '../components/form.tsx';
import { parsePastedText } from './paste.ts';
import { type CheckForm, toFormValues } from './request.ts';

/** Text area for a pasted text about a person, from which the form is filled. Enter fills the form. Parts of the text that fit no field are listed. */
export function PasteField({ onFill }: { onFill(values: Partial<CheckForm>): void }) {
  const [text, setText] = useState('');
  const [unused, setUnused] = useState<string[]>([]);
  const fill = () => {
    const details = parsePastedText(text);
    const { name, ...lists } = toFormValues(details);
    onFill(name === '' ? lists : { name, ...lists });
    setUnused(details.unused);
    setText('');
  };
  return (
    <div class="stack tight">
      <Field label="Paste details" hint="Name, e-mail, phone and address in any order, or a request as JSON.">
        {(attributes) => (
          <div class="value-line">
            <textarea
              {...attributes}
              class="input"
              rows={2}
              maxLength={10_000}
              dir="auto"
              value={text}
              autocomplete="off"
              placeholder="Bob Hale, bob@example.com, 503 555 0142"
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || text.trim() === '') return;
                event.preventDefault();
                fill();
              }}
            />
            <Button disabled={text.trim() === ''} onClick={fill}>
              Fill in
            </Button>
          </div>
        )}
      </Field>
      <div role="status">
        {unused.length === 0 ? null : (
          <Note tone="care">
            Not used:{' '}
            {unused.map((part, i) => (
              <span key={i}>
                {i === 0 ? '' : ', '}
                <bdi>{part}</bdi>
              </span>
            ))}
          </Note>
        )}
      </div>
    </div>
  );
}
