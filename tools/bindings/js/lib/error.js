import { constants } from './layout.js';

/** Thrown by a call that fails. Such a call has written nothing. */
export class GyreError extends Error {
    constructor(code, reason) {
        super(reason);
        this.name = 'GyreError';
        this.code = code;
        this.status = constants[`GYRE_ERROR_${code.toUpperCase()}`];
    }
}
