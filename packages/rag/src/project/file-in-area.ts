import { RagError } from '../errors.ts';
import { FILE_AREAS, INSTRUCTIONS_FILE, type FileArea } from '../files/file-area.ts';

/** Where a file may be looked for: an area, or next to them. */
export type Place = FileArea | 'instructions';

/**
 * Returns the path of a file in its project. The area may be said or left out: `人物.md` in `settings` is
 * `settings/人物.md`, and so is `settings/人物.md`.
 *
 * @throws RagError with the code `path-invalid` if the path says another area.
 */
export function fileInArea(place: Place, file: string): string {
  if (place === 'instructions') {
    if (file === INSTRUCTIONS_FILE) return file;
    throw invalid(file, `the instructions of a project are ${INSTRUCTIONS_FILE}`);
  }
  const said = FILE_AREAS.find((area) => file.startsWith(`${area}/`));
  if (said === place) return file;
  if (said === undefined) return `${place}/${file}`;
  throw invalid(file, `it is in ${said}/, not in ${place}/`);
}

function invalid(file: string, why: string): RagError {
  const message = `${JSON.stringify(file)} cannot be used here: ${why}`;
  return new RagError('path-invalid', message, { context: { file } });
}
