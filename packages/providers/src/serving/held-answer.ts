import { createHash } from 'node:crypto';
import type { HeldTexts, LargeText, StreamText, Turn } from './held-texts.ts';
import { PIECE_CHARACTERS, streamTexts } from './stream-texts.ts';

/** The body of an answer, and its size. */
export interface HeldAnswer {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly bytes: number;
}

/** Options of {@link heldAnswer}. */
export interface HeldAnswerOptions {
  /** True if the text may be made again, as making it changes nothing. Default: `false`. */
  readonly isRepeatable?: boolean | undefined;
}

/**
 * Makes the body of an answer. A large one is sent no faster than it is read. If other clients need its room meanwhile,
 * it is made again where that is possible; the stream fails if it has changed.
 *
 * @param make - Makes the text; it is called before this function returns, so that errors can be answered.
 */
export async function heldAnswer(
  make: () => Promise<string>,
  held: HeldTexts,
  { isRepeatable = false }: HeldAnswerOptions = {},
): Promise<HeldAnswer> {
  if (!isRepeatable) {
    const text = await make();
    return { body: bodyOf(onceHeld(text), held), bytes: Buffer.byteLength(text) };
  }
  let first: string | undefined;
  const large = nameless(async () => {
    const text = await make();
    if (text.length <= PIECE_CHARACTERS) return text;
    const digest = createHash('sha256').update(text).digest('base64');
    first ??= digest;
    return digest === first ? text : undefined;
  });
  const text = (await held.textOf(large)) ?? '';
  const bytes = Buffer.byteLength(text);
  return { body: bodyOf(text.length <= PIECE_CHARACTERS ? text : large, held), bytes };
}

function bodyOf(text: StreamText, held: HeldTexts): HeldAnswer['body'] {
  return typeof text === 'string' ? text : streamTexts([text], { held });
}

/**
 * Returns the answer with a body that is sent no faster than it is read. It fails if other clients need the room of a
 * large part of it meanwhile, as it cannot be made again.
 */
export function heldResponse(response: Response, held: HeldTexts): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = streamTexts(partsOf(response.body, held), { held });
  return new Response(body, { status, statusText, headers });
}

async function* partsOf(
  body: ReadableStream<Uint8Array>,
  held: HeldTexts,
): AsyncGenerator<StreamText> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- each part when the one before was read
      const part = await nextPart(reader, decoder);
      if (part === undefined) break;
      using waiting = typeof part === 'string' ? undefined : held.waiting();
      yield typeof part === 'string' ? part : beforeMaking(part, () => waiting?.[Symbol.dispose]());
    }
    yield decoder.decode();
  } finally {
    await reader.cancel();
  }
}

function beforeMaking(part: LargeText, before: () => void): LargeText {
  const make = (): ReturnType<LargeText['make']> => {
    before();
    return part.make();
  };
  return { ...part, make };
}

/** Returns the next part, or nothing at the end. A generator that waits for its reader would hold its bytes. */
async function nextPart(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  decoder: InstanceType<typeof TextDecoder>,
): Promise<StreamText | undefined> {
  const { done, value } = await reader.read();
  return done ? undefined : onceHeld(decoder.decode(value, { stream: true }));
}

/** Returns a text that is held for its readers together, and not made again: one that reads too late fails. */
export function onceHeld(part: string, turn?: Turn): StreamText {
  if (part.length <= PIECE_CHARACTERS) return part;
  let text: string | undefined = part;
  const make = async (): Promise<string> => {
    if (text === undefined) throw new Error(`cannot continue the answer: ${DROPPED}`);
    const given = text;
    // From here on only the texts that are held refer to it.
    text = undefined;
    return given;
  };
  return { ...nameless(make), heldMs: UNREAD_MS, turn };
}

const DROPPED = 'other clients needed its room, or its client did not read for a minute';

/** How long a client may read nothing of an answer that cannot be made again. */
const UNREAD_MS = 60_000;

let count = 0;

/** Shares its text with no other. */
function nameless(make: LargeText['make']): LargeText {
  return { name: `answer ${count++}`, make };
}
