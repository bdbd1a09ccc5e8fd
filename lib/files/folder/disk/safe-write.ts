// Writes to a folder that others write to, so that no save of theirs is lost. Comparing a file and then writing over it
// loses what is saved in between; so the file is moved aside first, compared there, and the new one gets a name that must be
// free. What was moved aside is kept for a day: a program that still has it open may write into it.
//
// Every write has an intent that was stored before it. After a crash, `settleIntent` finds out how far it came, before
// anything else looks at the folder.

import { hashOf } from '../../vault/note-bytes.ts'
import { codeOf, type Disk, type FileStat, fingerprintOf, isOfDisk } from './disk.ts'

export const ownFolder = '.void'
const at = (kind: 'tmp' | 'replaced' | 'trash', id: string) => `${ownFolder}/${kind}/${id}`

export const replacedPath = (id: string) => at('replaced', id)
const trashPath = ({ id, withdraws }: Intent) => at(withdraws ? 'replaced' : 'trash', id)

/** The folders that all of this needs, which are no part of a repository: a checkout would bring an older marker back. */
export async function makeOwnFolders(disk: Disk): Promise<void> {
  for (const kind of ['tmp', 'replaced', 'trash']) await disk.makeFolder(`${ownFolder}/${kind}`)
  const path = `${ownFolder}/.gitignore`
  try {
    if ((await disk.stat(path)) === null) await disk.create(path, Buffer.from('*\n'), 0o644)
  } catch (error) {
    if (!isOfDisk(error)) throw error
  }
}

export type Intent = {
  id: string
  kind: 'write' | 'move' | 'trash'
  path: string
  /** Of a move. */
  target: string | null
  /** Hash of the bytes that have to be there; null: nothing. Of a move: not looked at. */
  old_hash: string | null
  /** Hash of the bytes that are written. */
  new_hash: string | null
  /** What is trashed goes among what is kept for a second look, and no longer. */
  withdraws: boolean
}

/** `changed`: somebody else was faster, and what they wrote is there. `kept`: what was moved aside is worth a second look. */
export type WriteResult = { done: boolean; kept: boolean }

const changed: WriteResult = { done: false, kept: false }

const folderOfPath = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

/** Throws errors of the disk; then the intent is to be settled. */
export async function carryOut(disk: Disk, intent: Intent, bytes: Uint8Array | null): Promise<WriteResult> {
  switch (intent.kind) {
    case 'write':
      return await writeFile(disk, intent, bytes!)
    case 'move':
      return await moveFile(disk, intent)
    default:
      return await trashFile(disk, intent)
  }
}

async function writeFile(
  disk: Disk,
  { id, path, old_hash }: Intent,
  bytes: Uint8Array,
): Promise<WriteResult> {
  const temp = at('tmp', id)
  const folder = folderOfPath(path)
  if (folder !== '') await disk.makeFolder(folder)
  const before = await disk.stat(path)
  if ((before === null) !== (old_hash === null)) return changed
  await disk.create(temp, bytes, before?.mode ?? 0o644)
  if (old_hash !== null) {
    const aside = await moveAside(disk, path, replacedPath(id), old_hash)
    if (aside !== 'aside') {
      await disk.remove(temp)
      return { done: false, kept: aside === 'stuck' }
    }
  }
  const isFree = await place(disk, temp, path)
  await disk.remove(temp)
  await disk.syncFolder(folder)
  return { done: isFree, kept: old_hash !== null }
}

/**
 * `aside`: what was at the path is, and it is what was expected. `none`: there was nothing, or something else, which is back
 * at its place. `stuck`: something else, whose place was taken meanwhile; it stays aside.
 */
async function moveAside(
  disk: Disk,
  path: string,
  aside: string,
  expected: string,
): Promise<'aside' | 'none' | 'stuck'> {
  try {
    await disk.rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'none'
    throw error
  }
  if ((await hashAt(disk, aside)) === expected) return 'aside'
  const isBack = await place(disk, aside, path)
  if (isBack) await disk.remove(aside)
  await disk.syncFolder(folderOfPath(path))
  return isBack ? 'none' : 'stuck'
}

