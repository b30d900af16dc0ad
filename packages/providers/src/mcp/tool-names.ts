import { createHash } from 'node:crypto';

/** The longest name of a tool that every provider takes. */
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Names of tools that every provider takes (letters, digits, `_` and `-`, from a letter on, at most 64), each for one tool of
 * one server. A tool keeps its name for as long as this lives, also when the list of its server changes.
 *
 * Sources: OpenAI `^[a-zA-Z0-9_-]{1,64}$`, Anthropic `^[a-zA-Z0-9_-]{1,64}$`, Bedrock `[a-zA-Z][a-zA-Z0-9_]*`, Gemini
 * (begins with a letter or `_`, at most 64); MCP (SEP-986) allows `.` and `/`, and servers use any text.
 */
export class ToolNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Returns the name for a tool; `prefix` is put before it, with `_` in between. */
  nameFor(server: string, tool: string, prefix: string): string {
    const key = JSON.stringify([server, tool]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const start = safeName(prefix).replace(/_+$/, '');
    const name = this.#freeName(start === '' ? tool : `${start}_${tool}`, key);
    this.#names.set(key, name);
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** Returns the wanted name if it is safe and free; else with a hash of what it is for. */
  #freeName(wanted: string, key: string): string {
    const safe = safeName(wanted);
    if (safe !== '' && safe.length <= MAX_LENGTH && this.#isFree(safe)) return safe;
    for (let turn = 0; ; turn++) {
      const hash = createHash('sha256')
        .update(`${key}${turn || ''}`)
        .digest('hex');
      const start = safe.slice(0, MAX_LENGTH - HASH_LENGTH - 1) || 'tool';
      const name = `${start}_${hash.slice(0, HASH_LENGTH)}`;
      if (this.#isFree(name)) return name;
    }
  }

  /** Models confuse names that differ in case only. */
  #isFree(name: string): boolean {
    return !this.#taken.has(name.toLowerCase());
  }
}

/** Empty where nothing of the name remains. */
function safeName(wanted: string): string {
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_');
  if (!/[A-Za-z0-9]/.test(plain)) return '';
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
