// The part of a file system that a folder in step uses. Paths are relative to the folder, with slashes; `''` is the folder
// itself. Failures are those of the system, with a `code`; a test stands in its own disk.

export type FileStat = {
  kind: 'file' | 'folder' | 'link' | 'other'
  size: number
  mode: number
  /** Which file it is on which disk. */
  dev: bigint
  ino: bigint
  /** Of its text or name, in nanoseconds. */
  changedNs: bigint
  bornNs: bigint
  modifiedNs: bigint
  /** Its text is kept elsewhere, and reading it would fetch it. */
  isPlaceholder: boolean
}

export type Disk = {
  /** Names in a folder; `null` for one that is no UTF-8. */
  list(folder: string): Promise<(string | null)[]>
  /** Of the name itself, not of what a link leads to. Null: there is nothing of that name. */
  stat(path: string): Promise<FileStat | null>
  /** A regular file's bytes, and its state before and after: equal unless it changed meanwhile. Never follows a link. */
  read(path: string): Promise<{ bytes: Uint8Array; before: FileStat; after: FileStat }>
  /** Writes a new file through to the disk. Fails with `EEXIST` where there is one. */
  create(path: string, bytes: Uint8Array, mode: number): Promise<void>
  /** Takes the place of what is there. */
  rename(from: string, to: string): Promise<void>
  /** A second name for a file, or a copy of it where the disk knows no such. Fails with `EEXIST` where there is one. */
  link(from: string, to: string): Promise<void>
  /** Nothing, where there is none. */
  remove(path: string): Promise<void>
  /** With those above it. Fails where one of them is no folder of the same disk. */
  makeFolder(path: string): Promise<void>
  /** Fails with `ENOTEMPTY` where something is in it. */
  removeFolder(path: string): Promise<void>
  /** Writes the names in a folder through to the disk. */
  syncFolder(path: string): Promise<void>
}

/** The code of a system error; empty for any other. */
export function codeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code')
  return typeof code === 'string' ? code : ''
}

/** Codes of the system, not those of Void or of the database. */
export const isOfDisk = (error: unknown): boolean => /^E[A-Z0-9]+$/.test(codeOf(error))

/** Changes with every change of the file, also of one whose time was put back. */
export const fingerprintOf = ({ size, modifiedNs, changedNs, ino }: FileStat): string =>
  `${size}:${modifiedNs}:${changedNs}:${ino}`

/** Which file it is, whatever its name and text; null where the disk gives a number anew without saying so. */
export const identityOf = ({ ino, bornNs, changedNs }: FileStat): string | null =>
  bornNs <= 0n || bornNs === changedNs ? null : `${ino}:${bornNs}`
