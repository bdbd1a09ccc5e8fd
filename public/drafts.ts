// What is being typed, kept on this device until it is sent, so that a reload or a crash loses nothing.

export type Draft = {
  read(): string
  /** An empty text forgets the draft. */
  write(text: string): void
}

/** The draft under a name, such as `message:<space id>`. A browser that refuses storage just keeps nothing. */
export function keepDraft(
  name: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
): Draft {
  const key = `void:draft:${name}`
  return {
    read: () => attempt(() => storage.getItem(key)) ?? '',
    write: (text) => attempt(() => (text === '' ? storage.removeItem(key) : storage.setItem(key, text))),
  }
}

/** The draft that holds a message from when it is sent until the server has it. */
export const unsentName = (spaceId: string): string => `unsent:${spaceId}`

function attempt<Result>(run: () => Result): Result | null {
  try {
    return run()
  } catch {
    return null
  }
}
