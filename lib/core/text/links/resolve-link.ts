// Where a link leads: the one place that decides it, for the server and the browser. A link looks up a few names
// (`namesSought`), everything in a Space answers to a few (`namesOfPath`, its titles and aliases), and of what answers the
// one with the least rank is meant (`rankOf`).
//
// A path leads to the file at it, from the text that holds the link: as written, with the extension of a note left out,
// or to what describes the folder at it. A name leads to an exact path, a path from the holder, the file of that name
// that is nearest to the holder, a title, an alias, a former name. Names fold by NFC and case; differences of white space
// count last. Equal candidates are ordered by their paths.

import { normalizeName } from '../normalize-name.ts'
import {
  baseName,
  folderDistance,
  folderOf,
  foldName,
  isNotePath,
  joinPath,
  rankAsFolderNote,
  withoutNoteExtension,
} from '../paths.ts'
import { logseqNames } from './logseq-names.ts'
import type { LinkAim } from './read-destination.ts'

type NameSource = 'title' | 'alias' | 'path' | 'former'

/** Something that answers to a name. */
export type Candidate = {
  path: string | null
  source: NameSource
  /** Normalized. */
  name: string
  isPage: boolean
}

/** The names that a link looks up, normalized: `/path` for paths. `holder`: the path of the text. */
export function namesSought({ form, target }: LinkAim, holder: string | null): string[] {
  if (form === 'wiki') {
    const last = normalizeName(baseName(target.trim().replace(/\/+$/, '')))
    return [...new Set([last, normalizeName(target)])].filter((name) => name !== '')
  }
  const paths = [...pathsSought(target, holder), ...fromRoot(target)]
  const isFile = !/[\\/]/.test(target) && /\.[a-z0-9]{1,8}$/i.test(target) && !isNotePath(target)
  return [...paths.map(pathName), ...(isFile && paths.length > 0 ? [normalizeName(target)] : [])]
}

/** The names that something answers to by its path, normalized. */
export function namesOfPath(path: string): string[] {
  // What Logseq keeps of its own has no names.
  if (/(?:^|\/)logseq\/[^/]+\.(?:edn|css|js|json)$/i.test(path)) return [pathName(path)]
  const plain = path.replace(/\/$/, '')
  const stem = withoutNoteExtension(baseName(plain))
  const names = [pathName(path), normalizeName(stem), ...logseqNames(path).map(normalizeName)]
  if (rankIn(folderOf(path), path) !== null) names.push(pathName(folderOf(path)))
  return [...new Set(names)].filter((name) => name !== '')
}

const pathName = (path: string): string => `/${normalizeName(withoutNoteExtension(path.replace(/\/$/, '')))}`

/** Paths within the Space, the best first. Windows parts folders by backslashes, which elsewhere a name may hold. */
function pathsSought(target: string, holder: string | null): string[] {
  const spellings = target.includes('\\') ? [target, target.replaceAll('\\', '/')] : [target]
  return spellings.flatMap((each) => {
    const path = joinPath(each.startsWith('/') ? '' : folderOf(holder ?? ''), each)
    return path ?? []
  })
}

/** A path that may also be meant from the root, as Obsidian writes it: one that does not say where it begins. */
function fromRoot(target: string): string[] {
  const isOpen = /^(?!\.{0,2}\/)[^\\]*[^\\/]$/.test(target) && target.includes('/')
  const path = isOpen ? joinPath('', target) : null
  return path === null || rankAsFolderNote(path) !== null ? [] : [path]
}

/** Whether an address leads to something by more than one path. */
export const isOpenPath = ({ form, target }: LinkAim): boolean =>
  form === 'path' && fromRoot(target).length > 0

/** As `rankAsFolderNote`, also of what describes the Space. */
const rankIn = (folder: string, path: string): number | null =>
  folder === '' ? rankAsFolderNote(`/${path}`) : rankAsFolderNote(path)

/** The order of a candidate for a link, to be compared as text: the least is meant. `null`: it is not. */
export function rankOf(aim: LinkAim, holder: string | null, candidate: Candidate): string | null {
  const stage = aim.form === 'wiki' ? wikiStage(aim, holder, candidate) : pathStage(aim, holder, candidate)
  if (stage === null) return null
  const { path, isPage } = candidate
  const distance = path !== null && stage.isNear ? folderDistance(folderOf(holder ?? ''), folderOf(path)) : 0
  const order = [String(stage.at).padStart(2, '0'), String(Math.min(distance, 9999)).padStart(4, '0')]
  return `${order.join(' ')} ${isPage ? 0 : 1} ${path === null ? '' : foldName(path)}`
}