/** Whether the name was free. */
/** A second name for a file. False: another one has it. */
export async function place(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** By way of a third name, so that a name that differs by case alone is free. */
async function moveFile(disk: Disk, { id, path, target }: Intent): Promise<WriteResult> {
  const folder = folderOfPath(target!)
  if (folder !== '') await disk.makeFolder(folder)
  const temp = at('tmp', id)
  try {
    await disk.rename(path, temp)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return changed
    throw error
  }
  return await landMove(disk, { temp, path, target: target! })
}

async function landMove(
  disk: Disk,
  { temp, path, target }: { temp: string; path: string; target: string },
): Promise<WriteResult> {
  const done = await place(disk, temp, target)
  // Its old name may have been given to another file meanwhile: then it stays where the owner is shown it.
  const isBack = done || (await place(disk, temp, path)) || (await place(disk, temp, besideOf(path)))
  if (isBack) await disk.remove(temp)
  await disk.syncFolder(folderOfPath(target))
  await disk.syncFolder(folderOfPath(path))
  return { done, kept: false }
}

/** A name beside a path, for what had none. */
export const besideOf = (path: string): string => {
  const dot = path.lastIndexOf('.')
  const stamp = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15)
  return `${path.slice(0, dot)} (kept ${stamp})${path.slice(dot)}`
}

async function trashFile(disk: Disk, intent: Intent): Promise<WriteResult> {
  const { path, old_hash, withdraws } = intent
  const aside = await moveAside(disk, path, trashPath(intent), old_hash!)
  await disk.syncFolder(folderOfPath(path))
  return { done: aside === 'aside', kept: aside === 'stuck' || (withdraws && aside === 'aside') }
}

/** Whether an intent that a crash left was carried out. Nothing that anybody wrote is lost by it. */
export async function settleIntent(disk: Disk, intent: Intent): Promise<WriteResult> {
  const { id, kind, path, target } = intent
  const temp = at('tmp', id)
  if (kind === 'move') {
    if (await disk.stat(temp)) {
      // Under both names: the crash came before the first was removed.
      const [moved, there] = [await disk.stat(temp), await disk.stat(target!)]
      if (there && moved && there.ino === moved.ino) {
        await disk.remove(temp)
        return { done: true, kept: false }
      }
      return await landMove(disk, { temp, path, target: target! })
    }
    return { done: (await disk.stat(path)) === null && (await disk.stat(target!)) !== null, kept: false }
  }
  const aside = kind === 'write' ? replacedPath(id) : trashPath(intent)
  const isAside = (await disk.stat(aside)) !== null
  const here = await hashAt(disk, path)
  await disk.remove(temp)
  if (kind === 'write' && here === intent.new_hash) return { done: true, kept: isAside }
  if (kind === 'trash' && here === null && isAside && (await hashAt(disk, aside)) === intent.old_hash)
    return { done: true, kept: intent.withdraws }
  if (isAside && here === null && (await place(disk, aside, path))) {
    await disk.remove(aside)
    await disk.syncFolder(folderOfPath(path))
    return changed
  }
  return { done: false, kept: isAside }
}

/** Null: there is nothing, or nothing that can be read as a file. */
export async function hashAt(disk: Disk, path: string): Promise<string | null> {
  try {
    return hashOf((await disk.read(path)).bytes)
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EINVAL', 'EISDIR'].includes(codeOf(error))) return null
    throw error
  }
}

/** The bytes of a file as it is now; null if it changes while it is read. */
export async function readStill(
  disk: Disk,
  path: string,
): Promise<{ bytes: Uint8Array; stat: FileStat } | null> {
  const { bytes, before, after } = await disk.read(path)
  return fingerprintOf(before) === fingerprintOf(after) && bytes.length === after.size
    ? { bytes, stat: after }
    : null
}
