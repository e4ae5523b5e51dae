// A circuit breaker: a model that keeps failing is left alone for a while, then tried with one question.
export function createBreaker({ failures, pauseMs, now }) {
    let inARow = 0;
    let openedAt = null;
    let probing = false;
    const state = () => {
        if (openedAt === null)
            return 'closed';
        return now() - openedAt >= pauseMs ? 'half_open' : 'open';
    };
    return {
        allows() {
            const at = state();
            if (at === 'closed')
                return true;
            if (at === 'open' || probing)
                return false;
            probing = true;
            return true;
        },
        succeeded() {
            inARow = 0;
            openedAt = null;
            probing = false;
        },
        failed() {
            inARow += 1;
            if (probing || inARow >= failures)
                openedAt = now();
            probing = false;
        },
        undecided() {
            probing = false;
        },
        get state() {
            return state();
        },
    };
}
