// HTTP pipelining: a connection may send many requests before the first is answered. A few of them are served at a time, and meanwhile nothing
// more is read from the connection. Without this bound, 20 connections with 3,000 requests each make an honest call wait 15 s and take 440 MB
// (`npm run trials -- --only wire`).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endOfTurn } from '../../platform/turn.ts';

/** Requests of one connection that are served at the same time. */
const MAX_CONCURRENT = 16;

interface PendingRequest {
  res: ServerResponse;
  serve(): void;
}

/** Requests of one connection. */
interface Pipeline {
  serving: number;
  /** Requests that arrived before reading stopped: at most what one read brings. */
  pending: PendingRequest[];
  /** True while nothing is read from the connection. */
  isPaused: boolean;
  /** True if the connection is queued for being read again. */
  isResuming: boolean;
}

const PIPELINES = new WeakMap<Socket, Pipeline>();

/** To be called with each new connection. node:http resumes a paused connection whenever it reads a body: this is prevented. */
export function limitPipelining(socket: Socket): void {
  const pipeline: Pipeline = { serving: 0, pending: [], isPaused: false, isResuming: false };
  const resume = socket.resume.bind(socket);
  socket.resume = () => (pipeline.isPaused ? socket : resume());
  socket.on('close', () => (pipeline.pending = []));
  PIPELINES.set(socket, pipeline);
}

/** Calls `serve`, which answers a request, as soon as fewer than `MAX_CONCURRENT` requests of its connection are being served. */
export function servePipelined({ socket }: IncomingMessage, res: ServerResponse, serve: () => void): void {
  const pipeline = PIPELINES.get(socket);
  if (!pipeline) return serve();
  if (pipeline.serving < MAX_CONCURRENT) start(socket, pipeline, { res, serve });
  else pipeline.pending.push({ res, serve });
  if (pipeline.serving < MAX_CONCURRENT || pipeline.isPaused) return;
  pipeline.isPaused = true;
  socket.pause();
}

function start(socket: Socket, pipeline: Pipeline, { res, serve }: PendingRequest): void {
  pipeline.serving++;
  res.on('close', () => {
    pipeline.serving--;
    const next = pipeline.pending.shift();
    if (next) return start(socket, pipeline, next);
    const { isPaused, isResuming, serving } = pipeline;
    if (isPaused && !isResuming && serving <= MAX_CONCURRENT / 2) resume(socket, pipeline);
  });
  serve();
}

const RESUMING: (() => void)[] = [];

/** Resumes one connection in each turn of the event loop: parsing what one read brings takes milliseconds, and many may be paused. */
function resume(socket: Socket, pipeline: Pipeline): void {
  pipeline.isResuming = true;
  RESUMING.push(() => {
    [pipeline.isPaused, pipeline.isResuming] = [false, false];
    socket.resume();
  });
  if (RESUMING.length === 1) void resumeEach();
}

async function resumeEach(): Promise<void> {
  for (let next = RESUMING[0]; next; next = RESUMING[0]) {
    next();
    await endOfTurn();
    RESUMING.shift();
  }
}
