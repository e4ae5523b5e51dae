// The command line's entry: one line of arguments in, an exit code out.
import { run } from './commands/run.js';
// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.exitCode = await run(process.argv.slice(2));
