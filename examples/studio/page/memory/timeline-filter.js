/** @import { EventType, MemoryEvent } from '../wire/types.js' */

import { element } from '../dom.js';
import { strings } from '../strings.js';

/** @type {EventType[]} */
const TYPES = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];

/** Which events of a timeline are shown: by their types, and by the file that they are about. */
export class TimelineFilter {
  /** @type {Set<string>} */
  #hidden = new Set();
  /** @type {Set<string>} */
  #paths = new Set();
  #file;
  #onChange;
  element;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#file = element(
      'select',
      { id: 'file', change: onChange },
      element('option', { value: '' }, strings.everyFile),
    );
    this.element = element(
      'fieldset',
      { id: 'filter' },
      element('legend', {}, strings.types),
      ...TYPES.map((type) => this.#typeBox(type)),
      element('label', { for: 'file' }, strings.file),
      this.#file,
    );
  }

  /** Offers the file of an event. @param {MemoryEvent} event */
  learn({ data: { file_path: path } }) {
    if (path === undefined || this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#file.append(element('option', { value: path }, path));
  }

  /** @param {Element} card */
  apply(card) {
    const type = card.getAttribute('data-type') ?? '';
    const path = card.getAttribute('data-path');
    const isShown =
      !this.#hidden.has(type) && (this.#file.value === '' || path === this.#file.value);
    card.toggleAttribute('hidden', !isShown);
  }

  /** Shows everything, so that an event can be jumped to. */
  clear() {
    this.#hidden.clear();
    this.#file.value = '';
    for (const box of this.element.querySelectorAll('input')) box.checked = true;
    this.#onChange();
  }

  /** @param {EventType} type */
  #typeBox(type) {
    const change = (/** @type {Event} */ { currentTarget }) => {
      const { checked } = /** @type {HTMLInputElement} */ (currentTarget);
      if (checked) this.#hidden.delete(type);
      else this.#hidden.add(type);
      this.#onChange();
    };
    const box = element('input', { type: 'checkbox', checked: true, value: type, change });
    return element('label', {}, box, ` ${strings[type]}`);
  }
}
