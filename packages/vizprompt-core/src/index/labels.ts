import { toStorable } from '@vizprompt/providers';

/** Tags and keywords are compared without regard to width, case and outer spaces. */
export function normalizeLabel(label: string): string {
  return toStorable(label.normalize('NFKC').trim().toLowerCase());
}
