// Imports transcripts into a new memory, and once more; prints what it took as JSON.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { MemoryStore } from '@vizprompt/memory';

const [, , source, path] = process.argv;
const store = await MemoryStore.open({ path });
const cpu = process.cpuUsage();
const started = performance.now();
const { bytes, added } = await store.importTranscript(source);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const again = performance.now();
await store.importTranscript(source);
const againMs = performance.now() - again;
// What the memory holds, as bytes of UTF-8: each text of a file once, as it is stored once.
let contents = 0;
const texts = new Set();
for (const { id } of await store.listSessions({ limit: 1_000_000 })) {
  for await (const { data } of store.events(id)) {
    const { old_content: before, new_content: after, diff, ...rest } = data;
    contents += Buffer.byteLength(JSON.stringify(rest));
    for (const text of [before, after, diff]) {
      if (text === undefined || texts.has(hash('sha256', text))) continue;
      texts.add(hash('sha256', text));
      contents += Buffer.byteLength(text);
    }
  }
}
await store.close();
const size = statSync(path).size;
const peak = process.resourceUsage().maxRSS * 1024;
console.log(
  JSON.stringify({
    bytes,
    added,
    ms,
    againMs,
    cpuMs: (user + system) / 1000,
    peak,
    contents,
    size,
  }),
);
