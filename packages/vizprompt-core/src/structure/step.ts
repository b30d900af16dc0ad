/** An edit of the structure that can be taken back. */
export interface EditStep {
  readonly id: string;
  /** What was done, such as `connectNodes`. */
  readonly label: string;
  /** When, ISO 8601. */
  readonly time: string;
  /** The ids of the flows that it changed, made or deleted. */
  readonly flows: readonly string[];
}

/** A step as the stack has it. */
export interface StackedStep extends EditStep {
  /** The size of its file. */
  readonly bytes: number;
}

/** The edits of a project, the oldest first. */
export interface EditHistory {
  /** Those that can be undone; the last is the next. */
  readonly undo: readonly EditStep[];
  /** Those that were undone and can be done again; the last is the next. */
  readonly redo: readonly EditStep[];
}

/** A file before and after an edit; `null`: there is none. */
export interface FileStep {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The file of a node that an edit made or deleted. */
export interface NodeFileStep extends FileStep {
  readonly id: string;
  /** They stand nowhere else when the file is deleted. */
  readonly keywords: readonly string[];
}

/** All that an edit did to files. */
export interface StepContent {
  readonly flows: readonly FileStep[];
  readonly nodes: readonly NodeFileStep[];
}
