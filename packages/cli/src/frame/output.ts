import type { OutputStream } from './tool-io.ts';

/** One of the two streams that a command writes to. */
export class Output {
  /** For what writes itself, such as a line editor. */
  readonly stream: OutputStream;
  /** True if a person looks at it. */
  readonly isTerminal: boolean;
  readonly #isColoured: boolean;

  constructor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>) {
    this.stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.#isColoured = hasColours(stream, env);
  }

  /** Returns how many characters fit in a line; 80 where it is unknown. */
  get columns(): number {
    const { columns = 0 } = this.stream;
    // A terminal whose size was never set has none.
    return columns > 0 ? columns : 80;
  }

  /** A line for people. Control characters in it become visible ones. */
  async line(text: string): Promise<void> {
    await this.write(`${printable(text)}\n`);
  }

  /** A value for programs, on one line. */
  async json(value: unknown): Promise<void> {
    await this.write(`${JSON.stringify(value)}\n`);
  }

  /** A list for programs, as one JSON array with a value on each line; it is never held as a whole. */
  async jsonArray(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
    let separator = '[';
    for await (const value of values) {
      await this.write(`${separator}${JSON.stringify(value)}`);
      separator = ',\n';
    }
    await this.write(separator === '[' ? '[]\n' : ']\n');
  }

  /**
   * Writes text as it is; on a terminal, control characters become visible ones: it may hold what others said.
   * Resolves when the reader has taken it, so that a slow one is not run over.
   */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.isTerminal) return this.#send(text);
    return this.#send(printable(typeof text === 'string' ? text : Buffer.from(text).toString()));
  }

  /** Replaces the line of a terminal where the cursor is. */
  async redraw(text: string): Promise<void> {
    await this.#send(`\r\u001B[2K${printable(text)}`);
  }

  async #send(text: string | Uint8Array): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.stream.write(text, (error) => (error ? fail(error) : done()));
    });
  }

  /** Text in a style, if this stream shows any. */
  style(style: Style, text: string): string {
    return this.#isColoured ? styled(style, text) : text;
  }
}

/** The styles of text on a terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** Checks whether colours belong on a stream: `FORCE_COLOR` before `NO_COLOR` before what the terminal can do. */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** Text in a style. */
function styled(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\u001B[${on}m${text}\u001B[${off}m`;
}

// Everything that moves the cursor, hides text, sets titles, clears the screen or shows text in another order than it is
// written in; but not the styles of `styled`, and not the marks (LRM, RLM, ALM) that texts of both directions have.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001B\[(?:[12]|22|3[1-6]|39)m|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Text as it may be written to a terminal: what others said must not move its cursor or set its title.
 * Control characters become visible ones: `␛`.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (found) => {
    if (found.length > 1) return found;
    const code = found.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\uFFFD';
  });
}
