/** An object of JSON whose fields nobody has validated. */
export type Dict = Record<string, unknown>

/** True for an object that is no list and not null. */
export const isRecord = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
