/** More events than one attempt at a turn can have: its tokens are limited to a million. */
const perAttempt = 10_000_000

/**
 * The number before the first event of an attempt. Each attempt has numbers of its own, because readers may have had
 * events of the one before that it never came to store: their cursors must lie before everything that follows.
 */
export const lastSeqBefore = (attempt: number) => (attempt - 1) * perAttempt
