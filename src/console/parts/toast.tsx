// Short words about what was done, for eyes and for screen readers.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const SAID = 'bonafide:said';
const SHOWN_MS = 4000;

export const toast = (text: ComponentChildren): void =>
  void dispatchEvent(new CustomEvent(SAID, { detail: text }));

export function Toasts() {
  const [said, set] = useState<{ id: number; text: ComponentChildren }[]>([]);
  useEffect(() => {
    let last = 0;
    const hear = (event: Event) => {
      const id = ++last;
      set((before) => [...before.slice(-2), { id, text: (event as CustomEvent<ComponentChildren>).detail }]);
      setTimeout(() => set((before) => before.filter((one) => one.id !== id)), SHOWN_MS);
    };
    addEventListener(SAID, hear);
    return () => removeEventListener(SAID, hear);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {said.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  );
}
