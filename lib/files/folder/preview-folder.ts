// What connecting a folder would change on each side. Writes nothing.

import type { FolderPreview } from '../../contract/space/folder.ts'
import type { FolderRow } from '../../db/repos/folders.ts'
import { emptyText } from '../vault/note-bytes.ts'
import { describeTraces } from './disk/agent-traces.ts'
import { readRules } from './disk/read-rules.ts'
import { scanFolder } from './disk/scan.ts'
import type { Pass } from './folder-deps.ts'
import { lookAtFiles } from './look-at-files.ts'
import { lookAtPages } from './look-at-pages.ts'
import { decide } from './plan/decide.ts'
import { readIgnoreRules } from './plan/ignore-rules.ts'
import { planFolder } from './plan/plan-folder.ts'

const maxListed = 100

/** What is stored of a folder before its first pass. */
export const unconnected: Omit<FolderRow, 'id' | 'space_id' | 'path'> = {
  review: 'off',
  generation: null,
  next_generation: null,
  root: null,
  rules_hash: null,
  misfit_at: null,
  paused: false,
  problem: null,
  deletions_until: null,
  held: [],
  files: 0,
  last_at: null,
  joined: false,
  agents: [],
  watched: true,
}

export async function previewFolder(pass: Pass): Promise<FolderPreview> {
  const rules = readIgnoreRules(await readRules(pass))
  const scan = await scanFolder(pass.disk, rules)
  // No file is waited for: a preview is of this moment.
  const files = await lookAtFiles({ ...pass, now: () => new Date(8.64e15) }, scan, [])
  const pages = await lookAtPages(pass, rules, [])
  const { notes } = planFolder({
    entries: [],
    files: files.files,
    pages: pages.pages,
    emptyText,
    leads: 'file',
    missing: () => ({ is: 'absent' }),
  })
  const steps = notes.map(({ file, page }) => ({
    path: file?.path ?? page?.path ?? '',
    step: decide(null, file?.side ?? { is: 'absent' }, page?.side ?? { is: 'absent' }),
  }))
  const pathsOf = (fits: (step: ReturnType<typeof decide>) => boolean) => {
    const paths = steps.filter(({ step }) => fits(step)).map(({ path }) => path)
    return { count: paths.length, paths: paths.slice(0, maxListed) }
  }
  return {
    path: pass.folder.path,
    to_space: pathsOf((step) => step.do === 'copy' && step.to === 'page'),
    to_folder: pathsOf((step) => step.do === 'copy' && step.to === 'file'),
    equal: pathsOf((step) => step.do === 'record').count,
    different: pathsOf((step) => step.do === 'separate'),
    agents: describeTraces(scan.traces),
    held: [...scan.held, ...files.held, ...pages.held].slice(0, maxListed),
  }
}
