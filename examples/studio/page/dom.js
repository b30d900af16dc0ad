/** @typedef {Node | string} Child */

// #region element
/**
 * Makes an element. Text is put in as text and never read as HTML, so that nothing that was said in a
 * conversation can become part of the page.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | ((event: Event) => void)>} [attributes] - Functions are
 * listeners, by the name of the event; `true` sets an attribute, `false` leaves it out.
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, String(value));
  }
  made.append(...children.flatMap(visible));
  return made;
}
// #endregion element

/** Characters that turn the direction of text: with them, code shows itself in another order than there is. */
const TURNS = /([\u202a-\u202e\u2066-\u2069])/;

/**
 * Text in which such characters are set apart, where they turn nothing, and are named by the style.
 *
 * @param {Child} child
 * @returns {Child[]}
 */
export function visible(child) {
  if (typeof child !== 'string') return [child];
  return child.split(TURNS).map((part, at) => (at % 2 === 0 ? part : turned(part)));
}

/** @param {string} character */
function turned(character) {
  const mark = document.createElement('bdi');
  mark.className = 'turn';
  mark.dataset.code = `U+${character.charCodeAt(0).toString(16).toUpperCase()}`;
  mark.textContent = character;
  return mark;
}

/**
 * Returns a time as people write it where the browser is.
 *
 * @param {string} iso
 */
export function time(iso) {
  const date = new Date(iso);
  const text = date.toLocaleString(navigator.language, { dateStyle: 'medium', timeStyle: 'short' });
  return element('time', { datetime: iso }, Number.isNaN(date.getTime()) ? iso : text);
}
