// Files and folders of Void, by all their names.

import * as fs from 'node:fs'
import { join } from 'node:path'
import { attempt } from './tries.js'

/** Ways to write the path of a file. */
const spellings = (path) => [
  path,
  `/${path}`,
  `/.${path}`,
  path.replaceAll('/', '//'),
  `/usr/..${path}`,
  `${process.cwd()}${'/..'.repeat(12)}${path}`,
  ...['self', 'thread-self', '1', '2', process.pid, process.ppid].flatMap((id) => [
    `/proc/${id}/root${path}`,
    `/proc/${id}/cwd${'/..'.repeat(12)}${path}`,
  ]),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((fd) => `/proc/self/fd/${fd}${path}`),
]

export function readSecrets({ files, mark }, after) {
  for (const file of files) {
    for (const path of spellings(file)) {
      attempt(`read ${path} ${after}`, () => fs.readFileSync(path, 'utf8').includes(mark) && 'its text')
    }
  }
}

export function listFolders({ folders, names }) {
  for (const folder of folders) {
    for (const path of spellings(folder)) {
      attempt(`list ${path}`, () => fs.readdirSync(path).find((name) => names.includes(name)))
    }
  }
}

export function write({ files, folders, elsewhere }) {
  for (const path of [...files, ...elsewhere]) {
    attempt(`open ${path} for writing`, () => {
      fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_APPEND))
      // A file that stands in the place of a hidden one is nobody's.
      return !files.includes(path) && 'open'
    })
  }
  for (const folder of folders) {
    attempt(`write into ${folder}`, () => void fs.writeFileSync(join(folder, 'planted'), 'planted'))
    attempt(`rename ${folder}`, () => fs.renameSync(folder, `${folder}-moved`))
  }
}

export function links({ files, mark }) {
  for (const [n, file] of files.entries()) {
    const own = (kind) => join(process.cwd(), `${kind}${n}`)
    attempt(`hard link to ${file}`, () => {
      fs.linkSync(file, own('hard'))
      return fs.readFileSync(own('hard'), 'utf8').includes(mark) && 'its text'
    })
    attempt(`symbolic link to ${file}`, () => {
      fs.symlinkSync(file, own('soft'))
      return fs.readFileSync(own('soft'), 'utf8').includes(mark) && 'its text'
    })
    attempt(`copy of ${file}`, () => {
      fs.copyFileSync(file, own('copy'))
      return fs.readFileSync(own('copy'), 'utf8').includes(mark) && 'its text'
    })
  }
}
