/** What every database can hold: the index shows a mark where the file has the character itself. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Tags and keywords are compared without regard to width, case and outer spaces. */
export function normalizeLabel(label: string): string {
  return storable(label.normalize('NFKC').trim().toLowerCase());
}
