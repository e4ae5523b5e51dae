/** Freezes a value and all that it holds, so that a plugin that changes what it is handed throws. */
export declare function frozen<T>(value: T): T;
/** The problems that some work finds, or what it throws as one. */
export declare function thrown(work: () => string[]): string[];
/** Strings and lists of a JSON Schema that have no limit: they would let a model answer at any length. */
export declare function unbounded(schema: Record<string, unknown>, path?: string): string[];
