/** An element of HTML or the like in a text, with its closing tag. */
export interface ClosedElement {
  /** Where its opening tag begins, and where its closing tag ends. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The opening tag after its name. */
  readonly attributes: string;
  /** The text between the tags. */
  readonly inner: string;
}

/**
 * Returns the elements of a text that are closed; of nested ones the outer, which ends with the first closing tag of
 * its name. It takes linear time where a regular expression looks for the end of each unclosed tag in the whole rest.
 *
 * @param isWanted - Checks the name and the attributes of an opening tag. Default: all.
 */
export function closedElements(
  text: string,
  isWanted: (name: string, attributes: string) => boolean = () => true,
): readonly ClosedElement[] {
  const lastClosing = new Map<string, number>();
  for (const { index, 1: name = '' } of text.matchAll(/<\/([\w-][\w-]*)>/g))
    lastClosing.set(name, index);
  const elements: ClosedElement[] = [];
  let end = 0;
  for (const { index, 0: tag, 1: name = '', 2: attributes = '' } of text.matchAll(OPENING)) {
    if (index < end || (lastClosing.get(name) ?? -1) < index || !isWanted(name, attributes))
      continue;
    const from = index + tag.length;
    const to = text.indexOf(`</${name}>`, from);
    end = to + name.length + 3;
    elements.push({ start: index, end, name, attributes, inner: text.slice(from, to) });
  }
  return elements;
}

const OPENING = /<([a-zA-Z][\w-]*)((?=[\s/>])[^<>]*)>/g;
