/** The folders of a project whose files are documents. */
const FOLDERS = new Set(['settings', 'contents']);
/** The one document that lies in the folder of the project itself. */
const INSTRUCTIONS = 'DIALOGOI.md';

/**
 * Whether a path, relative to the project and with `/`, is that of a document: `.md` and `.txt` below
 * `settings/` and `contents/`, and `DIALOGOI.md`. What is hidden, or a temporary file of an editor,
 * is none.
 */
export function isDocumentPath(path: string): boolean {
  return path === INSTRUCTIONS || (isDocumentFolder(path) && /[^/]\.(?:md|txt)$/i.test(path));
}

/** Whether documents may lie at or below a path; the project itself is `''`. */
export function isDocumentFolder(path: string): boolean {
  if (path === '') return true;
  const segments = path.split('/');
  return FOLDERS.has(segments[0] ?? '') && !segments.some(isPassedOver);
}

/** Hidden names; and `~$x.md`, by which Word says that it has `x.md` open. */
function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$');
}
