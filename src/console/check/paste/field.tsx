// The line that is taken apart, and what of it could not be placed.
import { useState } from 'preact/hooks';
import { Field } from '../../parts/form.tsx';
import { Note } from '../../parts/parts.tsx';
import { NO_ADDRESS } from '../request.ts';
import type { Draft } from '../request.ts';
import { takeApart } from './apart.ts';

export function Paste({ onFound }: { onFound(part: Partial<Draft>): void }) {
  const [text, setText] = useState('');
  const [left, setLeft] = useState<string[]>([]);
  const take = () => {
    const { name, emails, phones, addresses, left } = takeApart(text);
    setLeft(left);
    onFound({
      ...(name === '' ? {} : { name }),
      emails: emails.length > 0 ? emails : [''],
      phones: phones.length > 0 ? phones : [''],
      addresses: addresses.length > 0 ? addresses : [NO_ADDRESS],
    });
    setText('');
  };
  const line = (
    <Field
      label="Paste a line"
      hint="Name, e-mail, phone and address in any order, or a request as JSON; it is taken apart here, in the page."
    >
      {(props) => (
        <div class="value-line">
          <input
            {...props}
            class="input"
            dir="auto"
            value={text}
            autocomplete="off"
            placeholder="Bob Hale, bob@example.com, 503 555 0142"
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return;
              event.preventDefault();
              take();
            }}
          />
          <button type="button" class="button" disabled={text.trim() === ''} onClick={take}>
            Fill in
          </button>
        </div>
      )}
    </Field>
  );
  return (
    <div class="stack tight">
      {line}
      <div role="status">
        {left.length === 0 ? null : (
          <Note tone="care">
            Not placed, and not asked about:{' '}
            {left.map((piece, i) => (
              <span key={i}>
                {i === 0 ? '' : ', '}
                <bdi>{piece}</bdi>
              </span>
            ))}
            .
          </Note>
        )}
      </div>
    </div>
  );
}
