// Limits what one connection costs. HTTP pipelining: a client may send many requests over one connection before the first answer. Only a few
// of these requests are served at a time; until then the connection is not read. Without this limit, 20 connections with 3,000 requests each
// delay the call of another client by 15 s and take 440 MB of memory (`npm run trials -- --only wire`). Small parts: a connection whose
// request arrives in too many small parts is not read any further, also if no handler reads the body.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endOfTurn } from '../../platform/turn.ts';
import type { BodyChunkLimitedRequest } from '../body.ts';

/** Maximum number of requests of one connection that are served at the same time. */
const MAX_CONCURRENT = 16;

interface PendingRequest {
  res: ServerResponse;
  serve(): void;
}

/** Requests of one connection: number in progress, and queue of pending requests. */
interface Pipeline {
  serving: number;
  /** Requests that arrived together with earlier ones, before reading was paused. */
  pending: PendingRequest[];
  isPaused: boolean;
  /** True if the connection is never read again, because it is closed after its answer. */
  isStopped: boolean;
  /** Request that arrived last, and its answer; null before the first. */
  newest: { req: BodyChunkLimitedRequest; res: ServerResponse } | null;
  /** True if the connection is queued to be read again. */
  isResuming: boolean;
  /** Time of the last activity, in milliseconds by `performance.now()`. */
  activeAt: number;
  /** Number of bytes that the connection had received at the time `activeAt`. */
  bytesRead: number;
}

const PIPELINES = new WeakMap<Socket, Pipeline>();

/**
 * Limits the number of requests that a new connection has at the same time. It also stops node:http from resuming a paused connection when it
 * reads a body, and from closing a connection at once that the client still sends on.
 */
export function limitPipelining(socket: Socket): void {
  const pipeline: Pipeline = {
    serving: 0,
    pending: [],
    isPaused: false,
    isStopped: false,
    newest: null,
    isResuming: false,
    activeAt: performance.now(),
    bytesRead: 0,
  };
  const resume = socket.resume.bind(socket);
  socket.resume = () => (pipeline.isPaused || pipeline.isStopped ? socket : resume());
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () =>
    pipeline.newest?.req.isUnread ? closeConnectionWithUnreadData(socket) : destroySoon();
  socket.once('end', () => detectDisconnect(socket, pipeline));
  socket.on('close', () => (pipeline.pending = []));
  PIPELINES.set(socket, pipeline);
}

/** Interval (ms) at which a client that has closed its half of the connection is sent something while it waits for an answer. */
const PROBE_MS = 500;

/**
 * Detects that a client has disconnected, not only closed its half of the connection: the system then answers what is sent to it with a reset. Sends
 * the interim status 102, which clients ignore.
 */
function detectDisconnect(socket: Socket, pipeline: Pipeline): void {
  const probe = () => {
    const { req, res } = pipeline.newest ?? {};
    if (req?.httpVersion === '1.1' && res?.headersSent === false) res.writeProcessing();
  };
  const timer = setInterval(probe, PROBE_MS).unref();
  socket.once('close', () => clearInterval(timer));
}

/** Serves one request with `serve`, or queues it while the connection already has `MAX_CONCURRENT` requests being served. */
export function serveOrQueueRequest(
  req: BodyChunkLimitedRequest,
  res: ServerResponse,
  serve: () => void,
): void {
  const { socket } = req;
  const pipeline = PIPELINES.get(socket);
  if (!pipeline) return serve();
  // The connection is closed before this request could be answered, so it must not be counted.
  if (pipeline.isStopped) return;
  pipeline.newest = { req, res };
  req.once('excess', () => {
    stopReading(socket);
    res.shouldKeepAlive = false;
    if (res.writableFinished) socket.destroySoon();
    else res.once('finish', () => socket.destroySoon());
  });
  if (pipeline.serving < MAX_CONCURRENT) start(socket, pipeline, { res, serve });
  else pipeline.pending.push({ res, serve });
  if (pipeline.serving < MAX_CONCURRENT || pipeline.isPaused) return;
  pipeline.isPaused = true;
  socket.pause();
}

/** Time (ms) that a client has to read its answer before its connection is closed, if it may still be sending data. */
const LINGER_MS = 1000;
/** Maximum number of connections that are kept open at the same time until `LINGER_MS` has passed. */
const MAX_LINGERING = 256;
let lingering = 0;

/**
 * Closes a connection with data that is never read, after its answer. If it were destroyed at once, the client would be sent a reset, and could
 * lose the answer.
 */
export function closeConnectionWithUnreadData(socket: Socket): void {
  stopReading(socket);
  if (socket.writableEnded) return;
  socket.end();
  if (lingering >= MAX_LINGERING) return void socket.destroy();
  lingering++;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => {
    lingering--;
    clearTimeout(timer);
  });
}

function stopReading(socket: Socket): void {
  const pipeline = PIPELINES.get(socket);
  if (pipeline) pipeline.isStopped = true;
  socket.pause();
}

/** Returns true if a connection has no request other than the one being answered. */
export function isOnlyRequestOfConnection(socket: Socket): boolean {
  const pipeline = PIPELINES.get(socket);
  return !pipeline || (pipeline.serving === 1 && pipeline.pending.length === 0);
}

/** Returns true if a connection has had no request for `ms` milliseconds, and no byte of a new request has arrived. */
export function isConnectionIdle(socket: Socket, ms: number): boolean {
  const pipeline = PIPELINES.get(socket);
  if (!pipeline || pipeline.serving > 0) return false;
  if (socket.bytesRead !== pipeline.bytesRead) noteActivity(socket, pipeline);
  return performance.now() - pipeline.activeAt >= ms;
}

function noteActivity(socket: Socket, pipeline: Pipeline): void {
  pipeline.activeAt = performance.now();
  pipeline.bytesRead = socket.bytesRead;
}

function start(socket: Socket, pipeline: Pipeline, { res, serve }: PendingRequest): void {
  pipeline.serving++;
  res.on('close', () => {
    // Requests that are answered at once would otherwise all be served in one turn of the event loop, and delay other connections.
    if (pipeline.pending.length > 0) void endOfTurn().then(() => startNext(socket, pipeline));
    else startNext(socket, pipeline);
  });
  serve();
}

/** Ends a request of a connection, and starts its next pending request, or reads the connection again. */
function startNext(socket: Socket, pipeline: Pipeline): void {
  pipeline.serving--;
  noteActivity(socket, pipeline);
  const next = pipeline.pending.shift();
  if (next) return start(socket, pipeline, next);
  const { isPaused, isResuming, serving } = pipeline;
  if (isPaused && !isResuming && serving <= MAX_CONCURRENT / 2) resume(socket, pipeline);
}

const RESUMING: (() => void)[] = [];

/** Resumes reading of a paused connection: one connection in each turn of the event loop, because parsing takes milliseconds. */
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
