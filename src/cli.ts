// Entry point of the command line: runs the arguments of the process, and sets its exit code.
import { runCommandLine } from './commands/command-line.ts';

// The reader of the output may end early, as `head` does: that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output cannot be written (${error.code}).\n`);
  process.exit(1);
});
process.exitCode = await runCommandLine(process.argv.slice(2));
