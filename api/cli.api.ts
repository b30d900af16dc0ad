// What @vizprompt/cli exports. Written by scripts/api-surface.mjs; do not edit.

// @vizprompt/cli

export declare class CliError extends CodedError<CliErrorCode> {
    constructor(code: CliErrorCode, message: string, details?: ErrorDetails);
    static isInstance(value: unknown): value is CliError;
}

export declare const EXIT_BY_ERROR: Readonly<Record<ErrorCode, ExitName>>;

export declare const EXIT_CODES: Readonly<Record<ExitName, number>>;
