import { element } from '../dom.js';

/**
 * Returns a unified diff with its lines coloured, and how many were added and taken away.
 *
 * @param {string} diff
 */
export function diffView(diff) {
  let [added, removed] = [0, 0];
  // The text before the first @@ names the file, whatever it begins with.
  let isInside = false;
  const lines = diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      isInside ||= line.startsWith('@@');
      const kind = isInside ? kindOf(line) : 'place';
      if (kind === 'added') added++;
      if (kind === 'removed') removed++;
      return element('span', { class: kind }, `${line}\n`);
    });
  return { view: element('pre', { class: 'diff', tabindex: 0 }, ...lines), added, removed };
}

/** @param {string} line */
function kindOf(line) {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
