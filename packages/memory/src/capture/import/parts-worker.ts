// The thread that reads transcripts and prepares their events, while the thread of the host writes them.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@vizprompt/providers';
import { memoryAnalyzer } from '../../indexing/memory-analyzer.ts';
import { redactionOptions } from '../../redact/redaction-options.ts';
import { packedBatch } from './packed-batch.ts';
import type { PartsAnswer, PartsRequest, PartsTask } from './parts-messages.ts';
import { ReadParts } from './read-parts.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what WorkerParts gives
const { files, options, redact, maxContentBytes } = workerData as PartsTask;
const settings = {
  redact: redactionOptions(redact),
  maxContentBytes,
  analyzer: memoryAnalyzer(),
};
const parts = new ReadParts(files, options, settings);
let tail = Promise.resolve();

parentPort?.on('message', (request: PartsRequest) => {
  tail = tail.then(() => answer(request)).catch(fail);
});
send({ type: 'ready' });

async function answer(asked: PartsRequest): Promise<void> {
  if (asked.type === 'next') {
    send({ type: 'part', part: await parts.next(asked.needed) });
    return;
  }
  const { batch, bytes } = packedBatch(await parts.prepare(asked.request));
  send({ type: 'batch', batch }, [bytes]);
}

function fail(error: unknown): void {
  // What the system says of a file, such as its code; the class of an error is lost on the way.
  const facts =
    error instanceof Error
      ? { ...Object.fromEntries(Object.entries(error)), stack: error.stack }
      : {};
  send({ type: 'failed', message: messageOf(error), facts });
}

function send(message: PartsAnswer, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transfer]);
}
