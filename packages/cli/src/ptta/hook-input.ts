/** The program that reads standard input and the one that records the call are built into files of their own. */
const KEY = Symbol.for('@vizprompt/cli/hook-input');

/** Stores the input of a hook that was read already, for the command `hook` of this process. */
export function setReadInput(input: string): void {
  Reflect.set(globalThis, KEY, input);
}

/** Returns the input of a hook that was read already; `undefined` if standard input is to be read. */
export function readInputOf(): string | undefined {
  const input: unknown = Reflect.get(globalThis, KEY);
  return typeof input === 'string' ? input : undefined;
}
