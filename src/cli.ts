// The command line's entry: one line of arguments in, an exit code out.
import { runCommandLine } from './commands/command-line.ts';

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output cannot be written (${error.code}).\n`);
  process.exit(1);
});
process.exitCode = await runCommandLine(process.argv.slice(2));
