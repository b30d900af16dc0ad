/** What becomes of a file that is repaired. */
export interface Outcome {
  /** Its new content; `null`: it is deleted, as its content is elsewhere. */
  readonly content: string | null;
  /** The texts of nodes and flows that become files of their own. */
  readonly newNodes?: readonly string[];
  readonly newFlows?: readonly string[];
  /** Why the file goes to `lost+found/` as it was; absent where nothing of it would be missing. */
  readonly setAside?: string;
}
