const encodeOne = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** The name of a file for `filename*=UTF-8''…` (RFC 5987), which allows less than `encodeURIComponent` leaves. */
export const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, encodeOne)
