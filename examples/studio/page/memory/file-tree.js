/** @import { ChangedFile } from '../wire/types.js' */

import { element } from '../dom.js';

/**
 * @typedef {object} Folder
 * @property {Map<string, Folder>} folders
 * @property {ChangedFile[]} files
 */

/**
 * Files as a tree of folders, which the keys of the browser open and close.
 *
 * @param {readonly ChangedFile[]} files
 * @param {string} root - The folder that the tree begins at; what is elsewhere keeps its whole path.
 * @param {(path: string) => string} addressOf
 */
export function fileTree(files, root, addressOf) {
  /** @type {Folder} */
  const tree = { folders: new Map(), files: [] };
  for (const file of files) {
    const parts = partsOf(file.file_path, root);
    let folder = tree;
    for (const part of parts.slice(0, -1)) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(file);
  }
  return listOf(tree, addressOf);
}

/**
 * @param {Folder} folder
 * @param {(path: string) => string} addressOf
 * @returns {HTMLUListElement}
 */
function listOf({ folders, files }, addressOf) {
  return element(
    'ul',
    { class: 'tree' },
    ...[...folders].map(([name, inside]) => {
      const content = listOf(inside, addressOf);
      const summary = element('summary', {}, `${name}/`);
      return element('li', {}, element('details', { open: true }, summary, content));
    }),
    ...files.map(({ file_path: path, edits }) => {
      const name = path.split(/[\\/]/).at(-1) ?? path;
      const link = element('a', { href: addressOf(path), title: path }, name);
      return element('li', {}, link, element('span', { class: 'facts' }, ` ${edits}`));
    }),
  );
}

/**
 * @param {string} path
 * @param {string} root
 */
function partsOf(path, root) {
  const isInside = path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
  return (isInside ? path.slice(root.length + 1) : path).split(/[\\/]/).filter(Boolean);
}
