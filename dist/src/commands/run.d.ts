/** Runs one command line and answers the exit code: 0, 1 for an error, 2 for a command line that is wrong. */
export declare function run(argv: string[]): Promise<number>;
