// A disk in memory: files have numbers and times, names can be linked, what was not written through is lost with the power,
// and any call can fail. Editors write to it as the system lets them: in place, or by renaming over the old name.

import { pathKey } from '../../../lib/core/text/paths.ts'
import type { Disk, FileStat } from '../../../lib/files/folder/disk/disk.ts'

type Node = {
  ino: bigint
  bytes: Uint8Array
  mode: number
  modified: bigint
  changed: bigint
  born: bigint
  /** What is on the disk itself; null: nothing yet, as nobody has written it through. */
  durable: Uint8Array | null
}

export type SimDisk = Disk & {
  /** As a program that saves in place. */
  edit(path: string, text: string | Uint8Array): void
  /** Another text of the same length, of which the disk’s times and numbers say nothing. */
  rot(path: string, text: string): void
  /** As a program that saves another file under the same name. */
  replace(path: string, text: string | Uint8Array): void
  /** A program sets its times, to now or to what it likes. */
  touch(path: string, modified?: bigint): void
  erase(path: string): void
  moveByHand(from: string, to: string): void
  /** A handle that stays with its file, whatever that is called. */
  openHandle(path: string): { write(text: string): void }
  /** What the disk says of a name beside or in place of what it would: a link, a mount, a text kept in the cloud. */
  says: Map<string, Partial<FileStat>>
  /** Text by path; none of Void's own. */
  texts(): Record<string, string>
  /** The text of one file, of Void’s own too; null: there is none. */
  peek(path: string): string | null
  /** Every text on the disk, those that Void keeps included. */
  allTexts(): string[]
  /** Called before each operation of Void; throws to let it fail. */
  before: (call: { name: string; path: string; count: number }) => void
  /** What a read gives; may be less than there is. */
  reading: (path: string, bytes: Uint8Array) => Uint8Array
  /** What has not been written through is gone. `kept`: of the names since the last time, how many had made it, from 0 to 1. */
  cutPower(kept: number): void
  /** The system writes all that was saved through to the disk, as it does by itself after half a minute. */
  flush(): void
  snapshot(): () => void
  missing: boolean
  tick(ns: bigint): void
}

const fail = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code })

