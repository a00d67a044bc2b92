import { constants } from './layout.js';

/** What a call that failed throws. Such a call has written nothing. */
export class GyreError extends Error {
    constructor(code, reason) {
        super(reason);
        this.name = 'GyreError';
        this.code = code;
        this.status = constants[`GYRE_ERROR_${code.toUpperCase()}`];
    }
}
