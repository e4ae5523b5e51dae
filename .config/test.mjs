// npm test [-- PATH…]: runs lint, types and every test at the same time. Prints the output of lint and types at their end, that of tests as it comes.
import { spawn } from 'node:child_process';

const codes = await Promise.all([
  run('lint', 'pipe'),
  run('types', 'pipe'),
  run('test:run', 'inherit', process.argv.slice(2)),
]);
process.exitCode = Math.max(...codes);

/** Runs a script of package.json and returns its exit code. */
function run(script, output, args = []) {
  const child = spawn('npm', ['run', script, '--', ...args], {
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(text);
      if (code !== 0) process.stdout.write(`npm run ${script} failed.\n`);
      resolve(code ?? 1);
    });
  });
}
