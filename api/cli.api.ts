// What @vizprompt/cli exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/cli

export declare class CliError extends CodedError<CliErrorCode> {
    constructor(code: CliErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is CliError;
}

export type CliErrorCode = 'usage' | 'input-unreadable' | 'not-found' | 'interrupted' | 'found-problems' | 'failed';

export declare const EXIT_BY_ERROR: Readonly<Record<ErrorCode, ExitName>>;

export declare const EXIT_CODES: Readonly<Record<ExitName, number>>;

export interface ErrorJson {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly cause?: string;
}
