// Built-in plugins import the contract by its public name, which a clone gives them when it runs.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import threads from 'node:worker_threads';
import { registerPluginImportHooks } from '../../../src/features/plugin-file.ts';
import { ProgramThread } from './threads.ts';

registerPluginImportHooks();

// An import lowers the priority of its process. Here that is the process of many tests: they and the programs that they start would be ten times
// slower beside others until it ends.
os.setPriority = () => undefined;
threads.Worker = ProgramThread;
syncBuiltinESMExports();