/** Whether a link leads to what is at a path by that path, rather than by any other name. */
export function leadsByPath(aim: LinkAim, holder: string | null, path: string | null): boolean {
  const candidate = { path, source: 'path', name: '', isPage: true } as const
  const stage = aim.form === 'wiki' ? wikiStage(aim, holder, candidate) : pathStage(aim, holder, candidate)
  return stage !== null && stage.at < bySlashes
}

type Stage = { at: number; isNear?: boolean }

const [bySlashes, byTitle, byAlias, byFormer, byFolder] = [40, 50, 60, 70, 80]

function wikiStage(aim: LinkAim, holder: string | null, candidate: Candidate): Stage | null {
  const { path, source, name } = candidate
  if (source !== 'path') {
    if (name !== normalizeName(aim.target)) return null
    if (source === 'title') return { at: path?.endsWith('/') ? byFolder : byTitle }
    return { at: source === 'alias' ? byAlias : byFormer }
  }
  if (path === null || name.startsWith('/')) return null
  if (path.endsWith('/')) return name === normalizeName(aim.target) ? { at: byFolder } : null
  for (const [fold, offset] of folds) {
    const stage = nameStage(aim.target, holder, fold, path)
    if (stage) return { ...stage, at: stage.at + offset }
  }
  const isSame =
    name === normalizeName(aim.target) && logseqNames(path).some((each) => normalizeName(each) === name)
  return isSame ? { at: bySlashes } : null
}

const spaceless = (name: string) => foldName(name).replace(/\s+/gu, ' ').trim()

const folds = [
  [foldName, 0],
  [spaceless, 20],
] as const

/** 0 and 1: at the path itself; 2 and 3: from the holder; 4 and 5: anywhere. Odd: without the extension. */
function nameStage(
  target: string,
  holder: string | null,
  fold: (name: string) => string,
  path: string,
): Stage | null {
  const sought = fold(target).replace(/\/+$/, '')
  const given = [fold(path), fold(withoutNoteExtension(path))]
  const at = (wanted: string | null) => (wanted === null ? -1 : given.indexOf(wanted))
  if (sought === '') return null
  if (/^\.\.?\//.test(sought)) {
    const found = at(joinPath(fold(folderOf(holder ?? '')), sought))
    return found < 0 ? null : { at: 2 + found }
  }
  const plain = joinPath('', sought)
  const exact = at(plain)
  if (exact >= 0) return { at: exact }
  if (sought.startsWith('/')) return null
  const beside = at(joinPath(fold(folderOf(holder ?? '')), sought))
  if (beside >= 0) return { at: 2 + beside }
  const tail = given.findIndex((each) => each.endsWith(`/${plain}`))
  return tail < 0 ? null : { at: 4 + tail, isNear: true }
}

function pathStage({ target }: LinkAim, holder: string | null, candidate: Candidate): Stage | null {
  const { path, source, name } = candidate
  const paths = pathsSought(target, holder)
  if (paths.length === 0 || path === null) return null
  if (source === 'former') return paths.some((each) => name === pathName(each)) ? { at: byFormer } : null
  if (source !== 'path') return null
  for (const [fold, offset] of folds) {
    for (const [nth, sought] of paths.entries()) {
      const at = fileStage(fold(sought), fold(path), sought === '' || sought.endsWith('/'))
      if (at !== null) return { at: at + 10 * nth + offset }
    }
  }
  const open = fromRoot(target)
    .map((each) => fileStage(spaceless(each), spaceless(path), false))
    .find((at) => at !== null)
  if (open !== undefined && open !== null) return { at: bySlashes + open }
  // A picture or a file that is named alone.
  const isNamed = !/[\\/]/.test(target) && spaceless(target) === spaceless(baseName(path))
  return isNamed && !isNotePath(path) ? { at: bySlashes, isNear: true } : null
}

function fileStage(sought: string, path: string, isFolder: boolean): number | null {
  const plain = sought.replace(/\/$/, '')
  const folder = plain === '' ? '' : `${plain}/`
  const first = isFolder ? 6 : 0
  if (path === plain) return first
  if (withoutNoteExtension(path) === plain) return first + 1
  if (path === folder) return 9
  const rank = isNotePath(path) && folderOf(path) === folder ? rankIn(folder, path) : null
  return rank === null ? null : 2 + [1, 2, 0].indexOf(rank)
}
