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
  made.append(...children);
  return made;
}
// #endregion element

/**
 * A time as people write it where the browser is.
 *
 * @param {string} iso
 */
export function time(iso) {
  const date = new Date(iso);
  const text = date.toLocaleString(navigator.language, { dateStyle: 'medium', timeStyle: 'short' });
  return element('time', { datetime: iso }, Number.isNaN(date.getTime()) ? iso : text);
}
