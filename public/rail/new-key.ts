/** A key that nobody else has. `crypto.randomUUID` is missing over plain http from afar; random bytes are not. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `message-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
