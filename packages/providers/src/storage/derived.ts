/**
 * Tables whose names begin so hold nothing that is not also elsewhere; copies of a database leave
 * them out.
 */
export const DERIVED_PREFIX = 'derived_';

/** The table that knows which text indexes are complete. */
export const DERIVED_TEXT_INDEX: string = `${DERIVED_PREFIX}text_index`;
