// A disk in memory: files have numbers and times, names can be linked, what was not written through is lost with the power,
// and any call can fail. Editors write to it as the system lets them: in place, or by renaming over the old name.

import type { Disk, FileStat } from '../../../lib/files/folder/disk/disk.ts'

type Node = {
  ino: bigint
  bytes: Uint8Array
  mode: number
  modified: bigint
  changed: bigint
  born: bigint
  synced: boolean
}

export type SimDisk = Disk & {
  /** As a program that saves in place. */
  edit(path: string, text: string): void
  /** Another text of the same length, of which the disk’s times and numbers say nothing. */
  rot(path: string, text: string): void
  /** As a program that saves another file under the same name. */
  replace(path: string, text: string): void
  erase(path: string): void
  moveByHand(from: string, to: string): void
  /** A handle that stays with its file, whatever that is called. */
  openHandle(path: string): { write(text: string): void }
  /** Text by path; none of Void's own. */
  texts(): Record<string, string>
  /** Every text on the disk, those that Void keeps included. */
  allTexts(): string[]
  /** Called before each operation of Void; throws to let it fail. */
  before: (call: { name: string; path: string; count: number }) => void
  /** What has not been written through is gone. `kept`: of the names since the last time, how many had made it, from 0 to 1. */
  cutPower(kept: number): void
  snapshot(): () => void
  missing: boolean
  tick(ns: bigint): void
}

const fail = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code })

export function createSimDisk(start = 1_700_000_000_000_000_000n): SimDisk {
  let names = new Map<string, Node>()
  let folders = new Set<string>([''])
  /** Names after each operation since they were last written through; the first are those on the disk. */
  let journal: Map<string, Node>[] = [new Map()]
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
  const noted = () => {
    journal.push(new Map(names))
  }
  const writtenThrough = () => {
    journal = [new Map(names)]
  }
  const newNode = (text: string | Uint8Array, mode: number, synced: boolean): Node => {
    tick()
    const bytes = typeof text === 'string' ? Buffer.from(text) : Uint8Array.from(text)
    return { ino: nextIno++, bytes, mode, modified: now, changed: now + 1n, born: now, synced }
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
  const statOf = (path: string): FileStat | null => {
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
    missing: false,
    tick,
    async list(folder) {
      call('list', folder)
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
      const stat = statOf(path)
      if (!stat) throw fail('ENOENT', path)
      if (stat.kind !== 'file') throw fail('EISDIR', path)
      return { bytes: Uint8Array.from(names.get(path)!.bytes), before: stat, after: stat }
    },
    async create(path, bytes, mode) {
      call('create', path)
      if (names.has(path)) throw fail('EEXIST', path)
      if (!folders.has(parent(path))) throw fail('ENOENT', path)
      names.set(path, newNode(bytes, mode, true))
      noted()
    },
    async rename(from, to) {
      call('rename', from)
      const node = names.get(from)
      if (!node || !folders.has(parent(to))) throw fail('ENOENT', from)
      tick()
      node.changed = now
      names.delete(from)
      names.set(to, node)
      noted()
    },
    async link(from, to) {
      call('link', to)
      const node = names.get(from)
      if (!node || !folders.has(parent(to))) throw fail('ENOENT', from)
      if (names.has(to) || folders.has(to)) throw fail('EEXIST', to)
      tick()
      node.changed = now
      names.set(to, node)
      noted()
    },
    async remove(path) {
      call('remove', path)
      names.delete(path)
      noted()
    },
    async makeFolder(path) {
      call('makeFolder', path)
      if (names.has(path)) throw fail('ENOTDIR', path)
      folders.add(path)
      makeParents(path)
    },
    async removeFolder(path) {
      call('removeFolder', path)
      const holds = [...names.keys(), ...folders].some((other) => other.startsWith(`${path}/`))
      if (holds) throw fail('ENOTEMPTY', path)
      folders.delete(path)
    },
    async syncFolder(path) {
      call('syncFolder', path)
      writtenThrough()
    },

    edit(path, text) {
      const node = names.get(path)
      if (!node) return disk.replace(path, text)
      change(node, Buffer.from(text))
    },
    rot(path, text) {
      names.get(path)!.bytes = Buffer.from(text)
    },
    replace(path, text) {
      makeParents(path)
      names.set(path, newNode(text, 0o644, true))
      writtenThrough()
    },
    erase(path) {
      names.delete(path)
      writtenThrough()
    },
    moveByHand(from, to) {
      for (const [path, node] of [...names]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        names.delete(path)
        makeParents(to + path.slice(from.length))
        names.set(to + path.slice(from.length), node)
        tick()
        node.changed = now
      }
      for (const folder of [...folders])
        if (folder === from || folder.startsWith(`${from}/`)) folders.delete(folder)
      writtenThrough()
    },
    openHandle(path) {
      const node = names.get(path)!
      return { write: (text) => change(node, Buffer.from(text)) }
    },
    texts: () =>
      Object.fromEntries(
        [...names]
          .filter(([path]) => !path.startsWith('.'))
          .map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()])
          .toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
      ),
    allTexts: () => [...names].map(([, { bytes }]) => Buffer.from(bytes).toString()),
    cutPower(kept) {
      names = new Map(journal[Math.floor(kept * (journal.length - 1))])
      writtenThrough()
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
