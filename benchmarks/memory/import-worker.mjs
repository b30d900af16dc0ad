// Imports transcripts into a new memory, and once more; prints what it took as JSON.
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
await store.close();
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ bytes, added, ms, againMs, cpuMs: (user + system) / 1000, peak }));
