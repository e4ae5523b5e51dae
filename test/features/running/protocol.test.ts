import { expect, test, vi } from 'vitest';
import {
  MAX_PLUGIN_MESSAGE_LENGTH,
  serializePluginCallResult,
} from '../../../src/features/running/protocol.ts';

const serialize = (value: unknown): unknown => JSON.parse(serializePluginCallResult({ ok: true, value }));

test.each([
  ['text', 'x'.repeat(MAX_PLUGIN_MESSAGE_LENGTH + 1)],
  ['list', Array.from({ length: MAX_PLUGIN_MESSAGE_LENGTH }, () => 1)],
  ['buffer', new Uint8Array(MAX_PLUGIN_MESSAGE_LENGTH / 4)],
])('an answer with a %s that is too long is refused before the rest of it is made text', (_, long) => {
  const toJSON = vi.fn<() => string>(() => 'rest');
  expect(serialize({ long, rest: { toJSON } })).toMatchObject({ ok: false, code: 'model_answer_too_large' });
  expect(toJSON).not.toHaveBeenCalled();
});

test('an answer of the maximum length passes, and a longer one does not', () => {
  const envelope = '{"ok":true,"value":""}'.length;
  const text = 'x'.repeat(MAX_PLUGIN_MESSAGE_LENGTH - envelope);
  expect(serialize(text)).toEqual({ ok: true, value: text });
  expect(serialize(`${text}x`)).toMatchObject({ ok: false, code: 'model_answer_too_large' });
});