/** `folds`: names that differ by case or Unicode form alone are one, as on most disks of macOS and Windows. */
export function createSimDisk(start = 1_700_000_000_000_000_000n, { folds = false } = {}): SimDisk {
  let names = new Map<string, Node>()
  let folders = new Set<string>([''])
  /** How each operation since names were last written through is taken back. */
  let journal: (() => void)[] = []
  let now = start
  let nextIno = 1n
  let count = 0
  const tick = (ns = 1_000_000n) => {
    now += ns
  }
  const parent = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
  const makeParents = (path: string) => {
    for (let folder = parent(path); folder !== ''; folder = parent(folder)) folders.add(folder)
  }
  /** The name as it is on the disk. */
  const at = (path: string): string => {
    if (!folds || path === '') return path
    const folder = at(parent(path))
    const leaf = path.slice(path.lastIndexOf('/') + 1)
    const here = folder === '' ? leaf : `${folder}/${leaf}`
    const like = (name: string) => pathKey(name) === pathKey(here)
    return [...names.keys()].find(like) ?? [...folders].find(like) ?? here
  }
  /** A name that is given anew, in a folder that is there. */
  const atNew = (path: string): string => {
    const folder = at(parent(path))
    const leaf = path.slice(path.lastIndexOf('/') + 1)
    return folder === '' ? leaf : `${folder}/${leaf}`
  }
  const put = (path: string, node: Node | undefined) => {
    if (node) names.set(path, node)
    else names.delete(path)
  }
  /** As one operation: power that fails leaves all of it or nothing. */
  const setNames = (...changes: [path: string, node: Node | undefined][]) => {
    const before = changes.map(([path]) => [path, names.get(path)] as const)
    journal.push(() => {
      for (const [path, node] of before.toReversed()) put(path, node)
    })
    for (const [path, node] of changes) put(path, node)
  }
  const writtenThrough = () => {
    journal = []
  }
  const newNode = (text: string | Uint8Array, mode: number, isSynced: boolean): Node => {
    tick()
    const bytes = typeof text === 'string' ? Buffer.from(text) : Uint8Array.from(text)
    const durable = isSynced ? bytes : null
    return { ino: nextIno++, bytes, mode, modified: now, changed: now + 1n, born: now, durable }
  }
  const change = (node: Node, bytes: Uint8Array) => {
    tick()
    node.bytes = bytes
    node.modified = now
    node.changed = now
  }
  const call = (name: string, path: string) => {
    count += 1
    disk.before({ name, path, count })
    if (disk.missing && name !== 'stat') throw fail('ENOENT', path)
  }
  const statOf = (given: string): FileStat | null => {
    const path = at(given)
    const found = plainStatOf(path)
    return found && { ...found, ...disk.says.get(path) }
  }
  const plainStatOf = (path: string): FileStat | null => {
    const node = names.get(path)
    const base = { mode: 0o644, dev: 1n, isPlaceholder: false }
    if (node)
      return {
        ...base,
        kind: 'file',
        size: node.bytes.length,
        mode: node.mode,
        ino: node.ino,
        changedNs: node.changed,
        modifiedNs: node.modified,
        bornNs: node.born,
      }
    return folders.has(path)
      ? { ...base, kind: 'folder', size: 0, ino: 0n, changedNs: 1n, modifiedNs: 1n, bornNs: 1n }
      : null
  }

  const disk: SimDisk = {
    before: () => {},
    reading: (_, bytes) => bytes,
    says: new Map(),
    missing: false,
    tick,
    async list(given) {
      call('list', given)
      const folder = at(given)
      if (!folders.has(folder)) throw fail('ENOENT', folder)
      const prefix = folder === '' ? '' : `${folder}/`
      const inside = [...names.keys(), ...folders].filter((path) => path !== '' && path.startsWith(prefix))
      return [...new Set(inside.map((path) => path.slice(prefix.length).split('/')[0]!).filter(Boolean))]
    },
    async stat(path) {
      call('stat', path)
      return disk.missing ? null : statOf(path)
    },
    async read(path) {
      call('read', path)
      const before = statOf(path)
      if (!before) throw fail('ENOENT', path)
      if (before.kind === 'link') throw fail('ELOOP', path)
      if (before.kind === 'folder') throw fail('EISDIR', path)
      if (before.kind === 'other') throw fail('EINVAL', path)
      const bytes = disk.reading(path, Uint8Array.from(names.get(at(path))!.bytes))
      return { bytes, before, after: statOf(path) ?? before }
    },
    async create(path, bytes, mode) {
      call('create', path)
      if (statOf(path)) throw fail('EEXIST', path)
      if (!folders.has(at(parent(path)))) throw fail('ENOENT', path)
      setNames([atNew(path), newNode(bytes, mode, true)])
    },
    async rename(given, to) {
      call('rename', given)
      const from = at(given)
      const node = names.get(from)
      if (!node || !folders.has(at(parent(to)))) throw fail('ENOENT', from)
      tick()
      node.changed = now
      setNames([from, undefined], [at(to), undefined], [atNew(to), node])
    },
    async link(from, to) {
      call('link', to)
      const node = names.get(at(from))
      if (!node || !folders.has(at(parent(to)))) throw fail('ENOENT', from)
      if (statOf(to)) throw fail('EEXIST', to)
      tick()
      node.changed = now
      setNames([atNew(to), node])
    },
    async remove(path) {
      call('remove', path)
      setNames([at(path), undefined])
    },
    async makeFolder(path) {
      call('makeFolder', path)
      if (names.has(at(path))) throw fail('ENOTDIR', path)
      if (folders.has(at(path))) return
      folders.add(atNew(path))
      makeParents(atNew(path))
    },
    async removeFolder(given) {
      call('removeFolder', given)
      const path = at(given)
      const holds = [...names.keys(), ...folders].some((other) => other.startsWith(`${path}/`))
      if (holds) throw fail('ENOTEMPTY', path)
      folders.delete(path)
    },
    async syncFolder(path) {
      call('syncFolder', path)
      writtenThrough()
    },

    edit(path, text) {
      const node = names.get(at(path))
      if (!node) return disk.replace(path, text)
      change(node, Buffer.from(text))
    },
    rot(path, text) {
      names.get(at(path))!.bytes = Buffer.from(text)
    },
    replace(given, text) {
      const path = at(given)
      makeParents(path)
      names.set(path, newNode(text, 0o644, false))
      writtenThrough()
    },
    touch(path, modified = now) {
      tick()
      Object.assign(names.get(at(path))!, { modified, changed: now })
    },
    erase(path) {
      names.delete(at(path))
      writtenThrough()
    },
    moveByHand(from, to) {
      for (const [path, node] of [...names]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        names.delete(path)
        names.set(to + path.slice(from.length), node)
        tick()
        node.changed = now
      }
      for (const folder of [...folders])
        if (folder === from || folder.startsWith(`${from}/`)) folders.delete(folder)
      for (const path of names.keys()) if (path === to || path.startsWith(`${to}/`)) makeParents(path)
      writtenThrough()
    },
    openHandle(path) {
      const node = names.get(at(path))!
      return { write: (text) => change(node, Buffer.from(text)) }
    },
    texts: () =>
      Object.fromEntries(
        [...names]
          .filter(([path]) => !path.startsWith('.'))
          .map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()])
          .toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
      ),
    peek: (path) => {
      const node = names.get(at(path))
      return node ? Buffer.from(node.bytes).toString() : null
    },
    allTexts: () => [...names].map(([, { bytes }]) => Buffer.from(bytes).toString()),
    cutPower(kept) {
      for (const takeBack of journal.slice(Math.floor(kept * journal.length)).reverse()) takeBack()
      writtenThrough()
      for (const node of names.values())
        if (node.durable !== node.bytes) change(node, node.durable ?? new Uint8Array())
      disk.flush()
    },
    flush() {
      for (const node of names.values()) node.durable = node.bytes
    },
    snapshot() {
      const saved = new Map([...names].map(([path, node]) => [path, { ...node }]))
      const savedFolders = new Set(folders)
      return () => {
        names = new Map([...saved].map(([path, node]) => [path, { ...node }]))
        folders = new Set(savedFolders)
        writtenThrough()
      }
    },
  }
  return disk
}
