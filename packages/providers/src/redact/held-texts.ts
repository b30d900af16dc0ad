const forgets: (() => void)[] = [];

/**
 * Calls a function at the end of the call of `redact` in progress. Rules cache the text that they read last, which has
 * the secrets; they ask for this when their cache is empty.
 */
export function forgetLater(forget: () => void): void {
  forgets.push(forget);
}

/** Clears the texts that rules cached. */
export function forgetTexts(): void {
  for (let forget = forgets.pop(); forget; forget = forgets.pop()) forget();
}
