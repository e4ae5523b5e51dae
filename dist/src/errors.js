/** The one error class. `message` is a sentence that says what is wrong and what to do. */
export class BonafideError extends Error {
    code;
    details;
    constructor(code, message, details = {}) {
        super(message);
        this.name = 'BonafideError';
        this.code = code;
        this.details = details;
    }
}
