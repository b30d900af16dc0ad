import { readSync } from 'node:fs';

/**
 * All of standard input, read without a stream: Node takes longer to make one than to read the line that an
 * agent sends. Where reading at once is refused, as of a pipe that does not block, a stream is made after all.
 */
export async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(65_536);
      const bytes = readSync(0, part);
      if (bytes === 0) break;
      parts.push(part.subarray(0, bytes));
    }
  } catch (error) {
    // On Windows a pipe ends with an error.
    if (!isEnd(error)) for await (const part of process.stdin) parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString('utf8');
}

function isEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EOF';
}
