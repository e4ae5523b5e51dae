// A local server with OpenAI's chat completions, which answers correctly or with faults, as a test sets it.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  headers: IncomingMessage['headers'];
  body: string;
}
type Reply = (response: ServerResponse, asked: Asked) => void;

export interface ModelServer {
  url: string;
  /** Every request so far. */
  asked: Asked[];
  /** Sets the replies to the next requests, in order; the last one is repeated. */
  answer(...replies: Reply[]): void;
  close(): Promise<void>;
}

/** Replies with a valid completion of this content. */
export const says =
  (content: unknown): Reply =>
  (response) => {
    response.setHeader('content-type', 'application/json');
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }));
  };

export const status =
  (code: number, body = 'the provider’s own words, key sk-secret'): Reply =>
  (response) => {
    response.statusCode = code;
    response.end(body);
  };

export const hangs: Reply = () => undefined;

/** Sends one byte every 20 ms, without end. */
export const drips: Reply = (response) => {
  response.setHeader('content-type', 'application/json');
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** Sends data as fast as the client reads, without end. */
export const floods: Reply = (response) => {
  const chunk = 'x'.repeat(65_536);
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

export const redirects =
  (to: string): Reply =>
  (response) => {
    response.writeHead(302, { location: to }).end();
  };

export async function openModelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  let replies: Reply[] = [hangs];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const question = { headers: request.headers, body };
      asked.push(question);
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      reply?.(response, question);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: (...next) => {
      replies = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answer of a careful model about `solid` of features.ts. */
export const goodNarrative = {
  summary: 'The name and all of the contacts lead to one identity, so trust is high with a score of 94.',
  key_factors: ['The email matches the primary record.', 'Both phones belong to the identity.'],
  red_flags: [],
  recommendations: ['Check that the phone is still in use.'],
  overview: 'All 4 contacts belong to one identity. The score is 94 out of 100.',
  key_findings: ['4 of 4 contacts matched'],
  positive_signals: ['The address is on record for the identity'],
  risk_factors: [],
  recommended_actions: ['Accept.'],
};
