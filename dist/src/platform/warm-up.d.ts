import type { H3 } from 'h3';
/**
 * Sends made-up people through a server until the engine has compiled what a check runs through: the first seconds of load would
 * stall otherwise. `http` should record and log nothing.
 */
export declare function warmUp(http: H3, key: string): Promise<void>;
