/** Changes whenever a compiled dictionary would look or mean otherwise. */
export const FORMAT = 1;
