/** A random key. `crypto.randomUUID` is missing over plain http; `getRandomValues` is not. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `message-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
