// Commands in this process keep its priority. An import lowers the priority of its process, and programs that the process starts inherit
// it: on a busy machine they would be ten times slower.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

os.setPriority = () => undefined;
syncBuiltinESMExports();
