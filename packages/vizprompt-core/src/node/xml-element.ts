/** An element with its attributes and what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text in it, CDATA sections joined. */
  readonly text: string;
}
