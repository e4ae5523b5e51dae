// SIGKILL at random moments of a server that works on a job: every line has one result, in the order of the file, and is counted once.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runInside } from '../kit/inside.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import { freePort, serve } from '../kit/server.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const killedJobs: Trial[] = [
  { name: 'kill-jobs', about: 'a server killed at random moments while it works on a job', run },
];
const REPEAT = 'npm run trials -- --only kill-jobs';

const POLL_MS = 200;

interface JobState {
  state: string;
  done: number;
}

async function run(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'served'));
  const made = await runInside(['keys', 'create', '--name', 'jobs', '--data-dir', folder]);
  const headers = { 'x-api-key': String(made.key), 'content-type': 'application/json' };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1`;
  const get = async (path: string) => (await fetch(url + path, { headers })).text();
  // Enough lines that the job is not done between two kills.
  const lineCount = stage.of(600, 5000);
  const requests = Array.from({ length: lineCount }, (_, i) => {
    const { body } = base.questions[i % base.questions.length]?.asked ?? {};
    return { ...(typeof body === 'string' ? JSON.parse(body) : body), reference: `line-${i}` };
  });

  let server = await serve(folder, { port });
  const sent = await fetch(`${url}/jobs`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  const { job_id: id } = (await sent.json()) as { job_id: string };
  const show = async () => JSON.parse(await get(`/jobs/${id}`)) as JobState;
  const kills = stage.times(2, 200);
  for (let kill = 0; kill < kills && (await show()).state !== 'finished'; kill++) {
    // The second kill comes when the job is partly done, so that the next server must continue it.
    if (kill === 1) while ((await show()).done === 0) await pause(1);
    await pause(10 ** (stage.random() * 3));
    await server.kill();
    did(stage.tally, 'kills');
    server = await serve(folder, { port });
  }
  while ((await show()).state !== 'finished') await pause(POLL_MS);

  const lines = (await get(`/jobs/${id}/results`)).split('\n').filter(Boolean);
  const results = lines.map((line) => JSON.parse(line));
  const { calls } = JSON.parse(await get('/usage')) as { calls: number };
  const answers = results.filter(({ status }) => status === 200);
  const ids = new Set(answers.map(({ answer }) => answer.request_id));
  did(stage.tally, 'lines', results.length);
  const isInOrder = results.every(({ line }, i) => line === i + 1);
  if (results.length !== lineCount || !isInOrder)
    fault(stage.tally, { seen: `${results.length} results, in order: ${isInOrder}`, repeat: REPEAT });
  if (calls !== answers.length || ids.size !== calls)
    fault(stage.tally, {
      seen: `${answers.length} answers with ${ids.size} ids, and ${calls} calls counted`,
      repeat: REPEAT,
    });
  await server.kill();
}
