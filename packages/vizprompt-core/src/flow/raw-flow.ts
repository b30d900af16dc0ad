import type { FilePlace } from '../errors.ts';

/** A node entry as it stands in a file. */
export interface RawFlowNode {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly place: FilePlace;
}

/** A connection entry as it stands in a file. */
export interface RawConnection {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly fromId: string | undefined;
  readonly toId: string | undefined;
  readonly branch: string | undefined;
  readonly place: FilePlace;
}

/** The content of a flow file before it is known to make sense. */
export interface RawFlow {
  /** The texts at the top: `id`, `name`, `created` and so on. */
  readonly fields: Readonly<Record<string, string>>;
  readonly nodes: readonly RawFlowNode[];
  readonly connections: readonly RawConnection[];
}

/** The keys of the texts at the top, in the order in which they are written. */
export const FLOW_FIELDS = [
  'id',
  'name',
  'created',
  'updated',
  'description',
  'alias',
  'head',
  'source',
] as const;
