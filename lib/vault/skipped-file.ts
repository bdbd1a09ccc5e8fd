/** Thrown for a file that cannot be brought in; the message is the reason, as the rest of a sentence about it. */
export class SkippedFile extends Error {}
