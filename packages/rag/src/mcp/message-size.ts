/**
 * The largest message, in bytes: a file of 10 MB as JSON, where an ASCII control character takes six.
 * What is too large for a file is then refused with words.
 */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;
