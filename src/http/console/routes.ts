import type { Route } from '../openapi/operation.ts';
import * as CONSOLE from '../openapi/operations/console.ts';
import { serveLive } from './live.ts';
import { serveConsole, serveConsoleFile } from './page.ts';
import { showSession, signIn, signOut } from './sign-in.ts';
import type { ConsoleDeps } from './sign-in.ts';

/** The console's page, its files, and its sessions. All that it shows comes from the routes of everybody. */
export const consoleRoutes = (deps: ConsoleDeps): Route[] => [
  { operation: CONSOLE.CONSOLE, handler: serveConsole },
  { operation: CONSOLE.CONSOLE_PAGE, handler: serveConsole },
  { operation: CONSOLE.CONSOLE_FILE, handler: serveConsoleFile },
  { operation: CONSOLE.LIVE, handler: (event) => serveLive(event, deps) },
  { operation: CONSOLE.WHO, handler: (event) => showSession(event, deps) },
  { operation: CONSOLE.SIGN_IN, handler: (event) => signIn(event, deps) },
  { operation: CONSOLE.SIGN_OUT, handler: (event) => signOut(event, deps) },
];
