// Agents call ptta on every message, and most of its time is that of loading modules: this becomes one small
// file with all that the memory needs, as its hooks are one.
export { MemoryStore } from '@vizprompt/memory';
