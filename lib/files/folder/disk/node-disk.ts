import { type BigIntStats, constants, lstat } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, type Disk, type FileStat } from './disk.ts'

/** Codes of disks that know one name for a file alone. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL, COPYFILE_EXCL } = constants

/** A folder of this machine. `root` is absolute. */
export function createNodeDisk(root: string): Disk {
  const at = (path: string) => (path === '' ? root : join(root, path))

  return {
    async list(folder) {
      const names = await readdir(at(folder), { encoding: 'buffer' })
      return names.map(decodeName)
    },

    stat,

    async read(path) {
      const file = await open(at(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try {
        const before = toStat(await file.stat({ bigint: true }))
        if (before.kind !== 'file') throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' })
        const bytes = await file.readFile()
        const after = toStat(await file.stat({ bigint: true }))
        return { bytes, before, after }
      } finally {
        await file.close()
      }
    },

    async create(path, bytes, mode) {
      const file = await open(at(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
      try {
        await file.chmod(mode)
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
    },

    rename: (from, to) => rename(at(from), at(to)),

    async link(from, to) {
      try {
        await link(at(from), at(to))
      } catch (error) {
        if (!withoutLinks.has(codeOf(error))) throw error
        await copyFile(at(from), at(to), COPYFILE_EXCL)
        const file = await open(at(to), O_RDONLY)
        await file.sync().finally(() => file.close())
      }
    },

    async remove(path) {
      await unlink(at(path)).catch(ignore('ENOENT'))
    },

    async makeFolder(path) {
      const root = await stat('')
      let made = ''
      for (const name of path.split('/').filter(Boolean)) {
        made = made === '' ? name : `${made}/${name}`
        await mkdir(at(made)).catch(ignore('EEXIST'))
        const found = await stat(made)
        if (found?.kind !== 'folder' || found.dev !== root?.dev)
          throw Object.assign(new Error(`${made} is no folder of the same disk`), { code: 'ENOTDIR' })
      }
    },

    removeFolder: (path) => rmdir(at(path)),

    async syncFolder(path) {
      // Windows knows no such.
      const folder = await open(at(path), O_RDONLY).catch(ignore('EISDIR', 'EPERM'))
      if (!folder) return
      await folder
        .sync()
        .catch(ignore('EINVAL', 'EPERM', 'ENOTSUP'))
        .finally(() => folder.close())
    },
  }

  async function stat(path: string): Promise<FileStat | null> {
    const found = await lookUp(at(path)).catch(ignore('ENOENT'))
    return found ? toStat(found) : null
  }
}

/** Of a scan's computing this is most, and `lstat` of `node:fs/promises` takes twice as much. */
const lookUp = (path: string) =>
  new Promise<BigIntStats>((resolve, reject) => {
    lstat(path, { bigint: true }, (error, found) => (error ? reject(error) : resolve(found)))
  })

const ignore =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error))) throw error
  }

function decodeName(name: Buffer): string | null {
  const text = name.toString('utf8')
  return Buffer.from(text, 'utf8').equals(name) ? text : null
}

/** Smaller files of some disks lie beside their name, in no block. */
const maxInline = process.platform === 'darwin' ? 0n : 4096n

function toStat(stat: BigIntStats): FileStat {
  const isFile = stat.isFile()
  return {
    kind: isFile ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
    size: Number(stat.size),
    mode: Number(stat.mode) & 0o777,
    dev: stat.dev,
    ino: stat.ino,
    changedNs: stat.ctimeNs,
    modifiedNs: stat.mtimeNs,
    bornNs: stat.birthtimeNs,
    isPlaceholder: isFile && stat.size > maxInline && stat.blocks === 0n,
  }
}
