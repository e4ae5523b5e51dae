// Bounded concurrency with a bounded queue, first come first served.
import { ModelError } from '../plugin/errors.js';
export function createLimiter(concurrency, queue) {
    const line = [];
    let running = 0;
    function leave() {
        running -= 1;
        line.shift()?.();
    }
    /** A place, and a way to give it back that works once. */
    function take() {
        running += 1;
        let left = false;
        return () => {
            if (left)
                return;
            left = true;
            leave();
        };
    }
    return {
        enter(signal) {
            if (running < concurrency && line.length === 0)
                return Promise.resolve(take());
            if (line.length >= queue)
                return Promise.reject(new ModelError('model_busy', 'Its queue is full.'));
            return new Promise((resolve, reject) => {
                const turn = () => {
                    signal.removeEventListener('abort', gone);
                    resolve(take());
                };
                const gone = () => {
                    line.splice(line.indexOf(turn), 1);
                    reject(new ModelError('model_timeout', 'It was still waiting for its turn.'));
                };
                signal.addEventListener('abort', gone, { once: true });
                line.push(turn);
            });
        },
        get running() {
            return running;
        },
        get waiting() {
            return line.length;
        },
    };
}
