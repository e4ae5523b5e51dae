// A connection may carry many requests before the first is answered. Here they are taken on a few at a time, and a connection that
// sends more is not read until it has its answers: what is not read waits with the sender, and costs nothing here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endOfTurn } from '../../platform/turn.ts';

/** Requests of one connection that are worked on at a time. */
const MOST_AT_ONCE = 16;

interface Line {
  working: number;
  /** What had arrived when reading stopped: at most what one read brings. */
  waiting: { res: ServerResponse; work: () => void }[];
  /** Not read from. */
  held: boolean;
  /** Among those that are read from again, one after the other. */
  called: boolean;
}

const LINES = new WeakMap<Socket, Line>();

/** Makes a new connection one whose reading can be held: node:http resumes a paused one whenever a body is read. */
export function readWithMeasure(socket: Socket): void {
  const line: Line = { working: 0, waiting: [], held: false, called: false };
  const resume = socket.resume.bind(socket);
  socket.resume = () => (line.held ? socket : resume());
  socket.on('close', () => (line.waiting = []));
  LINES.set(socket, line);
}

/** Runs `work`, which answers the request, when it is its turn. The turn ends with the answer. */
export function inTurn({ socket }: IncomingMessage, res: ServerResponse, work: () => void): void {
  const line = LINES.get(socket);
  if (!line) return work();
  if (line.working < MOST_AT_ONCE) start(socket, line, { res, work });
  else line.waiting.push({ res, work });
  if (line.working < MOST_AT_ONCE || line.held) return;
  line.held = true;
  socket.pause();
}

function start(socket: Socket, line: Line, { res, work }: Line['waiting'][number]): void {
  line.working++;
  res.on('close', () => {
    line.working--;
    const next = line.waiting.shift();
    if (next) return start(socket, line, next);
    if (line.held && !line.called && line.working <= MOST_AT_ONCE / 2) readOn(socket, line);
  });
  work();
}

const READ_ON: (() => void)[] = [];

/** Reads on in a turn of its own: what one read brings takes milliseconds to take apart, and many connections may be held. */
function readOn(socket: Socket, line: Line): void {
  line.called = true;
  READ_ON.push(() => {
    [line.held, line.called] = [false, false];
    socket.resume();
  });
  if (READ_ON.length === 1) void readEach();
}

async function readEach(): Promise<void> {
  for (let next = READ_ON[0]; next; next = READ_ON[0]) {
    next();
    await endOfTurn();
    READ_ON.shift();
  }
}
