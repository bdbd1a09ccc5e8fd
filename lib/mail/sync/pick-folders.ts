import type { ListedFolder } from './mail-server.ts'

/** Never read, whatever was chosen. */
const never = new Set(['\\Junk', '\\Trash'])

/** Without junk and trash. */
export const readableFolders = (listed: readonly ListedFolder[]): ListedFolder[] =>
  listed.filter(({ use }) => use === null || !never.has(use))

/**
 * The folders of an account that are read, the inbox first: those that were chosen, else inbox, sent mail and the
 * archive, or what holds everything where there is no archive.
 */
export function pickFolders(listed: readonly ListedFolder[], chosen: readonly string[] | null): string[] {
  const readable = readableFolders(listed)
  const isInbox = ({ path, use }: ListedFolder) => use === '\\Inbox' || path.toUpperCase() === 'INBOX'
  const used = (use: string) => readable.filter((folder) => folder.use === use)
  const archive = used('\\Archive').length > 0 ? used('\\Archive') : used('\\All')
  const picked = chosen
    ? readable.filter(({ path }) => chosen.includes(path))
    : [...readable.filter(isInbox), ...used('\\Sent'), ...archive]
  const inboxFirst = picked.toSorted((a, b) => Number(isInbox(b)) - Number(isInbox(a)))
  return [...new Set(inboxFirst.map(({ path }) => path))].slice(0, maxFolders)
}

const maxFolders = 100
