import { hasDigit, isMixed } from './judge.ts';
import { isPlaceholder } from './placeholder.ts';

/** Checks whether a text is neither a plain word nor a placeholder. */
export function isValue(text: string): boolean {
  return (
    (hasDigit(text) || /[^\w.,:/-]/.test(text)) && !isPlaceholder(text) && !/[(){}[\]]/.test(text)
  );
}

/** Checks whether a text is not a word of a sentence, no name of a file, and no number. */
export function isStrongValue(text: string): boolean {
  if (!isValue(text) || !/[a-z]/i.test(text)) return false;
  return (
    isMixed(text) ||
    (/\d/.test(text) && /[!@#$%^&*+~?]/.test(text)) ||
    /^[\da-f-]{20,}$/i.test(text)
  );
}

/** Checks for the ports of a container: `1433:1433`. */
export function isPorts(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}:\d{1,5}(?:\/\w{3,4})?$/.test(text);
}
