// Unsent text, stored on this device so that a reload or a crash loses nothing.

export type SavedText = {
  read(): string
  /** An empty text removes it. */
  write(text: string): void
}

/** The text under a name, such as `message:<space id>`. A browser without storage stores nothing. */
export function savedText(
  name: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
): SavedText {
  const key = `void:draft:${name}`
  return {
    read: () => attempt(() => storage.getItem(key)) ?? '',
    write: (text) => attempt(() => (text === '' ? storage.removeItem(key) : storage.setItem(key, text))),
  }
}

/** The name of a message from when it is sent until the server has stored it. */
export const unsentName = (spaceId: string): string => `unsent:${spaceId}`

/** The name of the id of the nudge that the message in the composer began with, until the server has stored that. */
export const nudgeName = (spaceId: string): string => `nudge:${spaceId}`

function attempt<Result>(run: () => Result): Result | null {
  try {
    return run()
  } catch {
    return null
  }
}
