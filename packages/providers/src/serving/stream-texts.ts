import { type HeldTexts, type StreamText, Turn } from './held-texts.ts';

/** Options of {@link streamTexts}. */
export interface StreamTextsOptions {
  /** Holds the large texts of all streams of the server. */
  readonly held: HeldTexts;
  /** Called once: after the last text, an error, or when the reader has gone. */
  readonly onDone?: (() => void) | undefined;
  /** Called before the texts are returned, when the reader has gone. */
  readonly onLeave?: (() => void) | undefined;
  /**
   * Called with the error of the texts. The stream then ends, so that a client that reconnects continues; without this
   * function the stream fails.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Characters that a reader receives at a time, and all that is held for a reader that does not read. */
export const PIECE_CHARACTERS: number = 1 << 16;

/**
 * Creates a body of texts. It is made no faster than it is read, and in pieces of {@link PIECE_CHARACTERS}.
 *
 * @throws Error from the stream if a large text is gone or has changed before its reader has taken all of it.
 */
export function streamTexts(
  texts: AsyncIterable<StreamText> | Iterable<StreamText>,
  { held, onDone, onLeave, onError }: StreamTextsOptions,
): ReadableStream<Uint8Array> {
  let isDone = false;
  const done = (): void => {
    if (!isDone) onDone?.();
    isDone = true;
  };
  const pieces = piecesOf(texts, held);
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done: isLast } = await pieces.next();
          if (!isLast) {
            controller.enqueue(value);
            return;
          }
        } catch (error) {
          if (!onError) {
            done();
            throw error;
          }
          onError(error);
        }
        done();
        controller.close();
      },
      async cancel() {
        onLeave?.();
        await pieces.return(undefined);
        done();
      },
    },
    // Nothing is made before it is read.
    { highWaterMark: 0 },
  );
}

async function* piecesOf(
  texts: AsyncIterable<StreamText> | Iterable<StreamText>,
  held: HeldTexts,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const message of texts) {
    if (typeof message === 'string' && message.length <= PIECE_CHARACTERS) {
      yield encoder.encode(message);
    } else {
      yield* piecesOfLarge(message, held);
    }
  }
}

const encoder = new TextEncoder();

/** A piece of a large text, where the next one begins, and the length of all. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly length: number;
}

async function* piecesOfLarge(message: StreamText, held: HeldTexts): AsyncGenerator<Uint8Array> {
  using turn = (typeof message === 'string' ? undefined : message.turn) ?? new Turn(held.turns);
  let length: number | undefined;
  for (let at = 0; at < (length ?? Infinity);) {
    // oxlint-disable-next-line no-await-in-loop -- each piece when the one before was taken
    await turn.take();
    // oxlint-disable-next-line no-await-in-loop
    const piece = await pieceOf(message, held, at, length);
    // It was deleted before its turn.
    if (piece === undefined) return;
    turn.pause();
    yield piece.bytes;
    at = piece.end;
    length = piece.length;
  }
}

/**
 * Returns a piece as bytes, or nothing if the text is gone before its first one. A generator that waits for its reader
 * holds all of its variables: here, the text and a part of it, which refers to the whole, are released.
 */
async function pieceOf(
  message: StreamText,
  held: HeldTexts,
  at: number,
  length: number | undefined,
): Promise<Piece | undefined> {
  const text = typeof message === 'string' ? message : await held.textOf(message);
  if (text === undefined && at === 0) return undefined;
  if (text === undefined || text.length !== (length ?? text.length)) {
    throw new Error('cannot continue the answer: its text has changed meanwhile');
  }
  const end = endOfPiece(text, at);
  return { bytes: encoder.encode(text.slice(at, end)), end, length: text.length };
}

/** Returns where a piece ends: not within a character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE_CHARACTERS);
  const isHalf =
    end < text.length && text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff;
  return isHalf ? end - 1 : end;
}
