import type { Endpoint } from '../model.ts';
/** What one line says of one HTTP request: never a path as it was sent, a query, a header or a submitted value. */
export interface RequestLine {
    time: number;
    requestId: string;
    method: string;
    /** The route as the server knows it, `/v1/requests/:id`, or `-` where no route fits. */
    route: string;
    status: number;
    ms: number;
    keyId?: string;
    endpoint?: Endpoint;
    score?: number;
    band?: string;
    /** Code of the problem that was answered. */
    code?: string;
    /** Trace id of a valid `traceparent`. */
    trace?: string;
}
export interface Log {
    request(line: RequestLine): void;
    /** `text` is ours: a sentence without values. */
    info(text: string): void;
    warn(text: string): void;
    /** What was thrown is told by its kind, code and place only: its message may hold a submitted value. */
    error(text: string, thrown?: unknown): void;
    flush(): void;
}
export type LogFormat = 'json' | 'pretty' | 'silent';
type Write = (text: string) => void;
/** A log that gathers its lines and writes them once per turn of the event loop. */
export declare function openLog(format: LogFormat, write?: Write): Log;
/** An error without its message: name, code, and the places it passed through. */
export declare function describe(thrown: unknown): {
    name: string;
    code?: string;
    at: string[];
};
export {};
