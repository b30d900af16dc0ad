/** Numbered files in their order, then those with names of their own; on every database the same. */
export const FILE_ORDER = 'ORDER BY folder IS NULL, folder, number, file';
