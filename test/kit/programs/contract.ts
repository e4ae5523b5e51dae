// Lets built-in plugins import the contract by its public name, as the program does.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import threads from 'node:worker_threads';
import { registerPluginImportHooks } from '../../../src/features/plugin-file.ts';
import { ProgramThread } from './threads.ts';

registerPluginImportHooks();

// An import lowers the priority of its process. Here it is the process of many tests, which would be ten times slower beside other processes.
os.setPriority = () => undefined;
threads.Worker = ProgramThread;
syncBuiltinESMExports();
