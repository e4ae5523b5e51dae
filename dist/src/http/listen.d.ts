import type { H3 } from 'h3';
export interface Listening {
    /** `http://127.0.0.1:8787`, with the port that was really taken. */
    url: string;
    /** Stops accepting, lets calls in flight finish (at most `graceMs`), then closes every connection. */
    close(graceMs?: number): Promise<void>;
}
/** Serves the app on a port (0 takes a free one). Throws port_in_use, address_unavailable. */
export declare function listen(app: H3, { host, port }: {
    host: string;
    port: number;
}): Promise<Listening>;
